import { aggregateMessage, fieldCauses, fieldNotSupported } from "../../apimachinery/errors/field.ts";
import { listAt, structAt, textAt } from "../../apimachinery/fields.ts";
import { noGoTypes } from "../../apimachinery/go/go-shape.ts";
import { type JsonObject, type MutableJsonObject, shallowCopy } from "../../apimachinery/json.ts";
import type { Since } from "../../apimachinery/release.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../contract/admission.ts";
import { isAbout, refused } from "../contract/attributes.ts";

const lists = ["initContainers", "containers", "ephemeralContainers"];

/** Sets the pull policy of every container to Always. Upstream: kubernetes, plugin/pkg/admission/alwayspullimages. */
export function alwaysPullImages(since: Since): AdmissionPlugin {
  return {
    name: "AlwaysPullImages",
    handles: (operation) => operation === "CREATE" || operation === "UPDATE",
    admit: (attributes) => {
      const { object } = attributes;
      if (object === undefined || !isAbout(attributes, "", "pods") || isUnchanged(attributes)) return;
      const spec: MutableJsonObject = shallowCopy(structAt(object, "spec"));
      for (const list of lists) {
        const containers = listAt(spec, list);
        if (containers.length === 0) continue;
        spec[list] = containers.map((container) => ({ ...container, imagePullPolicy: "Always" }));
      }
      object["spec"] = spec;
    },
    validate: (attributes) => {
      const { object } = attributes;
      if (object === undefined || !isAbout(attributes, "", "pods") || isUnchanged(attributes)) return;
      for (const list of lists) {
        for (const [i, container] of listAt(object, "spec", list).entries()) {
          const policy = textAt(container, "imagePullPolicy");
          if (policy === "Always") continue;
          const finding = fieldNotSupported(`spec.${list}[${i}].imagePullPolicy`, policy, ["Always"]);
          throw refused(attributes, aggregateMessage(fieldCauses([finding], since, noGoTypes)));
        }
      }
    },
  };
}

/** An update of pods whose images stay is not refused and changes nothing: the policy cannot change. */
function isUnchanged({ operation, object, oldObject }: AdmissionAttributes): boolean {
  if (operation !== "UPDATE" || object === undefined || oldObject === undefined) return false;
  return lists.every((list) => {
    const before = new Set(listAt(oldObject, "spec", list).map(imageOf));
    return listAt(object, "spec", list).every((container) => before.has(imageOf(container)));
  });
}

function imageOf(container: JsonObject): string {
  return textAt(container, "image");
}
