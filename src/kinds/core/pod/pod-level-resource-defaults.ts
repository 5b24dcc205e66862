import { isJsonObject, type JsonObject, type MutableJsonObject } from "../../../apimachinery/json.ts";
import { sentStruct } from "../../defaulting/defaulter.ts";
import {
  type Amounts,
  amountsOf,
  amountsOfContainers,
  isPodLevelResource,
} from "../../quantities/resource-amounts.ts";
import { allowsOvercommit, isHugePages } from "../../quantities/resource-names.ts";

/**
 * A pod that says what it asks for as a whole says it of all that its containers ask for. What it has limits for, it
 * requests.
 */
export function podLevelResourceDefaults(spec: MutableJsonObject): void {
  const resources = sentStruct(spec, "resources");
  if (resources === undefined) return;
  addHugePageLimits(spec, resources);
  if (amountsOf(spec, "limits").size > 0) addRequests(spec, resources);
}

/** Unless it requests huge pages itself, a pod may have as many as its containers. */
function addHugePageLimits(spec: JsonObject, resources: MutableJsonObject): void {
  const requests = amountsOf(spec, "requests");
  if (requests.size === 0 && amountsOf(spec, "limits").size === 0) return;
  const pages = [...amountsOfContainers(spec, "limits")].filter(
    ([name]) => isHugePages(name) && !requests.has(name),
  );
  addMissing(resources, "limits", new Map(pages));
}

function addRequests(spec: JsonObject, resources: MutableJsonObject): void {
  const ofContainers = [...amountsOfContainers(spec, "requests")].filter(
    ([name]) => isPodLevelResource(name) && allowsOvercommit(name),
  );
  addMissing(resources, "requests", new Map(ofContainers));
  const limits = [...amountsOf(spec, "limits")].filter(([name]) => isPodLevelResource(name));
  addMissing(resources, "requests", new Map(limits));
}

function addMissing(resources: MutableJsonObject, list: string, amounts: Amounts): void {
  const known = resources[list];
  const had = isJsonObject(known) ? known : {};
  const missing = [...amounts].filter(([name]) => had[name] === undefined);
  if (missing.length === 0) return;
  const added = missing.map(([name, amount]) => [name, amount.toString()] as const);
  resources[list] = { ...had, ...Object.fromEntries(added) };
}
