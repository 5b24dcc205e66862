import { forbidden, type StatusError } from "../../apimachinery/errors/errors.ts";
import type { AdmissionAttributes } from "./admission.ts";

/** Whether a write concerns this resource itself and none of its subresources. */
export function isAbout({ gvr, subresource }: AdmissionAttributes, group: string, resource: string): boolean {
  return gvr.group === group && gvr.resource === resource && subresource === "";
}

/** Whether a write concerns this subresource of this resource. */
export function isAboutSubresource(
  { gvr, subresource }: AdmissionAttributes,
  group: string,
  resource: string,
  name: string,
): boolean {
  return gvr.group === group && gvr.resource === resource && subresource === name;
}

/** A `forbidden` error with the message format that all plugins share. */
export function refused(attributes: AdmissionAttributes, text: string): StatusError {
  return forbidden(attributes.gvr, shownName(attributes), text);
}

/** The name in admission messages. Admission runs before names are generated. */
export function shownName({ name, object }: AdmissionAttributes): string {
  return name || object?.metadata.name || object?.metadata.generateName || "Unknown";
}
