import { listAt, objectAt, structAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { compareText } from "../../apimachinery/text-order.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../contract/admission.ts";
import { isAbout, refused } from "../contract/attributes.ts";
import { limitViolations } from "./limit-violations.ts";

const limitRanges = { group: "", resource: "limitranges" };
const annotation = "kubernetes.io/limit-ranger";

/** Sets the default requests and limits of the namespace on containers, and enforces its limits on pods and claims. */
export function limitRanger(lister: Lister): AdmissionPlugin {
  const rangesFor = (attributes: AdmissionAttributes): readonly KubeObject[] =>
    isLimited(attributes) ? lister.list(limitRanges, attributes.namespace) : [];
  return {
    name: "LimitRanger",
    handles: (operation) => operation === "CREATE" || operation === "UPDATE",
    admit: (attributes) => {
      const { object } = attributes;
      if (object === undefined || !isAbout(attributes, "", "pods")) return;
      for (const range of rangesFor(attributes)) setDefaults(object, range);
    },
    validate: (attributes) => {
      const { object } = attributes;
      if (object === undefined) return;
      for (const range of rangesFor(attributes)) {
        const violations = [...new Set(limitViolations(object, listAt(range, "spec", "limits")))];
        if (violations.length === 0) continue;
        const text = violations.join(", ");
        throw refused(attributes, violations.length === 1 ? text : `[${text}]`);
      }
    },
  };
}

/** Limits do not apply to updates of pods, or to claims that are being deleted. */
function isLimited(attributes: AdmissionAttributes): boolean {
  const isUpdate = attributes.operation === "UPDATE";
  if (isAbout(attributes, "", "pods")) return !isUpdate;
  if (!isAbout(attributes, "", "persistentvolumeclaims")) return false;
  return !isUpdate || attributes.oldObject?.metadata.deletionTimestamp === undefined;
}

function setDefaults(pod: MutableKubeObject, range: KubeObject): void {
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
