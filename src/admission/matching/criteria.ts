import { notFound } from "../../apimachinery/errors/errors.ts";
import { listAt, objectAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { everyLabel, type LabelSelector } from "../../apimachinery/selectors/label-selector.ts";
import { labelSelectorFromObject } from "../../apimachinery/selectors/label-selector-object.ts";
import type { Labels } from "../../apimachinery/validation/label-requirement.ts";
import type { AdmissionAttributes } from "../contract/admission.ts";
import type { ObjectInterfaces, ObjectVersion } from "../contract/object-interfaces.ts";
import { type Rule, ruleOf } from "./rule.ts";

/** Which requests a webhook or a policy selects. */
export interface Criteria {
  readonly rules: readonly Rule[];
  /** Requests that one of these selects are not selected. Webhooks have none. */
  readonly excludedRules: readonly Rule[];
  readonly matchPolicy: "Exact" | "Equivalent";
  readonly namespaceSelector: LabelSelector;
  readonly objectSelector: LabelSelector;
}

/** What selection depends on besides the request. */
export interface SelectionContext {
  readonly lister: Lister;
  readonly objects: ObjectInterfaces;
}

/** The criteria of a webhook. */
export function webhookCriteria(hook: JsonObject): Criteria {
  return { ...commonCriteria(hook), rules: listAt(hook, "rules").map(ruleOf), excludedRules: [] };
}

/** The criteria of a policy, or of a binding. */
export function matchResourcesCriteria(matchResources: JsonObject): Criteria {
  return {
    ...commonCriteria(matchResources),
    rules: listAt(matchResources, "resourceRules").map(ruleOf),
    excludedRules: listAt(matchResources, "excludeResourceRules").map(ruleOf),
  };
}

function commonCriteria(
  source: JsonObject,
): Pick<Criteria, "matchPolicy" | "namespaceSelector" | "objectSelector"> {
  return {
    matchPolicy: textAt(source, "matchPolicy") === "Equivalent" ? "Equivalent" : "Exact",
    namespaceSelector: selectorOf(objectAt(source, "namespaceSelector")),
    objectSelector: selectorOf(objectAt(source, "objectSelector")),
  };
}

function selectorOf(selector: JsonObject | undefined): LabelSelector {
  return selector === undefined ? everyLabel : labelSelectorFromObject(selector);
}

/**
 * The version in which a webhook or a policy sees a request; undefined if it does not select the request. Upstream: apiserver,
 * plugin/webhook/generic/webhook.go, ShouldCallHook, and plugin/policy/matching/matching.go.
 * @throws {StatusError} notFound for a namespace whose labels would decide
 */
export function selectedVersion(
  criteria: Criteria,
  attributes: AdmissionAttributes,
  context: SelectionContext,
): ObjectVersion | undefined {
  if (!matchesObject(criteria.objectSelector, attributes)) return undefined;
  if (matchedVersion(criteria.excludedRules, criteria, attributes, context) !== undefined) return undefined;
  const version = matchedVersion(criteria.rules, criteria, attributes, context);
  if (version === undefined) return undefined;
  return matchesNamespace(criteria.namespaceSelector, attributes, context.lister) ? version : undefined;
}

/** The version that the first matching rule names: that of the request, or else an equivalent one. */
function matchedVersion(
  rules: readonly Rule[],
  { matchPolicy }: Criteria,
  attributes: AdmissionAttributes,
  { objects }: SelectionContext,
): ObjectVersion | undefined {
  if (rules.length === 0) return undefined;
  if (rules.some((rule) => rule(attributes, attributes.gvr))) return attributes;
  if (matchPolicy === "Exact") return undefined;
  const equivalents = objects.equivalentsOf(attributes);
  for (const rule of rules) {
    const found = equivalents.find(({ gvr }) => rule(attributes, gvr));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether the labels of the object match, before or after the change. The options of a connection have no labels. */
function matchesObject(
  selector: LabelSelector,
  { object, oldObject, operation }: AdmissionAttributes,
): boolean {
  if (selector.isEmpty) return true;
  if (operation === "CONNECT") return false;
  return [object, oldObject].some((one) => one !== undefined && selector.matches(labelsOf(one)));
}

/** Requests to cluster-scoped resources other than namespaces always match. */
function matchesNamespace(selector: LabelSelector, attributes: AdmissionAttributes, lister: Lister): boolean {
  const { namespace, gvr } = attributes;
  if (selector.isEmpty) return true;
  if (namespace === "" && gvr.resource !== "namespaces") return true;
  return selector.matches(namespaceLabels(attributes, lister));
}

const namespaces = { group: "", resource: "namespaces" };

/** A namespace that is written has the labels of the new object. */
function namespaceLabels(
  { gvr, subresource, operation, object, namespace }: AdmissionAttributes,
  lister: Lister,
): Labels {
  const isWritten = operation === "CREATE" || operation === "UPDATE";
  if (gvr.resource === "namespaces" && subresource === "" && isWritten && object !== undefined) {
    return labelsOf(object);
  }
  const stored = lister.get(namespaces, "", namespace);
  if (stored === undefined) throw notFound(namespaces, namespace);
  return labelsOf(stored);
}

function labelsOf({ metadata }: KubeObject): Labels {
  return metadata.labels ?? {};
}
