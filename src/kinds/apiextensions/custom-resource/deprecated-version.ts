import { textAt } from "../../../apimachinery/fields.ts";
import { formatGroupVersion } from "../../../apimachinery/group-version.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { compareKubeVersions } from "../../../catalog/group-priority.ts";

/**
 * The warning for clients of a deprecated version: its own text, or one that names the newest version that is served and
 * not deprecated, if it is newer. Undefined for other versions. Upstream: apiextensions-apiserver,
 * pkg/apiserver/customresource_handler.go.
 */
export function deprecationWarningOf(
  version: JsonObject,
  all: readonly JsonObject[],
  { group, kind }: { readonly group: string; readonly kind: string },
): string | undefined {
  if (version["deprecated"] !== true) return undefined;
  const own = version["deprecationWarning"];
  if (typeof own === "string") return own;
  const name = textAt(version, "name");
  const what = (of: string) => `${formatGroupVersion({ group, version: of })} ${kind}`;
  const [newest] = all
    .filter(({ served, deprecated }) => served === true && deprecated !== true)
    .map((one) => textAt(one, "name"))
    .filter((one) => compareKubeVersions(one, name) > 0)
    .toSorted((a, b) => compareKubeVersions(b, a));
  return `${what(name)} is deprecated${newest === undefined ? "" : `; use ${what(newest)}`}`;
}
