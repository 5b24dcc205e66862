import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../contract/admission.ts";

const limited: ReadonlySet<string> = new Set(["pods", "persistentvolumeclaims"]);
const limitRanges = { group: "", resource: "limitranges" };

type Limits = typeof import("./limits.ts");

/**
 * Sets the default requests and limits of the namespace on containers, and enforces its limits on pods and claims. The code is
 * loaded with the first range that counts.
 */
export function limitRanger(lister: Lister): AdmissionPlugin {
  let limits: Limits | undefined;
  const forEachRange = (
    attributes: AdmissionAttributes,
    apply: (limits: Limits, range: KubeObject) => void,
  ): Promise<void> | void => {
    const ranges = isLimited(attributes) ? lister.list(limitRanges, attributes.namespace) : [];
    if (ranges.length === 0) return;
    const applyAll = (loaded: Limits) => {
      limits = loaded;
      for (const range of ranges) apply(loaded, range);
    };
    return limits === undefined ? import("./limits.ts").then(applyAll) : applyAll(limits);
  };
  return {
    name: "LimitRanger",
    handles: (operation) => operation === "CREATE" || operation === "UPDATE",
    concerns: ({ group, resource }) => group === "" && limited.has(resource),
    admit: (attributes) => {
      const { object, gvr } = attributes;
      if (object === undefined || gvr.resource !== "pods") return;
      return forEachRange(attributes, ({ setDefaults }, range) => setDefaults(object, range));
    },
    validate: (attributes) => {
      const { object } = attributes;
      if (object === undefined) return;
      return forEachRange(attributes, ({ enforceLimits }, range) => enforceLimits(attributes, object, range));
    },
  };
}

/** Limits apply to new and resized pods, and to claims; not to what is being deleted. */
function isLimited({ operation, subresource, gvr, oldObject }: AdmissionAttributes): boolean {
  const counted = operation === "UPDATE" && gvr.resource === "pods" ? "resize" : "";
  return subresource === counted && !oldObject?.metadata.deletionTimestamp;
}
