import { forbidden, type StatusError } from "../../apimachinery/errors/errors.ts";
import type { AdmissionAttributes } from "./admission.ts";

/** Whether a write is about this resource itself, not about one of its subresources. */
export function isAbout({ gvr, subresource }: AdmissionAttributes, group: string, resource: string): boolean {
  return gvr.group === group && gvr.resource === resource && subresource === "";
}

/** Whether a write is about this subresource of this resource. */
export function isAboutSubresource(
  { gvr, subresource }: AdmissionAttributes,
  group: string,
  resource: string,
  name: string,
): boolean {
  return gvr.group === group && gvr.resource === resource && subresource === name;
}

/** A refusal as every plugin words it: the object by its name, or by what is known of it. */
export function refused(attributes: AdmissionAttributes, text: string): StatusError {
  return forbidden(attributes.gvr, shownName(attributes), text);
}

/** The name of an object in the words of admission, which comes before names are generated. */
export function shownName({ name, object }: AdmissionAttributes): string {
  return name || object?.metadata.name || object?.metadata.generateName || "Unknown";
}
