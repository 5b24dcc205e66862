import { type FieldError, fieldDuplicate, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { listAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { type JsonObject, jsonEqual, type MutableJsonObject, setKey } from "../../../apimachinery/json.ts";
import { compareText } from "../../../apimachinery/text-order.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { labelNameErrors } from "../../../apimachinery/validation/label-errors.ts";

/** The errors in the allowed topologies of a StorageClass. */
export function topologyErrors(terms: readonly JsonObject[], field: string): FieldError[] {
  // Upstream starts with one empty entry for each term, so an empty term is a duplicate of each of them.
  const seen: JsonObject[] = terms.map(() => ({}));
  return terms.flatMap((term, i) => {
    const at = child(index(field, i), "matchLabelExpressions");
    const values = valuesByKey(term);
    const duplicates = seen.filter((other) => jsonEqual(other, values)).map(() => fieldDuplicate(at, ""));
    seen.push(values);
    return [...termErrors(term, at), ...duplicates];
  });
}

function valuesByKey(term: JsonObject): JsonObject {
  const values: MutableJsonObject = {};
  for (const expression of listAt(term, "matchLabelExpressions")) {
    const unique = [...new Set(textsAt(expression, "values"))].sort(compareText);
    setKey(values, textAt(expression, "key"), unique);
  }
  return values;
}

function termErrors(term: JsonObject, field: string): FieldError[] {
  const keys = new Set<string>();
  return listAt(term, "matchLabelExpressions").flatMap((expression, i) => {
    const at = index(field, i);
    const name = textAt(expression, "key");
    const isTaken = keys.has(name);
    keys.add(name);
    return [
      ...valueErrors(textsAt(expression, "values"), child(at, "values")),
      ...labelNameErrors(name, child(at, "key")),
      ...(isTaken ? [fieldDuplicate(child(at, "key"), name)] : []),
    ];
  });
}

function valueErrors(values: readonly string[], field: string): FieldError[] {
  if (values.length === 0) return [fieldRequired(field)];
  return values.flatMap((value, i) =>
    values.indexOf(value) < i ? [fieldDuplicate(index(field, i), value)] : [],
  );
}
