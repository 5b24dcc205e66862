import type { KubeObject } from "../../../apimachinery/object-meta.ts";

/** Up to v1beta1 requests and devices could be of several kinds, of which there was one; later versions are flat. */
export type DeviceForm = "early" | "late";

const earlyVersions: readonly string[] = ["v1alpha3", "v1beta1"];

/** The form of what an object says of devices, by its version. */
export function deviceFormOf({ apiVersion }: KubeObject): DeviceForm {
  return earlyVersions.some((version) => apiVersion.endsWith(`/${version}`)) ? "early" : "late";
}
