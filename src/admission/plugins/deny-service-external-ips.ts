import { textsAt } from "../../apimachinery/fields.ts";
import type { AdmissionPlugin } from "../contract/admission.ts";
import { isAbout, refused } from "../contract/attributes.ts";

/** Refuses new external IPs of services. Upstream: plugin/pkg/admission/network/denyserviceexternalips. */
export function denyServiceExternalIps(): AdmissionPlugin {
  return {
    name: "DenyServiceExternalIPs",
    handles: (operation) => operation === "CREATE" || operation === "UPDATE",
    validate: (attributes) => {
      const { object, oldObject } = attributes;
      if (object === undefined || !isAbout(attributes, "", "services")) return;
      const known = new Set(oldObject === undefined ? [] : textsAt(oldObject, "spec", "externalIPs"));
      if (textsAt(object, "spec", "externalIPs").every((ip) => known.has(ip))) return;
      throw refused(attributes, "Use of external IPs is denied by admission control");
    },
  };
}
