import { textAt } from "../apimachinery/fields.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { builtinPriority } from "../catalog/group-priority.ts";
import type { RecordedObject } from "./recorded-objects.ts";

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

/** The record with an APIService for each of these specs, and with no others. */
export function withApiServices(
  recorded: readonly RecordedObject[],
  specs: ReadonlyMap<string, JsonObject>,
): readonly RecordedObject[] {
  const isOfApiService = ({ path }: RecordedObject) => path === "apiregistration.k8s.io/v1/apiservices";
  const known = recorded.filter(isOfApiService);
  const names = new Set(known.map(({ object }) => object.metadata.name));
  // The managedFields of the core group name no group.
  const pattern = known.find(({ object }) => textAt(object, "spec", "group") !== "");
  if (pattern === undefined) return recorded;
  const { path, object } = pattern;
  const missing = [...specs].filter(([name]) => !names.has(name));
  return [
    ...recorded.filter((entry) => !isOfApiService(entry) || specs.has(entry.object.metadata.name)),
    ...missing.map(([name, spec]) => ({
      path,
      object: { ...object, metadata: { ...object.metadata, name }, spec },
    })),
  ];
}
