import { type FieldError, fieldForbidden, fieldInvalid } from "../../apimachinery/field.ts";
import { child, index, key } from "../../apimachinery/field-path.ts";
import { listAt, objectAt, textAt } from "../../apimachinery/fields.ts";
import { type JsonObject, jsonEqual } from "../../apimachinery/json.ts";
import { type KubeObject, section } from "../../apimachinery/object-meta.ts";
import { parseQuantity } from "../../apimachinery/quantity.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import { keepOld } from "../default-strategy.ts";
import type { StrategyFacts } from "../registry-options.ts";
import type { Strategy } from "../strategy.ts";
import { keepMetadata } from "../subresource/status-metadata.ts";
import { dropDisabledFields } from "./pod.ts";
import { withField, without } from "./pod-edits.ts";
import { qualityOfService } from "./pod-quality-of-service.ts";
import { mirrorAnnotation } from "./pod-spec-validation/annotations.ts";
import type { Findings } from "./pod-spec-validation/findings.ts";
import { podValidationOptions } from "./pod-spec-validation/pod-validation-options.ts";
import { wholePodErrors } from "./pod-validation.ts";

const containerLists = ["containers", "initContainers"] as const;
const computeResources = ["cpu", "memory"];
const onlyCompute = "only cpu and memory resources are mutable";
/** Before, a container that is not restarted could not be given less memory. */
const firstWithLessMemory = 34;

/** `/resize` changes what the containers of a pod that runs ask for, and nothing else. */
export function podResizeStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  return {
    ...base,
    allowCreateOnUpdate: false,
    prepareForUpdate: (pod, old) => {
      pod["spec"] = resizedSpec(section(pod, "spec"), section(old, "spec"));
      keepOld(pod, old, "status");
      keepMetadata(pod, old);
      dropDisabledFields(pod, old, gates);
    },
    validateUpdate: (pod, old) => resizeErrors(pod, old, gates),
    warningsOnUpdate: () => [],
  };
}

/** The old spec with the new resources. Containers that came, went or moved stay as they were sent, to be refused. */
function resizedSpec(spec: JsonObject, old: JsonObject): JsonObject {
  if (containerLists.some((list) => listAt(spec, list).length !== listAt(old, list).length)) return spec;
  return containerLists.reduce((resized, list) => {
    const before = listAt(old, list);
    const containers = listAt(spec, list);
    if (containers.length === 0) return resized;
    const isInOrder = containers.every((container, i) => container["name"] === before[i]?.["name"]);
    return withField(resized, list, isInOrder ? containers.map(onlyResources(before)) : containers);
  }, old);
}

function onlyResources(old: readonly JsonObject[]): (container: JsonObject, i: number) => JsonObject {
  return (container, i) =>
    ["resources", "resizePolicy"].reduce(
      (resized, field) => withField(resized, field, container[field]),
      old[i] ?? container,
    );
}

/** What is wrong with a resize, after the order of upstream's `ValidatePodResize`. */
function resizeErrors(pod: KubeObject, old: KubeObject, gates: FeatureGates): readonly FieldError[] {
  const errors = wholePodErrors(pod, podValidationOptions(gates, pod.metadata.name ?? "", old));
  const spec = section(pod, "spec");
  const oldSpec = section(old, "spec");
  const refusal = refusalOf(spec, old, gates);
  if (refusal !== undefined) return [fieldForbidden("[]", refusal)];
  const qosClass = textAt(section(old, "status"), "qosClass") || qualityOfService(oldSpec);
  if (qosClass !== qualityOfService(spec)) {
    const detail = "Pod QOS Class may not change as a result of resizing";
    errors.push(fieldInvalid("spec", textAt(section(pod, "status"), "qosClass"), detail));
  }
  if (!mayBeResized(section(old, "status"))) {
    errors.push(fieldForbidden("spec", "Pod running on node without support for resize"));
  }
  if (addOtherContainers(errors, spec, oldSpec) === "stop") return errors;
  addResizes(errors, spec, oldSpec, gates);
  addOtherChanges(errors, spec, oldSpec, gates);
  return errors;
}

/** Why no resize of such a pod is looked at. */
function refusalOf(spec: JsonObject, old: KubeObject, gates: FeatureGates): string | undefined {
  const oldSpec = section(old, "spec");
  if (!gates.isEnabled("InPlacePodLevelResourcesVerticalScaling") && [spec, oldSpec].some(asksAsAWhole)) {
    return "pods with pod-level resources cannot be resized";
  }
  if (old.metadata.annotations?.[mirrorAnnotation] !== undefined) return "static pods cannot be resized";
  return textAt(oldSpec, "os", "name") === "windows" ? "windows pods cannot be resized" : undefined;
}

function asksAsAWhole(spec: JsonObject): boolean {
  return ["requests", "limits"].some(
    (list) => Object.keys(objectAt(spec, "resources", list) ?? {}).length > 0,
  );
}

/** A node that can resize tells what the containers that run have. */
function mayBeResized(status: JsonObject): boolean {
  const running = listAt(status, "containerStatuses").find(
    (container) => objectAt(container, "state", "running") !== undefined,
  );
  return running === undefined || running["resources"] !== undefined;
}

function addOtherContainers(errors: Findings, spec: JsonObject, old: JsonObject): "stop" | undefined {
  const before = errors.length;
  for (const list of containerLists) {
    const path = child("spec", list);
    const containers = listAt(spec, list);
    const oldContainers = listAt(old, list);
    if (containers.length !== oldContainers.length) {
      errors.push(fieldForbidden(path, `${list} may not be added or removed on resize`));
      continue;
    }
    for (const [i, container] of containers.entries()) {
      if (container["name"] === oldContainers[i]?.["name"]) continue;
      const detail = `${list} may not be renamed or reordered on resize`;
      errors.push(fieldForbidden(child(index(path, i), "name"), detail));
    }
  }
  return errors.length > before ? "stop" : undefined;
}

function addResizes(errors: Findings, spec: JsonObject, old: JsonObject, gates: FeatureGates): void {
  for (const list of ["initContainers", "containers"]) {
    for (const [i, before] of listAt(old, list).entries()) {
      if (list === "initContainers" && !isResizable(before, gates)) continue;
      const container = listAt(spec, list)[i] ?? {};
      addResize(errors, container, before, child(index(child("spec", list), i), "resources"), gates);
    }
  }
}

function isResizable(initContainer: JsonObject, gates: FeatureGates): boolean {
  return (
    initContainer["restartPolicy"] === "Always" || gates.isEnabled("InPlacePodVerticalScalingInitContainers")
  );
}

function addResize(
  errors: Findings,
  container: JsonObject,
  old: JsonObject,
  path: string,
  { minor }: FeatureGates,
): void {
  for (const list of ["requests", "limits"]) {
    const now = objectAt(container, "resources", list) ?? {};
    if (Object.keys(objectAt(old, "resources", list) ?? {}).every((name) => name in now)) continue;
    errors.push(fieldForbidden(child(path, list), `resource ${list} cannot be removed`));
  }
  if (minor >= firstWithLessMemory || restartsForMemory(container) || !hasLessMemory(container, old)) return;
  const detail = "memory limits cannot be decreased unless resizePolicy is RestartContainer";
  errors.push(fieldForbidden(key(child(path, "limits"), "memory"), detail));
}

function restartsForMemory(container: JsonObject): boolean {
  const policy = listAt(container, "resizePolicy").find(({ resourceName }) => resourceName === "memory");
  return policy?.["restartPolicy"] === "RestartContainer";
}

function hasLessMemory(container: JsonObject, old: JsonObject): boolean {
  const [now, before] = [container, old].map((of) => textAt(of, "resources", "limits", "memory"));
  return now && before ? parseQuantity(now).compare(parseQuantity(before)) < 0 : false;
}

/** Whether anything else has changed once the changes of cpu and memory are undone. */
function addOtherChanges(errors: Findings, spec: JsonObject, old: JsonObject, gates: FeatureGates): void {
  const before = listAt(old, "containers");
  for (const [i, container] of listAt(spec, "containers").entries()) {
    if (!isSameBut(container, before[i] ?? {})) errors.push(fieldForbidden("spec", onlyCompute));
  }
  const oldInit = listAt(old, "initContainers");
  for (const [i, container] of listAt(spec, "initContainers").entries()) {
    const oldContainer = oldInit[i] ?? {};
    if (isResizable(container, gates)) {
      if (isSameBut(container, oldContainer)) continue;
      errors.push(fieldForbidden("spec", "only cpu and memory resources for sidecar containers are mutable"));
    } else if (!jsonEqual(container, oldContainer)) {
      errors.push(fieldForbidden("spec", "resources for non-sidecar init containers are immutable"));
    }
  }
}

/**
 * Whether two containers differ in nothing but the cpu and the memory they ask for. Upstream forgets the claims of the
 * new one here, so a container with claims cannot be resized.
 */
function isSameBut(container: JsonObject, old: JsonObject): boolean {
  return jsonEqual(withoutCompute(container, []), withoutCompute(old, listAt(old, "resources", "claims")));
}

function withoutCompute(container: JsonObject, claims: readonly JsonObject[]): JsonObject {
  const resources = objectAt(container, "resources") ?? {};
  const others = ["limits", "requests"].map((list) =>
    without(objectAt(resources, list) ?? {}, computeResources),
  );
  return { ...container, resources: [...others, [...claims]] };
}
