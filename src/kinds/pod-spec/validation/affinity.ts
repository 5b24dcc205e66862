import { fieldForbidden, fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { addSelector } from "../../../apimachinery/selectors/label-selector-object.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { addInvalid, addQualifiedName, type Findings } from "../../../apimachinery/validation/findings.ts";
import { dnsLabelMessages } from "../../../apimachinery/validation/names.ts";
import { addNodeSelector, addPreferredTerms, addWeight } from "./node-selector.ts";
import type { PodValidationOptions } from "./pod-validation-options.ts";

const required = "requiredDuringSchedulingIgnoredDuringExecution";
const preferred = "preferredDuringSchedulingIgnoredDuringExecution";

/** Validates the affinity of a pod. Upstream: pkg/apis/core/validation/validation.go, validateAffinity. */
export function addAffinity(
  errors: Findings,
  affinity: JsonObject | undefined,
  path: string,
  options: PodValidationOptions,
): void {
  if (affinity === undefined) return;
  const nodes = objectAt(affinity, "nodeAffinity");
  if (nodes !== undefined) addNodeAffinity(errors, nodes, child(path, "nodeAffinity"), options);
  for (const name of ["podAffinity", "podAntiAffinity"]) {
    const pods = objectAt(affinity, name);
    if (pods !== undefined) addPodAffinity(errors, pods, child(path, name), options);
  }
}

function addNodeAffinity(
  errors: Findings,
  affinity: JsonObject,
  path: string,
  options: PodValidationOptions,
): void {
  const selector = objectAt(affinity, required);
  if (selector !== undefined) {
    addNodeSelector(errors, selector, child(path, required), {
      allowsInvalidValues: options.allowsInvalidNodeLabelValues,
    });
  }
  addPreferredTerms(errors, listAt(affinity, preferred), child(path, preferred));
}

function addPodAffinity(
  errors: Findings,
  affinity: JsonObject,
  path: string,
  options: PodValidationOptions,
): void {
  const allowsInvalid = options.allowsInvalidSelectorValues;
  listAt(affinity, required).forEach((term, i) => {
    addTerm(errors, term, index(child(path, required), i), allowsInvalid);
  });
  listAt(affinity, preferred).forEach((weighted, i) => {
    const at = index(child(path, preferred), i);
    addWeight(errors, weighted, at);
    const term = objectAt(weighted, "podAffinityTerm") ?? {};
    addTerm(errors, term, child(at, "podAffinityTerm"), allowsInvalid);
  });
}

function addTerm(errors: Findings, term: JsonObject, path: string, allowsInvalid: boolean): void {
  addSelector(errors, term["labelSelector"], child(path, "labelSelector"), {
    allowsInvalidValues: allowsInvalid,
  });
  addSelector(errors, term["namespaceSelector"], child(path, "namespaceSelector"), {
    allowsInvalidValues: allowsInvalid,
  });
  for (const name of textsAt(term, "namespaces")) {
    addInvalid(errors, child(path, "namespace"), name, dnsLabelMessages(name));
  }
  addLabelKeys(errors, term, path);
  const topologyKey = textAt(term, "topologyKey");
  if (topologyKey === "") errors.push(fieldRequired(child(path, "topologyKey"), "can not be empty"));
  addQualifiedName(errors, topologyKey, child(path, "topologyKey"));
}

/**
 * Validates `matchLabelKeys` and `mismatchLabelKeys`: a key can be in one of the two lists, and not in the selector.
 */
export function addLabelKeys(errors: Findings, term: JsonObject, path: string): void {
  const selector = objectAt(term, "labelSelector");
  for (const list of ["matchLabelKeys", "mismatchLabelKeys"]) {
    const keys = textsAt(term, list);
    const field = child(path, list);
    if (keys.length > 0 && selector === undefined) {
      errors.push(fieldForbidden(field, "must not be specified when labelSelector is not set"));
    } else
      keys.forEach((key, i) => {
        addQualifiedName(errors, key, index(field, i));
      });
  }
  const matched = textsAt(term, "matchLabelKeys");
  if (selector !== undefined) addRepeatedKeys(errors, selector, matched, path);
  const mismatched = new Set(textsAt(term, "mismatchLabelKeys"));
  matched.forEach((key, i) => {
    if (!mismatched.has(key)) return;
    const detail = "exists in both matchLabelKeys and mismatchLabelKeys";
    errors.push(fieldInvalid(index(child(path, "matchLabelKeys"), i), key, detail));
  });
}

/** The pod strategy has added an expression for each key to the selector, so a second one was in the request. */
function addRepeatedKeys(
  errors: Findings,
  selector: JsonObject,
  matched: readonly string[],
  path: string,
): void {
  const seen = new Set(Object.keys(objectAt(selector, "matchLabels") ?? {}));
  const places = new Map(matched.map((key, i) => [key, i]));
  for (const expression of listAt(selector, "matchExpressions")) {
    const key = textAt(expression, "key");
    const at = places.get(key);
    if (at !== undefined && seen.has(key)) {
      errors.push(fieldInvalid(index(path, at), key, "exists in both matchLabelKeys and labelSelector"));
    }
    seen.add(key);
  }
}
