import { fieldForbidden, fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, sizeAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import { mirrorAnnotation } from "../../../apimachinery/mirror-pod.ts";
import { without } from "../../../apimachinery/object-edits.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { parseQuantity } from "../../../apimachinery/quantity.ts";
import { child, index, key } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { podValidationOptions } from "../../pod-spec/validation/pod-validation-options.ts";
import { qualityOfService } from "./pod-quality-of-service.ts";
import { addWholePodErrors } from "./pod-validation.ts";

/** The feature gate for changes of pod-level resources. */
export const podLevelResizeGate = "InPlacePodLevelResourcesVerticalScaling";

const ofInitContainers = "InPlacePodVerticalScalingInitContainers";
const lists = ["requests", "limits"];
const computeResources = ["cpu", "memory"];
const onlyCompute = "only cpu and memory resources are mutable";
const onlyComputeOfSidecars = "only cpu and memory resources for sidecar containers are mutable";
const onlyComputeOfInitContainers =
  "only cpu and memory resources for init or sidecar containers are mutable";
const initContainersStay = "resources for non-sidecar init containers are immutable";
const neverRestarted =
  "non-sidecar init containers with a resize policy of RestartContainer cannot be resized";

/** Validates a resize. Upstream: pkg/apis/core/validation/validation.go, ValidatePodResize. */
export function addResizeErrors(
  errors: Findings,
  pod: KubeObject,
  old: KubeObject,
  gates: FeatureGates,
): void {
  const resizesInit = gates.isEnabled(ofInitContainers);
  const spec = structAt(pod, "spec");
  const oldSpec = structAt(old, "spec");
  const refusal = rejectionOf(spec, old, gates);
  if (refusal !== undefined) {
    errors.push(fieldForbidden("[]", refusal));
    return;
  }
  addWholePodErrors(errors, pod, podValidationOptions(gates, pod.metadata.name ?? "", old));
  addPodWide(errors, spec, old);
  if (addOtherContainers(errors, spec, oldSpec) === "stop") return;
  addResizes(errors, spec, oldSpec, gates);
  addChanges(errors, spec, oldSpec, "containers", container);
  addChanges(errors, spec, oldSpec, "initContainers", resizesInit ? initContainer : onlySidecar);
}

/** Why a pod cannot be resized at all. */
function rejectionOf(spec: JsonObject, old: KubeObject, gates: FeatureGates): string | undefined {
  const oldSpec = structAt(old, "spec");
  if (!gates.isEnabled(podLevelResizeGate) && [spec, oldSpec].some(setsPodLevelResources)) {
    return "pods with pod-level resources cannot be resized";
  }
  if (old.metadata.annotations?.[mirrorAnnotation] !== undefined) return "static pods cannot be resized";
  return textAt(oldSpec, "os", "name") === "windows" ? "windows pods cannot be resized" : undefined;
}

function setsPodLevelResources(spec: JsonObject): boolean {
  return lists.some((list) => Object.keys(objectAt(spec, "resources", list) ?? {}).length > 0);
}

function addPodWide(errors: Findings, spec: JsonObject, old: KubeObject): void {
  const oldSpec = structAt(old, "spec");
  const status = structAt(old, "status");
  const qosClass = textAt(status, "qosClass");
  if ((qosClass || qualityOfService(oldSpec)) !== qualityOfService(spec)) {
    errors.push(fieldInvalid("spec", qosClass, "Pod QOS Class may not change as a result of resizing"));
  }
  if (!isResizeSupported(status)) {
    errors.push(fieldForbidden("spec", "Pod running on node without support for resize"));
  }
  if ([spec, oldSpec].some(setsPodLevelResources)) addPodLevelResize(errors, spec, oldSpec);
  if (sizeAt(status, "nodeAllocatableResourceClaimStatuses") === 0) return;
  const detail = "pods with node allocatable resource claims cannot be resized";
  errors.push(fieldForbidden("spec", detail));
}

/** Whether the kubelet reports container resources, as a kubelet with support for resize does. */
function isResizeSupported(status: JsonObject): boolean {
  const running = listAt(status, "containerStatuses").find(
    (container) => objectAt(container, "state", "running") !== undefined,
  );
  return running === undefined || running["resources"] !== undefined;
}

function addPodLevelResize(errors: Findings, spec: JsonObject, old: JsonObject): void {
  if (spec["resources"] === undefined) {
    errors.push(fieldForbidden("spec.resources", "pod-level resources cannot be removed"));
    return;
  }
  addRemovedResources(errors, spec, old, "spec.resources", "pod-level resource");
  if (jsonEqual(othersThanCompute(spec), othersThanCompute(old))) return;
  errors.push(fieldForbidden("spec", `${onlyCompute} at pod-level`));
}

function addOtherContainers(errors: Findings, spec: JsonObject, old: JsonObject): "stop" | undefined {
  const before = errors.length;
  for (const list of ["containers", "initContainers"]) {
    const path = child("spec", list);
    const containers = listAt(spec, list);
    const oldContainers = listAt(old, list);
    if (containers.length !== oldContainers.length) {
      errors.push(fieldForbidden(path, `${list} may not be added or removed on resize`));
      continue;
    }
    containers.forEach((container, i) => {
      if (container["name"] === oldContainers[i]?.["name"]) return;
      const detail = `${list} may not be renamed or reordered on resize`;
      errors.push(fieldForbidden(child(index(path, i), "name"), detail));
    });
  }
  return errors.length > before ? "stop" : undefined;
}

function addResizes(errors: Findings, spec: JsonObject, old: JsonObject, gates: FeatureGates): void {
  for (const list of ["initContainers", "containers"]) {
    listAt(old, list).forEach((before, i) => {
      if (list === "initContainers" && !isSidecar(before) && !gates.isEnabled(ofInitContainers)) return;
      const now = listAt(spec, list)[i] ?? {};
      const path = child(index(child("spec", list), i), "resources");
      addRemovedResources(errors, now, before, path, "resource");
      // Before 1.34, the memory limit of a container without restart could not decrease.
      if (!gates.since("1.34")) addLessMemory(errors, now, before, path);
    });
  }
}

function isSidecar(initContainer: JsonObject): boolean {
  return initContainer["restartPolicy"] === "Always";
}

/** Resources can be changed but not removed. */
function addRemovedResources(
  errors: Findings,
  holder: JsonObject,
  old: JsonObject,
  path: string,
  what: string,
): void {
  for (const list of lists) {
    const now = objectAt(holder, "resources", list) ?? {};
    if (Object.keys(objectAt(old, "resources", list) ?? {}).every((name) => name in now)) continue;
    errors.push(fieldForbidden(child(path, list), `${what} ${list} cannot be removed`));
  }
}

function addLessMemory(errors: Findings, now: JsonObject, old: JsonObject, path: string): void {
  const policy = listAt(now, "resizePolicy").find(({ resourceName }) => resourceName === "memory");
  if (policy?.["restartPolicy"] === "RestartContainer") return;
  const [limit, before] = [now, old].map((of) => textAt(of, "resources", "limits", "memory"));
  if (!limit || !before || parseQuantity(limit).compare(parseQuantity(before)) >= 0) return;
  const detail = "memory limits cannot be decreased unless resizePolicy is RestartContainer";
  errors.push(fieldForbidden(key(child(path, "limits"), "memory"), detail));
}

/** Validates a container against its old version. */
type ChangeRule = (errors: Findings, container: JsonObject, old: JsonObject, field: string) => void;

function addChanges(
  errors: Findings,
  spec: JsonObject,
  old: JsonObject,
  list: string,
  rule: ChangeRule,
): void {
  const before = listAt(old, list);
  listAt(spec, list).forEach((container, i) => {
    rule(errors, container, before[i] ?? {}, index(child("spec", list), i));
  });
}

const container: ChangeRule = (errors, now, old) => {
  if (!differsOnlyInCompute(now, old)) errors.push(fieldForbidden("spec", onlyCompute));
};

const onlySidecar: ChangeRule = (errors, now, old) => {
  if (!isSidecar(now)) {
    if (!jsonEqual(now, old)) errors.push(fieldForbidden("spec", initContainersStay));
  } else if (!differsOnlyInCompute(now, old)) {
    errors.push(fieldForbidden("spec", onlyComputeOfSidecars));
  }
};

const initContainer: ChangeRule = (errors, now, old, field) => {
  if (!differsOnlyInCompute(now, old)) errors.push(fieldForbidden(field, onlyComputeOfInitContainers));
  if (!jsonEqual(now, old) && !isSidecar(now) && restarts(now)) {
    errors.push(fieldForbidden(field, neverRestarted));
  }
};

function restarts(initContainer: JsonObject): boolean {
  return listAt(initContainer, "resizePolicy").some(
    ({ restartPolicy }) => restartPolicy === "RestartContainer",
  );
}

/**
 * Whether two containers differ only in cpu and memory. Upstream drops the claims of the new container here, so a
 * container with claims cannot be resized.
 */
function differsOnlyInCompute(now: JsonObject, old: JsonObject): boolean {
  const [rest, oldRest] = [now, old].map((of) => without(of, ["resources"]));
  return (
    jsonEqual(rest ?? {}, oldRest ?? {}) &&
    jsonEqual(othersThanCompute(now), othersThanCompute(old)) &&
    sizeAt(old, "resources", "claims") === 0
  );
}

function othersThanCompute(holder: JsonObject): readonly JsonObject[] {
  return lists.map((list) => without(objectAt(holder, "resources", list) ?? {}, computeResources));
}
