import { fieldDuplicate, fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, textAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { addSubdomain, type Findings } from "../../../apimachinery/validation/findings.ts";
import { repeats } from "../../../apimachinery/validation/repeats.ts";
import { semanticVersion } from "../devices/semantic-version-form.ts";

/** The fields that hold the value of an attribute. */
const valueFields = ["bool", "int", "intSlice", "quantity", "string", "stringSlice", "version"];

/** Validates the model of an object, of which 1.30 has one. Upstream: validateResourceModel and its siblings of 1.30. */
export function addModelErrors(
  errors: Findings,
  model: JsonObject,
  at: string,
  addNamedErrors: (errors: Findings, named: JsonObject, field: string) => void,
): void {
  const named = objectAt(model, "namedResources");
  if (named !== undefined)
    addNamedErrors(errors, named, at === "" ? "namedResources" : child(at, "namedResources"));
  // Upstream has no path for the model of a slice.
  else errors.push(fieldRequired(at || "<nil>", "exactly one structured model field must be set"));
}

/** Validates the instances of a slice. */
export function addInstanceErrors(errors: Findings, named: JsonObject, field: string): void {
  addNamedItems(errors, listAt(named, "instances"), child(field, "instances"), (instance, at) =>
    addNamedItems(errors, listAt(instance, "attributes"), child(at, "attributes"), (attribute, where) =>
      addValueErrors(errors, attribute, where),
    ),
  );
}

/** Validates the selector of a request or a filter, of which the expression is not compiled. */
export function addSelectorErrors(errors: Findings, named: JsonObject, field: string): void {
  if (textAt(named, "selector") === "") errors.push(fieldRequired(child(field, "selector")));
}

/** Validates what a claim has got. */
export function addAllocatedNameErrors(errors: Findings, named: JsonObject, field: string): void {
  addSubdomain(errors, textAt(named, "name"), child(field, "name"));
}

function addNamedItems(
  errors: Findings,
  items: readonly JsonObject[],
  field: string,
  addItem: (item: JsonObject, at: string) => void,
): void {
  const names = items.map((item) => textAt(item, "name"));
  const isRepeated = repeats(names);
  for (const [i, item] of items.entries()) {
    const at = index(field, i);
    const name = names[i] ?? "";
    addSubdomain(errors, name, child(at, "name"));
    if (isRepeated[i]) errors.push(fieldDuplicate(child(at, "name"), name));
    addItem(item, at);
  }
}

function addValueErrors(errors: Findings, attribute: JsonObject, at: string): void {
  const given = valueFields.filter((name) => (attribute[name] ?? null) !== null);
  const version = textAt(attribute, "version");
  if (given.includes("version") && !semanticVersion.test(version)) {
    const detail = "must be a string compatible with semver.org spec 2.0.0";
    errors.push(fieldInvalid(child(at, "version"), version, detail));
  }
  if (given.length === 0) errors.push(fieldRequired(at, "exactly one value must be set"));
  if (given.length > 1) {
    const detail = "exactly one field must be set, not several";
    errors.push(fieldInvalid(at, typedValue("[]string", given), detail));
  }
}
