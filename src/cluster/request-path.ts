import { formatGroupVersion } from "../apimachinery/group-version.ts";
import type { ApiResource } from "../catalog/api-resource.ts";
import type { ObjectOptions, WriteOptions } from "./client-options.ts";

/** The path of the objects of a resource; with an empty namespace, of all namespaces. */
export function collectionPath(resource: ApiResource, namespace: string): string {
  const root = resource.group === "" ? "/api" : "/apis";
  const isWithin = resource.namespaced && namespace !== "";
  const within = isWithin ? `/namespaces/${encodeURIComponent(namespace)}` : "";
  return `${root}/${formatGroupVersion(resource)}${within}/${resource.resource}`;
}

/** What follows the path of an object. */
export function subresourcePath({ subresource }: ObjectOptions): string {
  return subresource === undefined ? "" : `/${subresource}`;
}

/** The query of a write, with its question mark. */
export function writeSearch({ dryRun, fieldManager, fieldValidation }: WriteOptions): string {
  return search({ dryRun: dryRun ? "All" : undefined, fieldManager, fieldValidation });
}

/** The query with these parameters, with its question mark; empty without any. */
export function search(parameters: { readonly [name: string]: string | number | undefined }): string {
  let query: URLSearchParams | undefined;
  for (const name in parameters) {
    const value = parameters[name];
    if (value === undefined) continue;
    query ??= new URLSearchParams();
    query.set(name, String(value));
  }
  return query === undefined ? "" : `?${query}`;
}
