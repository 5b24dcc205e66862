import { fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { messageOf } from "../../../apimachinery/errors/message-of.ts";
import { isJsonObject, type JsonValue } from "../../../apimachinery/json.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { parseJson } from "../../../codec/json/json.ts";
import { addTolerations, type TolerationRules } from "./scheduling.ts";

const annotation = "scheduler.alpha.kubernetes.io/tolerations";

/** Validates tolerations in the deprecated annotation, which contains JSON. */
export function addTolerationsAnnotation(
  errors: Findings,
  annotations: { readonly [name: string]: string },
  path: string,
  rules: TolerationRules,
): void {
  const text = annotations[annotation];
  if (text === undefined || text === "") return;
  let tolerations: JsonValue;
  try {
    tolerations = parseJson(text);
  } catch (error) {
    const problem = messageOf(error);
    errors.push(fieldInvalid(path, annotation, problem));
    return;
  }
  const list = Array.isArray(tolerations) ? tolerations.filter(isJsonObject) : [];
  addTolerations(errors, list, child(path, annotation), rules);
}
