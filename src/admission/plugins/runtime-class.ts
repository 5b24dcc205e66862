import { listAt, objectAt, structAt, textAt } from "../../apimachinery/fields.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import { type JsonObject, jsonEqual } from "../../apimachinery/json.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { parseQuantity } from "../../apimachinery/quantity.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { AdmissionAttributes, AdmissionPlugin, MutatingAttributes } from "../contract/admission.ts";
import { isAbout, refused } from "../contract/attributes.ts";

const classes = { group: "node.k8s.io", resource: "runtimeclasses" };

/**
 * Adds the overhead, the node selector and the tolerations of the pod's runtime class, and refuses pods with any other
 * overhead. Upstream: plugin/pkg/admission/runtimeclass/admission.go.
 */
export function runtimeClass(lister: Lister, gates: FeatureGates): AdmissionPlugin {
  const hasOverhead = gates.isEnabled("PodOverhead");
  return {
    name: "RuntimeClass",
    handles: (operation) => operation === "CREATE",
    admit: (attributes) => {
      const { object } = attributes;
      if (object === undefined || !isAbout(attributes, "", "pods")) return;
      const found = classOf(lister, attributes, object);
      if (found !== undefined) admitPod(attributes, object, found, hasOverhead);
    },
    validate: (attributes) => {
      const { object } = attributes;
      if (object === undefined || !isAbout(attributes, "", "pods")) return;
      const found = classOf(lister, attributes, object);
      if (hasOverhead) checkOverhead(attributes, structAt(object, "spec"), found);
    },
  };
}

/** @throws {StatusError} forbidden if the pod names a class that does not exist */
function classOf(lister: Lister, attributes: AdmissionAttributes, pod: KubeObject): KubeObject | undefined {
  const name = textAt(pod, "spec", "runtimeClassName");
  if (name === "") return undefined;
  const found = lister.get(classes, "", name);
  if (found === undefined) throw refused(attributes, `pod rejected: RuntimeClass ${goQuote(name)} not found`);
  return found;
}

function admitPod(
  attributes: MutatingAttributes,
  pod: MutableKubeObject,
  found: KubeObject,
  hasOverhead: boolean,
): void {
  const spec = structAt(pod, "spec");
  const overhead = hasOverhead ? objectAt(found, "overhead") : undefined;
  if (overhead !== undefined && objectAt(spec, "overhead") !== undefined) {
    checkOverhead(attributes, spec, found);
  }
  const podFixed = objectAt(overhead ?? {}, "podFixed");
  pod["spec"] = {
    ...spec,
    ...(podFixed !== undefined && { overhead: podFixed }),
    ...withScheduling(attributes, spec, objectAt(found, "scheduling")),
  };
}

/** Refuses a pod whose overhead is not that of its class. */
function checkOverhead(
  attributes: AdmissionAttributes,
  spec: JsonObject,
  found: KubeObject | undefined,
): void {
  const sent = objectAt(spec, "overhead");
  const defined = found && objectAt(found, "overhead");
  if (defined === undefined) {
    if (sent === undefined) return;
    const text = "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead";
    throw refused(attributes, text);
  }
  if (isSameAmount(sent ?? {}, objectAt(defined, "podFixed") ?? {})) return;
  throw refused(attributes, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
}

/** Whether two lists of resources have equal quantities, which may be written differently. */
function isSameAmount(a: JsonObject, b: JsonObject): boolean {
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  const quantity = (amounts: JsonObject, name: string) => parseQuantity(String(amounts[name]));
  return names.every((name) => Object.hasOwn(b, name) && quantity(a, name).compare(quantity(b, name)) === 0);
}

function withScheduling(
  attributes: MutatingAttributes,
  spec: JsonObject,
  scheduling: JsonObject | undefined,
): JsonObject {
  if (scheduling === undefined) return {};
  const ofClass = objectAt(scheduling, "nodeSelector") ?? {};
  const ofPod = objectAt(spec, "nodeSelector") ?? {};
  for (const [key, value] of Object.entries(ofClass)) {
    const sent = ofPod[key];
    if (sent === undefined || sent === value) continue;
    throw refused(
      attributes,
      `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${sent}`,
    );
  }
  const tolerations = [...listAt(spec, "tolerations")];
  for (const toleration of listAt(scheduling, "tolerations")) {
    if (!tolerations.some((known) => jsonEqual(known, toleration))) tolerations.push(toleration);
  }
  const nodeSelector = { ...ofPod, ...ofClass };
  return {
    ...(Object.keys(nodeSelector).length > 0 && { nodeSelector }),
    ...(tolerations.length > 0 && { tolerations }),
  };
}
