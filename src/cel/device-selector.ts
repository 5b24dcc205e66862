import type { Release } from "../apimachinery/release.ts";
import type { CompiledExpression } from "./compilation.ts";
import { type ConditionProblem, compileReturning } from "./condition.ts";
import { estimateCost } from "./cost/estimate-cost.ts";
import type { SizeOfPath } from "./cost/sizes.ts";
import { kubernetesEnvironment } from "./kubernetes-environment.ts";
import { bindings } from "./libraries/extensions/comprehensions.ts";
import { quantityType } from "./libraries/kubernetes/quantities.ts";
import { semvers } from "./libraries/kubernetes/semvers.ts";
import { type CelType, mapType, objectType, types } from "./types/cel-type.ts";
import { formatType } from "./types/format-type.ts";

/** What an expression that selects devices may use. */
export interface DeviceSelectorOptions {
  readonly release: Release;
  /** Whether the expression is new, or that of a stored object. */
  readonly expressions: "new" | "stored";
  /** Whether devices say that several claims may share them: `device.allowMultipleAllocations`. */
  readonly sharing: "known" | "unknown";
}

export interface DeviceSelector {
  readonly compiled: CompiledExpression;
  /** What an evaluation costs at most, given the bounds of the fields of a device. */
  readonly maxCost: number;
}

/**
 * Compiles an expression that selects devices. Upstream: dynamic-resource-allocation, cel/compile.go,
 * CompileCELExpression.
 */
export function compileDeviceSelector(
  expression: string,
  { release, expressions, sharing }: DeviceSelectorOptions,
): DeviceSelector | ConditionProblem {
  const kubernetes = kubernetesEnvironment({ release, expressions });
  const extensions = kubernetes.functions.has("semver") ? [bindings] : [bindings, semvers];
  const device = deviceTypes[sharing];
  const variables: readonly (readonly [string, CelType])[] = [["device", device]];
  const environment = kubernetesEnvironment({
    release,
    expressions,
    extensions,
    variables,
    objectTypes: [device],
  });
  const compiled = compileReturning(expression, environment, "anything");
  if ("problem" in compiled) return compiled;
  const { type, checked } = compiled;
  if ((type.kind !== "bool" && type.kind !== "any") || type.nullable) {
    const problem = `must evaluate to bool or the unknown type, not ${formatType(type)}`;
    return { problem, kind: "invalid" };
  }
  return { compiled, maxCost: estimateCost(checked, sizeInDevice).max };
}

const fields = {
  driver: types.string,
  attributes: mapType(types.string, mapType(types.string, types.any)),
  capacity: mapType(types.string, mapType(types.string, quantityType)),
};

const deviceTypes = {
  unknown: objectType("kubernetes.DRADevice", fields),
  known: objectType("kubernetes.DRADevice", { ...fields, allowMultipleAllocations: types.bool }),
} as const;

/** The bounds of upstream's resource API: longest names and values, and the number of attributes and capacities. */
const longestDriver = 63;
const longestDomain = 63;
const longestId = 32;
const longestValue = 64;
const mostEntries = 32;

/** The sizes within a device: attributes and capacities are maps by domain of maps by identifier. */
const sizeInDevice: SizeOfPath = ([variable, field, domain, id, ...rest]) => {
  if (variable !== "device" || rest.length > 0) return undefined;
  if (field === "driver") return domain === undefined ? upTo(longestDriver) : undefined;
  if (field !== "attributes" && field !== "capacity") return undefined;
  if (domain === undefined) return upTo(mostEntries);
  if (domain === "@keys") return id === undefined ? upTo(longestDomain) : undefined;
  // The size of a map that is selected by a name is not known.
  if (domain !== "@values" && domain !== "@items") return undefined;
  if (id === undefined) return upTo(mostEntries);
  if (id === "@keys") return upTo(longestId);
  if (field === "attributes") return upTo(longestValue);
  return id === "@values" || id === "@items" ? upTo(0) : undefined;
};

function upTo(max: number) {
  return { min: 0, max };
}
