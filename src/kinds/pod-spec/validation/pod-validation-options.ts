import { listAt, objectAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { parseQuantity } from "../../../apimachinery/quantity.ts";
import { isValidLabelSelector } from "../../../apimachinery/selectors/label-selector-object.ts";
import { labelValueMessages } from "../../../apimachinery/validation/qualified-names.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { rememberedByPart } from "../../../sharing/remembered-by-part.ts";
import { type AddressRules, addressRules } from "../../addresses/address-rules.ts";
import { isHugePages } from "../../quantities/resource-names.ts";
import { isDivisible } from "../../quantities/resources.ts";
import { containersWithPath } from "../edits/container-paths.ts";
import { deletionCostProblem } from "./deletion-cost.ts";
import { hasManySearches } from "./dns-searches.ts";
import { refersToHugePages } from "./huge-page-refs.ts";
import { addNonReservedPath } from "./paths.ts";
import { sharedNamespace } from "./sysctls.ts";
import { isComparison } from "./toleration-operators.ts";

/**
 * The inputs of pod validation besides the pod. Some allow values that only existing objects can have. Upstream:
 * pkg/apis/core/validation/validation.go, PodValidationOptions.
 */
export interface PodValidationOptions {
  /** Whether it is a Pod instead of a template. */
  readonly isPod: boolean;
  /** The name of the Pod; empty in a template. */
  readonly podName: string;
  readonly gates: FeatureGates;
  readonly allowsInvalidDeletionCost: boolean;
  readonly allowsInvalidSelectorValues: boolean;
  readonly allowsInvalidNodeLabelValues: boolean;
  readonly allowsInvalidSpreadSelector: boolean;
  readonly allowsIndivisibleHugePages: boolean;
  readonly allowsNonLocalTokenPath: boolean;
  readonly allowsHostSysctls: boolean;
  readonly allowsRelaxedSearches: boolean;
  readonly allowsZeroSleep: boolean;
  /** Whether ports may have the protocol SCTP. */
  readonly allowsSctp: boolean;
  /** Whether `dnsConfig` may have as many search paths as since 1.22. */
  readonly allowsExpandedSearches: boolean;
  /** Whether the downward API may show amounts of huge pages. */
  readonly allowsHugePageRefs: boolean;
  /** Whether a pod with a user namespace may use the network of the host. */
  readonly allowsUserNamespaceOnHostNetwork: boolean;
  /** Whether tolerations may have the operators `Lt` and `Gt`. */
  readonly allowsComparisons: boolean;
  /** The rules for name servers and host aliases. */
  readonly addresses: AddressRules;
}

const none: JsonObject = {};

/** The options for a new template, or for one that replaces `old`. */
export function templateValidationOptions(gates: FeatureGates, old?: JsonObject): PodValidationOptions {
  return old === undefined ? optionsOfNew(gates) : optionsAfter(gates, old);
}

/** The options for a new Pod, or for one that replaces `old`. */
export function podValidationOptions(
  gates: FeatureGates,
  podName: string,
  old?: JsonObject,
): PodValidationOptions {
  return { ...templateValidationOptions(gates, old), isPod: true, podName };
}

/** Whether two options lead to the same errors for this spec. */
export function areSameOptions(a: PodValidationOptions, b: PodValidationOptions, spec: JsonObject): boolean {
  for (const option in a) {
    const name = option as keyof PodValidationOptions; // It has no other keys.
    if (a[name] !== b[name] && (name !== "podName" || usesPodNameInClaims(spec))) return false;
  }
  return true;
}

/** Whether the name of the pod is part of the name of a claim. */
function usesPodNameInClaims(spec: JsonObject): boolean {
  return (
    listAt(spec, "volumes").some((volume) => volume["ephemeral"] !== undefined) ||
    // Until 1.30.
    listAt(spec, "resourceClaims").some((claim) => claim["source"] !== undefined)
  );
}

const newOptions = new WeakMap<FeatureGates, PodValidationOptions>();

function optionsOfNew(gates: FeatureGates): PodValidationOptions {
  const known = newOptions.get(gates);
  if (known !== undefined) return known;
  const options = makeOptionsOfNew(gates);
  newOptions.set(gates, options);
  return options;
}

function makeOptionsOfNew(gates: FeatureGates): PodValidationOptions {
  return {
    isPod: false,
    podName: "",
    gates,
    allowsInvalidDeletionCost: !gates.isEnabled("PodDeletionCost"),
    allowsInvalidSelectorValues: false,
    allowsInvalidNodeLabelValues: false,
    allowsInvalidSpreadSelector: false,
    allowsIndivisibleHugePages: false,
    allowsNonLocalTokenPath: false,
    allowsHostSysctls: false,
    allowsRelaxedSearches: gates.isEnabled("RelaxedDNSSearchValidation"),
    allowsZeroSleep: gates.isEnabled("PodLifecycleSleepActionAllowZero"),
    allowsSctp: gates.isEnabled("SCTPSupport"),
    allowsExpandedSearches: gates.isEnabled("ExpandedDNSConfig"),
    allowsHugePageRefs: gates.isEnabled("DownwardAPIHugePages"),
    allowsUserNamespaceOnHostNetwork: gates.isEnabled("UserNamespacesHostNetworkSupport"),
    allowsComparisons: gates.isEnabled("TaintTolerationComparisonOperators"),
    addresses: addressRules(gates),
  };
}

function optionsAfter(gates: FeatureGates, old: JsonObject): PodValidationOptions {
  const ofSpec = optionsAfterSpec(objectAt(old, "spec") ?? none, gates);
  const allowsInvalidDeletionCost =
    ofSpec.allowsInvalidDeletionCost || deletionCostProblem(old) !== undefined;
  return { ...ofSpec, allowsInvalidDeletionCost };
}

/** A pod is often updated without a change of its spec. */
const optionsAfterSpec = rememberedByPart(
  optionsOfUpdate,
  (before: FeatureGates, now: FeatureGates) => before === now,
);

function optionsOfUpdate(spec: JsonObject, gates: FeatureGates): PodValidationOptions {
  const ofNew = optionsOfNew(gates);
  return {
    ...ofNew,
    allowsInvalidSelectorValues: affinityTerms(spec).some(hasInvalidValue),
    allowsInvalidNodeLabelValues: requiredNodeTerms(spec).some(hasInvalidNodeValue),
    allowsInvalidSpreadSelector: listAt(spec, "topologySpreadConstraints").some(
      ({ labelSelector }) => !isValidLabelSelector(labelSelector),
    ),
    allowsIndivisibleHugePages: amountsOf(spec).some(
      ([name, amount]) => isHugePages(name) && !isDivisible(name, parseQuantity(amount)),
    ),
    allowsNonLocalTokenPath: tokenPaths(spec).some((path) => !isLocal(path)),
    allowsHostSysctls: listAt(spec, "securityContext", "sysctls").some(
      (sysctl) => sharedNamespace(textAt(sysctl, "name"), spec) !== undefined,
    ),
    allowsRelaxedSearches:
      ofNew.allowsRelaxedSearches || searches(spec).some((search) => search === "." || search.includes("_")),
    allowsZeroSleep:
      ofNew.allowsZeroSleep ||
      containersWithPath(spec, "").some(({ container }) => sleepsForNothing(container)),
    allowsSctp: ofNew.allowsSctp || containersWithPath(spec, "").some(({ container }) => usesSctp(container)),
    allowsExpandedSearches: ofNew.allowsExpandedSearches || hasManySearches(spec),
    allowsHugePageRefs: ofNew.allowsHugePageRefs || refersToHugePages(spec),
    allowsUserNamespaceOnHostNetwork:
      ofNew.allowsUserNamespaceOnHostNetwork || (spec["hostUsers"] === false && spec["hostNetwork"] === true),
    allowsComparisons: ofNew.allowsComparisons || listAt(spec, "tolerations").some(isComparison),
    addresses: addressRules(gates, addressesOf(spec)),
  };
}

function addressesOf(spec: JsonObject): readonly string[] {
  return [
    ...textsAt(objectAt(spec, "dnsConfig") ?? none, "nameservers"),
    ...listAt(spec, "hostAliases").map((alias) => textAt(alias, "ip")),
  ];
}

function affinityTerms(spec: JsonObject): readonly JsonObject[] {
  return ["podAffinity", "podAntiAffinity"].flatMap((name) => {
    const affinity = objectAt(spec, "affinity", name) ?? none;
    const preferred = listAt(affinity, "preferredDuringSchedulingIgnoredDuringExecution");
    return [
      ...listAt(affinity, "requiredDuringSchedulingIgnoredDuringExecution"),
      ...preferred.map((weighted) => objectAt(weighted, "podAffinityTerm") ?? none),
    ];
  });
}

function hasInvalidValue(term: JsonObject): boolean {
  return listAt(term, "labelSelector", "matchExpressions").some(hasInvalidNodeValues);
}

function requiredNodeTerms(spec: JsonObject): readonly JsonObject[] {
  const required = "requiredDuringSchedulingIgnoredDuringExecution";
  return listAt(spec, "affinity", "nodeAffinity", required, "nodeSelectorTerms");
}

function hasInvalidNodeValue(term: JsonObject): boolean {
  return listAt(term, "matchExpressions").some(hasInvalidNodeValues);
}

function hasInvalidNodeValues(expression: JsonObject): boolean {
  return textsAt(expression, "values").some((value) => labelValueMessages(value).length > 0);
}

function amountsOf(spec: JsonObject): readonly (readonly [name: string, amount: string])[] {
  const lists = containersWithPath(spec, "").flatMap(({ container }) => [
    objectAt(container, "resources", "limits"),
    objectAt(container, "resources", "requests"),
  ]);
  return [...lists, objectAt(spec, "overhead")].flatMap((list) =>
    Object.entries(list ?? none).map(([name, amount]) => [name, String(amount)] as const),
  );
}

function tokenPaths(spec: JsonObject): readonly string[] {
  return listAt(spec, "volumes")
    .flatMap((volume) => listAt(volume, "projected", "sources"))
    .map((source) => textAt(source, "serviceAccountToken", "path"))
    .filter((path) => path !== "");
}

function isLocal(path: string): boolean {
  const errors: Parameters<typeof addNonReservedPath>[0] = [];
  addNonReservedPath(errors, path, "");
  return errors.length === 0;
}

function searches(spec: JsonObject): readonly string[] {
  const config = objectAt(spec, "dnsConfig");
  return config === undefined ? [] : textsAt(config, "searches");
}

function usesSctp(container: JsonObject): boolean {
  return listAt(container, "ports").some(({ protocol }) => protocol === "SCTP");
}

function sleepsForNothing(container: JsonObject): boolean {
  return ["postStart", "preStop"].some((hook) => {
    const sleep = objectAt(container, "lifecycle", hook, "sleep");
    return sleep !== undefined && !sleep["seconds"];
  });
}
