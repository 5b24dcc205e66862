import { structAt } from "../../apimachinery/fields.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { AdmissionPlugin } from "../contract/admission.ts";
import { isAbout } from "../contract/attributes.ts";
import { defaultClass } from "./default-class.ts";

const group = "networking.k8s.io";
const classes = { group, resource: "ingressclasses" };
const annotation = "ingressclass.kubernetes.io/is-default-class";
const ingressAnnotation = "kubernetes.io/ingress.class";

/** Sets the default class on new ingresses without a class. */
export function defaultIngressClass(lister: Lister): AdmissionPlugin {
  return {
    name: "DefaultIngressClass",
    handles: (operation) => operation === "CREATE",
    admit: (attributes) => {
      const { object } = attributes;
      if (object === undefined || !isAbout(attributes, group, "ingresses")) return;
      const spec = structAt(object, "spec");
      if (spec["ingressClassName"] !== undefined) return;
      if (object.metadata.annotations?.[ingressAnnotation] !== undefined) return;
      const name = defaultClass(lister, classes, annotation)?.metadata.name;
      if (name !== undefined) object["spec"] = { ...spec, ingressClassName: name };
    },
  };
}
