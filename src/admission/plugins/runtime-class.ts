import { listAt, objectAt, structAt, textAt } from "../../apimachinery/fields.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import { type JsonObject, jsonEqual } from "../../apimachinery/json.ts";
import { jsonKey } from "../../apimachinery/json-key.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { AdmissionPlugin, MutatingAttributes } from "../contract/admission.ts";
import { isAbout, refused } from "../contract/attributes.ts";

const classes = { group: "node.k8s.io", resource: "runtimeclasses" };

/** Adds the overhead, the node selector and the tolerations of the pod's runtime class. */
export function runtimeClass(lister: Lister): AdmissionPlugin {
  return {
    name: "RuntimeClass",
    handles: (operation) => operation === "CREATE",
    admit: (attributes) => {
      const { object } = attributes;
      if (object === undefined || !isAbout(attributes, "", "pods")) return;
      const name = textAt(object, "spec", "runtimeClassName");
      if (name !== "") admitPod(lister, attributes, object, name);
    },
  };
}

function admitPod(
  lister: Lister,
  attributes: MutatingAttributes,
  pod: MutableKubeObject,
  name: string,
): void {
  const found = lister.get(classes, "", name);
  if (found === undefined) throw refused(attributes, `pod rejected: RuntimeClass ${goQuote(name)} not found`);
  const spec = structAt(pod, "spec");
  const overhead = objectAt(found, "overhead", "podFixed");
  checkOverhead(attributes, spec, overhead);
  pod["spec"] = {
    ...spec,
    ...(overhead !== undefined && { overhead }),
    ...withScheduling(attributes, spec, objectAt(found, "scheduling")),
  };
}

function checkOverhead(
  attributes: MutatingAttributes,
  spec: JsonObject,
  overhead: JsonObject | undefined,
): void {
  const sent = objectAt(spec, "overhead");
  if (sent === undefined) return;
  if (overhead === undefined) {
    throw refused(
      attributes,
      "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead",
    );
  }
  if (!jsonEqual(sent, overhead)) {
    throw refused(attributes, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
  }
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
  const known = new Set(tolerations.map(jsonKey));
  for (const toleration of listAt(scheduling, "tolerations")) {
    const key = jsonKey(toleration);
    if (!known.has(key)) tolerations.push(toleration);
    known.add(key);
  }
  const nodeSelector = { ...ofPod, ...ofClass };
  return {
    ...(Object.keys(nodeSelector).length > 0 && { nodeSelector }),
    ...(tolerations.length > 0 && { tolerations }),
  };
}
