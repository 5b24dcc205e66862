import { formatGroupVersion, type GroupVersionKind } from "../apimachinery/group-version.ts";
import { catalogFiles } from "./catalog-files.ts";

/**
 * The name of the resource of a built-in kind in any release; undefined for other kinds, such as custom resources.
 */
export function resourceOfKind({ group, version, kind }: GroupVersionKind): string | undefined {
  const file = catalogFiles.file(group === "" ? `core/${version}` : formatGroupVersion({ group, version }));
  const entries = Object.entries(file?.resources ?? {});
  return entries.find(([, entry]) => entry.kind === kind)?.[0];
}
