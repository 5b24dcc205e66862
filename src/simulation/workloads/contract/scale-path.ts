import { formatGroupVersion } from "../../../apimachinery/group-version.ts";
import type { ApiResource } from "../../../catalog/api-resource.ts";

/** The path of the scale of an object. */
export function scalePath(resource: ApiResource, namespace: string, name: string): string {
  const root = resource.group === "" ? "/api" : "/apis";
  const within = resource.namespaced ? `/namespaces/${namespace}` : "";
  return `${root}/${formatGroupVersion(resource)}${within}/${resource.resource}/${encodeURIComponent(name)}/scale`;
}
