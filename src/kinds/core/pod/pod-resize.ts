import { listAt, structAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { withField } from "../../../apimachinery/object-edits.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { keepOld } from "../../../registry/contract/default-strategy.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { keepMetadata } from "../../../registry/subresources/status-metadata.ts";
import { dropDisabledFields } from "./pod.ts";
import { addResizeErrors, podLevelResizeGate } from "./pod-resize-validation.ts";

const containerLists = ["containers", "initContainers"] as const;

/** The strategy of `/resize`, which changes the resources of a running pod and nothing else. */
export function podResizeStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  return {
    ...base,
    allowCreateOnUpdate: false,
    prepareForUpdate: (pod, old) => {
      pod["spec"] = resizedSpec(structAt(pod, "spec"), structAt(old, "spec"), gates);
      keepOld(pod, old, "status");
      keepMetadata(pod, old);
      dropDisabledFields(pod, old, gates);
    },
    validateUpdate: (errors, pod, old) => addResizeErrors(errors, pod, old, gates),
    warningsOnUpdate: () => [],
  };
}

/**
 * The old spec with the new resources. Added, removed or moved containers stay as sent, and validation rejects them.
 */
function resizedSpec(spec: JsonObject, old: JsonObject, gates: FeatureGates): JsonObject {
  if (containerLists.some((list) => listAt(spec, list).length !== listAt(old, list).length)) return spec;
  const whole = gates.isEnabled(podLevelResizeGate) ? withField(old, "resources", spec["resources"]) : old;
  return containerLists.reduce((resized, list) => {
    const before = listAt(old, list);
    const containers = listAt(spec, list);
    if (containers.length === 0) return resized;
    const isInOrder = containers.every((container, i) => container["name"] === before[i]?.["name"]);
    return withField(resized, list, isInOrder ? containers.map(onlyResources(before)) : containers);
  }, whole);
}

function onlyResources(old: readonly JsonObject[]): (container: JsonObject, i: number) => JsonObject {
  return (container, i) =>
    ["resources", "resizePolicy"].reduce(
      (resized, field) => withField(resized, field, container[field]),
      old[i] ?? container,
    );
}
