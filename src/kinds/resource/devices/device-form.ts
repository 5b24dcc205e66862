import type { KubeObject } from "../../../apimachinery/object-meta.ts";

/**
 * Up to v1beta1 (`early`), a device has its fields in `basic`, and a request has the fields of an exact request.
 * Later versions have neither.
 */
export type DeviceForm = "early" | "late";

const earlyVersions: readonly string[] = ["v1alpha3", "v1beta1"];

/** The form of devices and requests in the version of an object. */
export function deviceFormOf({ apiVersion }: KubeObject): DeviceForm {
  return earlyVersions.some((version) => apiVersion.endsWith(`/${version}`)) ? "early" : "late";
}
