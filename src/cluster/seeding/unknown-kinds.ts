import type { ApiResource } from "../../catalog/api-resource.ts";
import type { ApiView } from "../../served/api-view.ts";
import type { Manifest } from "./manifest.ts";

/** What a load does with objects whose kind the cluster does not serve. */
export type OnUnknown = "error" | "skip";

/** A manifest with the resource that serves its kind. */
export interface KnownManifest extends Manifest {
  readonly resource: ApiResource;
}

/**
 * The manifests whose kinds are served.
 * @throws {Error} that names all other kinds, unless they are skipped with a warning
 */
export function knownManifests(
  manifests: readonly Manifest[],
  view: ApiView,
  isStored: (resource: ApiResource) => boolean,
  onUnknown: OnUnknown,
): readonly KnownManifest[] {
  const known: KnownManifest[] = [];
  const unknown = new Map<string, string[]>();
  for (const manifest of manifests) {
    const { apiVersion, kind } = manifest.object;
    const resource = view.resourceOfKind(String(apiVersion), String(kind));
    if (resource !== undefined && isStored(resource)) {
      known.push({ ...manifest, resource });
      continue;
    }
    const title = `${kind} in ${apiVersion}`;
    unknown.set(title, [...(unknown.get(title) ?? []), manifest.source]);
  }
  if (unknown.size === 0) return known;
  const titles = [...unknown].map(([title, [first, ...more]]) => {
    const others = more.length === 0 ? "" : ` and ${more.length} more`;
    return `${title} (${first}${others})`;
  });
  const text = `Kubernetes ${view.release} does not serve ${titles.join("; ")}`;
  if (onUnknown === "error") throw new Error(`${text}. To leave these objects out: onUnknown: "skip"`);
  console.warn(`kubedouble: ${text}. These objects are left out.`);
  return known;
}
