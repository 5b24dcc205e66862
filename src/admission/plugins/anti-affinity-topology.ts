import { forbidden } from "../../apimachinery/errors/errors.ts";
import { listAt, textAt } from "../../apimachinery/fields.ts";
import type { AdmissionPlugin } from "../contract/admission.ts";
import { isAbout } from "../contract/attributes.ts";

const hostname = "kubernetes.io/hostname";
const terms = ["affinity", "podAntiAffinity", "requiredDuringSchedulingIgnoredDuringExecution"];

/** Refuses pods that require anti-affinity in another topology than that of hosts. Upstream: plugin/pkg/admission/antiaffinity. */
export function limitPodHardAntiAffinityTopology(): AdmissionPlugin {
  return {
    name: "LimitPodHardAntiAffinityTopology",
    handles: (operation) => operation === "CREATE" || operation === "UPDATE",
    validate: (attributes) => {
      const { object, gvr } = attributes;
      if (object === undefined || !isAbout(attributes, "", "pods")) return;
      for (const term of listAt(object, "spec", ...terms)) {
        const key = textAt(term, "topologyKey");
        if (key === hostname) continue;
        const problem = `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${key} but only key ${hostname} is allowed`;
        throw forbidden(gvr, object.metadata.name ?? "", problem);
      }
    },
  };
}
