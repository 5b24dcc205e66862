import { listAt, objectAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { parseQuantity } from "../../../apimachinery/quantity.ts";

/**
 * The spec of a pod, in which containers have the largest of the resources that they should have, have and have been promised. What
 * they should have does not count if it is infeasible. Upstream: `determineContainerReqs` and `determineContainerLimits`
 * (component-helpers, resource/helpers.go).
 */
export function specInResize(pod: KubeObject): JsonObject {
  const spec = structAt(pod, "spec");
  const statuses = [
    ...listAt(pod, "status", "containerStatuses"),
    ...listAt(pod, "status", "initContainerStatuses"),
  ].filter((status) => objectAt(status, "resources") !== undefined);
  if (statuses.length === 0) return spec;
  const byName = new Map(statuses.map((status) => [textAt(status, "name"), status]));
  const ignoresSpec = isInfeasible(pod);
  const resized = (container: JsonObject) => {
    const status = byName.get(textAt(container, "name"));
    if (status === undefined) return container;
    const wanted = ignoresSpec ? {} : structAt(container, "resources");
    const actual = structAt(status, "resources");
    const requests = [wanted["requests"], actual["requests"], status["allocatedResources"]];
    const limits = [wanted["limits"], actual["limits"]];
    return { ...container, resources: { requests: largest(requests), limits: largest(limits) } };
  };
  return {
    ...spec,
    containers: listAt(spec, "containers").map(resized),
    initContainers: listAt(spec, "initContainers").map((container) =>
      container["restartPolicy"] === "Always" ? resized(container) : container,
    ),
  };
}

/** Whether the node cannot have the resources. Before 1.33, a field says so. */
function isInfeasible(pod: KubeObject): boolean {
  if (textAt(pod, "status", "resize") === "Infeasible") return true;
  const pending = listAt(pod, "status", "conditions").find(({ type }) => type === "PodResizePending");
  return pending?.["reason"] === "Infeasible";
}

/** The largest amount of each resource. */
function largest(lists: readonly unknown[]): JsonObject {
  const result: { [name: string]: string } = {};
  for (const list of lists) {
    for (const [name, amount] of Object.entries(list ?? {})) {
      const known = result[name];
      const text = String(amount);
      if (known === undefined || parseQuantity(text).compare(parseQuantity(known)) > 0) result[name] = text;
    }
  }
  return result;
}
