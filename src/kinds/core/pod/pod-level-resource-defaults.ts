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
 * Sets the requests of a pod with pod-level resources from its containers and its limits. Upstream:
 * pkg/apis/core/v1/defaults.go, SetDefaults_Pod.
 */
export function podLevelResourceDefaults(spec: MutableJsonObject): void {
  const resources = sentStruct(spec, "resources");
  if (resources === undefined) return;
  addHugePageLimits(spec, resources);
  if (amountsOf(spec, "limits").size > 0) addRequests(spec, resources);
}

/** Sets the huge page limits from the containers unless the pod requests huge pages itself. */
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
