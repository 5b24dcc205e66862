import { listAt, structAt } from "../../apimachinery/fields.ts";
import { type JsonObject, type MutableJsonObject, shallowCopy } from "../../apimachinery/json.ts";
import type { AdmissionPlugin } from "../contract/admission.ts";
import { isAbout } from "../contract/attributes.ts";

const seconds = 300;
const taints = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"];

/** Adds tolerations that keep pods on an unreachable node for five minutes, unless the pod has its own. */
export function defaultTolerationSeconds(): AdmissionPlugin {
  return {
    name: "DefaultTolerationSeconds",
    handles: (operation) => operation === "CREATE" || operation === "UPDATE",
    admit: (attributes) => {
      const { object } = attributes;
      if (object === undefined || !isAbout(attributes, "", "pods")) return;
      const spec = structAt(object, "spec");
      const tolerations = listAt(spec, "tolerations");
      const added = taints
        .filter((key) => !tolerations.some((toleration) => tolerates(toleration, key)))
        .map((key) => ({ key, operator: "Exists", effect: "NoExecute", tolerationSeconds: seconds }));
      if (added.length === 0) return;
      const changed: MutableJsonObject = shallowCopy(spec);
      changed["tolerations"] = [...tolerations, ...added];
      object["spec"] = changed;
    },
  };
}

/** An empty key matches every taint, and an empty effect matches every effect. */
function tolerates({ key = "", effect = "" }: JsonObject, taint: string): boolean {
  return (key === taint || key === "") && (effect === "NoExecute" || effect === "");
}
