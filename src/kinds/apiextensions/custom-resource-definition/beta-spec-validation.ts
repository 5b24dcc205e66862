import { invalid } from "../../../apimachinery/errors/errors.ts";
import {
  type FieldCause,
  fieldForbidden,
  fieldInvalid,
  fieldInvalidUnshown,
} from "../../../apimachinery/errors/field.ts";
import { listAt, textAt } from "../../../apimachinery/fields.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";

/** What stands above all versions or in each of them, with its words in errors. */
const parts = [
  { above: "validation", within: "schema", words: "schemas" },
  { above: "subresources", within: "subresources", words: "subresources" },
  {
    above: "additionalPrinterColumns",
    within: "additionalPrinterColumns",
    words: "additionalPrinterColumns",
  },
] as const;

/**
 * Refuses what a definition of v1beta1 can say and one of v1 cannot. Upstream finds these errors among others
 * (validateCustomResourceDefinitionSpec); here they come alone, because the conversion to v1 would lose them.
 * @throws {StatusError} invalid
 */
export function checkBetaSpec(name: string, spec: JsonObject): void {
  const errors: FieldCause[] = [];
  addBetaErrors(errors, spec);
  if (errors.length === 0) return;
  throw invalid({ group: "apiextensions.k8s.io", kind: "CustomResourceDefinition" }, name, errors);
}

function addBetaErrors(errors: FieldCause[], spec: JsonObject): void {
  const versions = listAt(spec, "versions");
  for (const { above, within, words } of parts) {
    const hasOwn = versions.some((version) => isStated(version[within]));
    if (!isStated(spec[above]) || !hasOwn) continue;
    const detail = `top-level and per-version ${words} are mutually exclusive`;
    errors.push(fieldForbidden(`spec.${above}`, detail));
  }
  for (const { above, within, words } of parts) {
    const first = versions[0]?.[within];
    if (!isStated(first) || !versions.every((version) => jsonEqual(version[within], first))) continue;
    const detail = `per-version ${words} may not all be set to identical values (top-level ${above} should be used instead)`;
    // Upstream shows the versions with their addresses in memory.
    errors.push(fieldInvalidUnshown("spec.versions", detail));
  }
  const version = textAt(spec, "version");
  const [first] = versions;
  if (version === "" || first === undefined || textAt(first, "name") === version) return;
  errors.push(fieldInvalid("spec.version", version, "must match the first version in spec.versions"));
}

/** An empty list of columns counts as none. */
function isStated(value: JsonObject[string] | undefined): value is JsonObject[string] {
  if (value === undefined || value === null) return false;
  return !Array.isArray(value) || value.length > 0;
}
