import { textAt } from "../apimachinery/fields.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { builtinPriority } from "../catalog/group-priority.ts";

/** The group of APIServices themselves has no APIService. */
const ownGroup = "apiregistration.k8s.io";

/** The specs of the APIServices that a server registers when it starts, by their names. */
export function registeredVersions(catalog: Catalog): Map<string, JsonObject> {
  const specs = new Map<string, JsonObject>();
  for (const gv of catalog.groupVersions()) {
    const { group, version } = gv;
    const priority = group === ownGroup ? undefined : builtinPriority(gv);
    if (priority === undefined) continue;
    const priorities = { groupPriorityMinimum: priority.group, versionPriority: priority.version };
    specs.set(`${version}.${group}`, { ...(group !== "" && { group }), version, ...priorities });
  }
  return specs;
}

/** An entry of the record of a fresh cluster: the path of a resource and an object. */
type Entry = readonly [path: string, object: NamedObject, ...rest: readonly unknown[]];

type NamedObject = JsonObject & { readonly metadata: { readonly name: string } & JsonObject };

/** The record with an APIService for each of these specs, and with no others. */
export function withApiServices<E extends Entry>(
  recorded: readonly E[],
  specs: ReadonlyMap<string, JsonObject>,
): readonly (E | readonly [path: string, object: NamedObject])[] {
  const isOfApiService = ([path]: E) => path === "apiregistration.k8s.io/v1/apiservices";
  const known = recorded.filter(isOfApiService);
  const names = new Set(known.map(([, { metadata }]) => metadata.name));
  // The managedFields of the core group name no group.
  const [path = "", pattern] =
    known.find(([, apiService]) => textAt(apiService, "spec", "group") !== "") ?? [];
  if (pattern === undefined) return recorded;
  const missing = [...specs].filter(([name]) => !names.has(name));
  return [
    ...recorded.filter((entry) => !isOfApiService(entry) || specs.has(entry[1].metadata.name)),
    ...missing.map(
      ([name, spec]) => [path, { ...pattern, metadata: { ...pattern.metadata, name }, spec }] as const,
    ),
  ];
}
