import { fieldDuplicate, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { listAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { type JsonObject, type MutableJsonObject, setKey } from "../../../apimachinery/json.ts";
import { jsonKey } from "../../../apimachinery/json-key.ts";
import { compareText } from "../../../apimachinery/text-order.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { addLabelNameErrors } from "../../../apimachinery/validation/label-errors.ts";
import { repeats } from "../../../apimachinery/validation/repeats.ts";

/** Upstream adds an error for each earlier equal term, so their number is quadratic. Here, a term has at most this many. */
const mostDuplicates = 100;

/** Adds the errors in the allowed topologies of a StorageClass. */
export function addTopologyErrors(errors: Findings, terms: readonly JsonObject[], field: string): void {
  // Upstream starts with one empty entry for each term, so an empty term is a duplicate of each of them.
  const seen = new Map([[jsonKey({}), terms.length]]);
  for (const [i, term] of terms.entries()) {
    const at = child(index(field, i), "matchLabelExpressions");
    const key = jsonKey(valuesByKey(term));
    addTermErrors(errors, term, at);
    const equal = seen.get(key) ?? 0;
    for (let k = 0; k < Math.min(equal, mostDuplicates); k += 1) errors.push(fieldDuplicate(at, ""));
    seen.set(key, equal + 1);
  }
}

function valuesByKey(term: JsonObject): JsonObject {
  const values: MutableJsonObject = {};
  for (const expression of listAt(term, "matchLabelExpressions")) {
    const unique = [...new Set(textsAt(expression, "values"))].sort(compareText);
    setKey(values, textAt(expression, "key"), unique);
  }
  return values;
}

function addTermErrors(errors: Findings, term: JsonObject, field: string): void {
  const keys = new Set<string>();
  for (const [i, expression] of listAt(term, "matchLabelExpressions").entries()) {
    const at = index(field, i);
    const name = textAt(expression, "key");
    const isTaken = keys.has(name);
    keys.add(name);
    addValueErrors(errors, textsAt(expression, "values"), child(at, "values"));
    addLabelNameErrors(errors, name, child(at, "key"));
    if (isTaken) errors.push(fieldDuplicate(child(at, "key"), name));
  }
}

function addValueErrors(errors: Findings, values: readonly string[], field: string): void {
  if (values.length === 0) errors.push(fieldRequired(field));
  else {
    const isRepeated = repeats(values);
    for (const [i, value] of values.entries()) {
      if (isRepeated[i]) errors.push(fieldDuplicate(index(field, i), value));
    }
  }
}
