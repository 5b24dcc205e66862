import { fieldForbidden, fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { integerAt, listAt, objectAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { SelectorLeniency } from "../../../apimachinery/selectors/label-selector-object.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { addInvalid, addQualifiedName, type Findings } from "../../../apimachinery/validation/findings.ts";
import { dnsSubdomainMessages } from "../../../apimachinery/validation/names.ts";
import { labelValueMessages } from "../../../apimachinery/validation/qualified-names.ts";

/** Validates a node selector, of whose terms one has to match. */
export function addNodeSelector(
  errors: Findings,
  selector: JsonObject,
  path: string,
  { allowsInvalidValues }: SelectorLeniency,
): void {
  const terms = listAt(selector, "nodeSelectorTerms");
  const at = child(path, "nodeSelectorTerms");
  if (terms.length === 0) errors.push(fieldRequired(at, "must have at least one node selector term"));
  terms.forEach((term, i) => {
    addTerm(errors, term, index(at, i), allowsInvalidValues);
  });
}

/** Validates preferred scheduling terms. Values that are not valid label values are accepted. */
export function addPreferredTerms(errors: Findings, terms: readonly JsonObject[], path: string): void {
  terms.forEach((term, i) => {
    addWeight(errors, term, index(path, i));
    addTerm(errors, objectAt(term, "preference") ?? {}, child(index(path, i), "preference"), true);
  });
}

/** Validates the weight of a preferred term. */
export function addWeight(errors: Findings, term: JsonObject, path: string): void {
  const weight = integerAt(term, "weight");
  if (weight > 0 && weight <= 100) return;
  errors.push(fieldInvalid(child(path, "weight"), weight, "must be in the range 1-100"));
}

function addTerm(errors: Findings, term: JsonObject, path: string, allowsInvalidValues: boolean): void {
  listAt(term, "matchExpressions").forEach((expression, i) => {
    addExpression(errors, expression, index(child(path, "matchExpressions"), i), allowsInvalidValues);
  });
  listAt(term, "matchFields").forEach((field, i) => {
    addFieldMatch(errors, field, index(child(path, "matchFields"), i));
  });
}

function addExpression(
  errors: Findings,
  expression: JsonObject,
  path: string,
  allowsInvalidValues: boolean,
): void {
  const values = textsAt(expression, "values");
  addOperator(errors, textAt(expression, "operator"), values, path);
  addQualifiedName(errors, textAt(expression, "key"), child(path, "key"));
  if (allowsInvalidValues) return;
  values.forEach((value, i) => {
    addInvalid(errors, index(child(path, "values"), i), value, labelValueMessages(value));
  });
}

function addOperator(errors: Findings, operator: string, values: readonly string[], path: string): void {
  const field = child(path, "values");
  switch (operator) {
    case "In":
    case "NotIn":
      if (values.length > 0) return;
      errors.push(fieldRequired(field, "must be specified when `operator` is 'In' or 'NotIn'"));
      return;
    case "Exists":
    case "DoesNotExist":
      if (values.length === 0) return;
      errors.push(
        fieldForbidden(field, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
      );
      return;
    case "Gt":
    case "Lt":
      if (values.length === 1) return;
      errors.push(fieldRequired(field, "must be specified single value when `operator` is 'Lt' or 'Gt'"));
      return;
    default:
      errors.push(fieldInvalid(child(path, "operator"), operator, "not a valid selector operator"));
  }
}

/** Only the name of a node can be matched as a field. */
function addFieldMatch(errors: Findings, match: JsonObject, path: string): void {
  const operator = textAt(match, "operator");
  const key = textAt(match, "key");
  const values = textsAt(match, "values");
  if (operator !== "In" && operator !== "NotIn") {
    errors.push(fieldInvalid(child(path, "operator"), operator, "not a valid selector operator"));
  } else if (values.length !== 1) {
    const detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    errors.push(fieldRequired(child(path, "values"), detail));
  }
  if (key !== "metadata.name") {
    errors.push(fieldInvalid(child(path, "key"), key, "not a valid field selector key"));
    return;
  }
  values.forEach((value, i) => {
    addInvalid(errors, index(child(path, "values"), i), value, dnsSubdomainMessages(value));
  });
}
