import { listAt, structAt } from "../../apimachinery/fields.ts";
import { type JsonObject, type MutableJsonObject, shallowCopy } from "../../apimachinery/json.ts";
import { isExtendedResource } from "../../kinds/quantities/resource-names.ts";
import type { AdmissionPlugin } from "../contract/admission.ts";
import { isAbout } from "../contract/attributes.ts";

/** Lets pods tolerate the taints of nodes with the extended resources that they request. Upstream: plugin/pkg/admission/extendedresourcetoleration. */
export function extendedResourceToleration(): AdmissionPlugin {
  return {
    name: "ExtendedResourceToleration",
    handles: (operation) => operation === "CREATE" || operation === "UPDATE",
    admit: (attributes) => {
      const { object } = attributes;
      if (object === undefined || !isAbout(attributes, "", "pods")) return;
      const spec = structAt(object, "spec");
      const containers = [...listAt(spec, "containers"), ...listAt(spec, "initContainers")];
      const names = containers.flatMap((container) =>
        Object.keys(structAt(container, "resources", "requests")),
      );
      const extended = [...new Set(names.filter(isExtendedResource))].sort();
      const missing = extended.filter((key) => !listAt(spec, "tolerations").some(isToleration(key)));
      if (missing.length === 0) return;
      const added = missing.map((key) => ({ key, operator: "Exists", effect: "NoSchedule" }));
      const changed: MutableJsonObject = shallowCopy(spec);
      changed["tolerations"] = [...listAt(spec, "tolerations"), ...added];
      object["spec"] = changed;
    },
  };
}

function isToleration(key: string): (toleration: JsonObject) => boolean {
  return (toleration) =>
    toleration["key"] === key &&
    toleration["operator"] === "Exists" &&
    toleration["effect"] === "NoSchedule" &&
    toleration["tolerationSeconds"] === undefined;
}
