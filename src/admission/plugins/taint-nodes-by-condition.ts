import { listAt, structAt } from "../../apimachinery/fields.ts";
import type { AdmissionPlugin } from "../contract/admission.ts";
import { isAbout } from "../contract/attributes.ts";

const notReady = { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" };

/** Adds the taint `not-ready` to new nodes. */
export function taintNodesByCondition(): AdmissionPlugin {
  return {
    name: "TaintNodesByCondition",
    handles: (operation) => operation === "CREATE",
    admit: (attributes) => {
      const { object } = attributes;
      if (object === undefined || !isAbout(attributes, "", "nodes")) return;
      const spec = structAt(object, "spec");
      const taints = listAt(spec, "taints");
      const isTainted = taints.some(({ key, effect }) => key === notReady.key && effect === notReady.effect);
      if (!isTainted) object["spec"] = { ...spec, taints: [...taints, notReady] };
    },
  };
}
