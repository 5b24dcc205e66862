import {
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { integerAt, listAt, objectAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { addSelector } from "../../../apimachinery/selectors/label-selector-object.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { addQualifiedName, addUnlessIn, type Findings } from "../../../apimachinery/validation/findings.ts";
import { addLabelKeys } from "./affinity.ts";
import type { PodValidationOptions } from "./pod-validation-options.ts";

const actions = ["DoNotSchedule", "ScheduleAnyway"];
const policies = ["Honor", "Ignore"];

/** Validates the topology spread constraints of a pod. */
export function addTopologySpread(
  errors: Findings,
  constraints: readonly JsonObject[],
  path: string,
  options: PodValidationOptions,
): void {
  const pairOf = (constraint: JsonObject): string =>
    JSON.stringify([textAt(constraint, "topologyKey"), textAt(constraint, "whenUnsatisfiable")]);
  const lastPlaces = new Map(constraints.map((constraint, i) => [pairOf(constraint), i]));
  constraints.forEach((constraint, i) => {
    const at = index(path, i);
    const maxSkew = integerAt(constraint, "maxSkew");
    const topologyKey = textAt(constraint, "topologyKey");
    const action = textAt(constraint, "whenUnsatisfiable");
    if (maxSkew <= 0) errors.push(fieldInvalid(child(at, "maxSkew"), maxSkew, "must be greater than zero"));
    if (topologyKey === "") errors.push(fieldRequired(child(at, "topologyKey"), "can not be empty"));
    addUnlessIn(errors, actions, action, child(at, "whenUnsatisfiable"));
    if (lastPlaces.get(pairOf(constraint)) !== i) {
      const pair = `{${topologyKey}, ${action}}`;
      errors.push(fieldDuplicate(child(at, "{topologyKey, whenUnsatisfiable}"), pair));
    }
    addMinDomains(errors, constraint, action, child(at, "minDomains"));
    const { nodeAffinityPolicy, nodeTaintsPolicy } = constraint;
    addUnlessIn(errors, policies, nodeAffinityPolicy, child(at, "nodeAffinityPolicy"));
    addUnlessIn(errors, policies, nodeTaintsPolicy, child(at, "nodeTaintsPolicy"));
    if (options.gates.isEnabled("MatchLabelKeysInPodTopologySpreadSelectorMerge")) {
      addLabelKeys(errors, constraint, at);
    } else addMatchLabelKeys(errors, constraint, child(at, "matchLabelKeys"));
    if (options.allowsInvalidSpreadSelector) return;
    addSelector(errors, constraint["labelSelector"], child(at, "labelSelector"), {
      allowsInvalidValues: false,
    });
  });
}

function addMinDomains(errors: Findings, constraint: JsonObject, action: string, field: string): void {
  if (constraint["minDomains"] === undefined) return;
  const minDomains = integerAt(constraint, "minDomains");
  if (minDomains <= 0) errors.push(fieldInvalid(field, minDomains, "must be greater than zero"));
  if (action === "DoNotSchedule") return;
  const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`;
  errors.push(fieldInvalid(field, minDomains, detail));
}

function addMatchLabelKeys(errors: Findings, constraint: JsonObject, path: string): void {
  const keys = textsAt(constraint, "matchLabelKeys");
  if (keys.length === 0) return;
  const selector = objectAt(constraint, "labelSelector");
  if (selector === undefined) {
    errors.push(fieldForbidden(path, "must not be specified when labelSelector is not set"));
  }
  const selected = new Set([
    ...Object.keys(objectAt(constraint, "labelSelector", "matchLabels") ?? {}),
    ...listAt(constraint, "labelSelector", "matchExpressions").map((item) => textAt(item, "key")),
  ]);
  keys.forEach((key, i) => {
    addQualifiedName(errors, key, index(path, i));
    if (!selected.has(key)) return;
    const detail = "exists in both matchLabelKeys and labelSelector";
    errors.push(fieldInvalid(index(path, i), key, detail));
  });
}
