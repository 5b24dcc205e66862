import { listAt, objectAt, structAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { compareText } from "../../apimachinery/text-order.ts";
import type { AdmissionAttributes } from "../contract/admission.ts";
import { refused } from "../contract/attributes.ts";
import { limitViolations } from "./limit-violations.ts";

const annotation = "kubernetes.io/limit-ranger";

/** @throws {StatusError} forbidden if the object exceeds the limits of a range */
export function enforceLimits(attributes: AdmissionAttributes, object: KubeObject, range: KubeObject): void {
  const violations = [...new Set(limitViolations(object, listAt(range, "spec", "limits")))];
  if (violations.length === 0) return;
  const text = violations.join(", ");
  throw refused(attributes, violations.length === 1 ? text : `[${text}]`);
}

/** Sets the default requests and limits of a range on the containers of a pod. */
export function setDefaults(pod: MutableKubeObject, range: KubeObject): void {
  const defaults = { requests: {}, limits: {} };
  for (const limit of listAt(range, "spec", "limits")) {
    if (textAt(limit, "type") !== "Container") continue;
    Object.assign(defaults.requests, objectAt(limit, "defaultRequest"));
    Object.assign(defaults.limits, objectAt(limit, "default"));
  }
  const set: string[] = [];
  const withDefaults = (title: string) => (container: JsonObject) =>
    containerWithDefaults(container, defaults, `${title} ${textAt(container, "name")}`, set);
  const spec = structAt(pod, "spec");
  const containers = listAt(spec, "containers").map(withDefaults("container"));
  const initContainers = listAt(spec, "initContainers").map(withDefaults("init container"));
  if (set.length === 0) return;
  pod["spec"] = { ...spec, containers, ...(initContainers.length > 0 && { initContainers }) };
  const annotations = { ...pod.metadata.annotations };
  annotations[annotation] = `LimitRanger plugin set: ${set.join("; ")}`;
  pod.metadata = { ...pod.metadata, annotations };
}

/** @param set Receives a text for each default that was set. */
function containerWithDefaults(
  container: JsonObject,
  defaults: { readonly requests: JsonObject; readonly limits: JsonObject },
  title: string,
  set: string[],
): JsonObject {
  const resources = { ...objectAt(container, "resources") };
  let isChanged = false;
  for (const kind of ["requests", "limits"] as const) {
    const own = objectAt(resources, kind) ?? {};
    const missing = Object.entries(defaults[kind])
      .filter(([name]) => own[name] === undefined)
      .sort(([a], [b]) => compareText(a, b));
    if (missing.length === 0) continue;
    isChanged = true;
    const names = missing.map(([name]) => name).join(", ");
    set.push(`${names} ${kind === "requests" ? "request" : "limit"} for ${title}`);
    resources[kind] = { ...own, ...Object.fromEntries(missing) };
  }
  return isChanged ? { ...container, resources } : container;
}
