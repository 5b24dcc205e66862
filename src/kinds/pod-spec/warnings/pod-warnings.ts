import { integerAt, listAt, objectAt, stringsAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { goQuote } from "../../../apimachinery/go/go-quote.ts";
import { isJsonObject, type JsonObject } from "../../../apimachinery/json.ts";
import { sortedKeys } from "../../../apimachinery/text-order.ts";
import { child, index, key } from "../../../apimachinery/validation/field-path.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { rememberedByPart } from "../../../sharing/remembered-by-part.ts";
import { ipWarnings } from "../../addresses/address-warnings.ts";
import { appArmorPrefix } from "../edits/app-armor-annotations.ts";
import { containersWithPath, type PlacedContainer } from "../edits/container-paths.ts";
import { seccompAnnotation, seccompPrefix } from "../validation/annotations.ts";
import { fractionWarnings } from "./claim-spec-warnings.ts";
import { amountWarnings, envWarnings, portWarnings } from "./container-warnings.ts";
import { nodeLabelDeprecation, nodeTermWarnings } from "./node-label-warnings.ts";
import { overlapWarnings, volumeKindWarnings } from "./volume-warnings.ts";

const required = "requiredDuringSchedulingIgnoredDuringExecution";
const preferred = "preferredDuringSchedulingIgnoredDuringExecution";
const matchesNoPod = "a null labelSelector results in matching no pod";
const useSeccompField = 'non-functional in v1.27+; use the "seccompProfile" field instead';

/** The warning about the AppArmor annotation. */
export const useAppArmorField = 'deprecated since v1.30; use the "appArmorProfile" field instead';

const deprecatedAnnotations: readonly (readonly [name: string, advice: string])[] = [
  [
    "scheduler.alpha.kubernetes.io/critical-pod",
    'non-functional in v1.16+; use the "priorityClassName" field instead',
  ],
  ["security.alpha.kubernetes.io/sysctls", 'non-functional in v1.11+; use the "sysctls" field instead'],
  [
    "security.alpha.kubernetes.io/unsafe-sysctls",
    'non-functional in v1.11+; use the "sysctls" field instead',
  ],
];

/** The warnings about a new Pod. Upstream: pkg/api/pod/warnings.go, GetWarningsForPod. */
export function podWarnings(pod: JsonObject, gates: FeatureGates): readonly string[] {
  const { spec } = pod;
  const annotations = objectAt(pod, "metadata", "annotations");
  // Only frozen annotations are certain to be the same at the next call.
  const isFixed = annotations === undefined || Object.isFrozen(annotations);
  return isJsonObject(spec) && isFixed
    ? specWarnings(spec, { annotations, gates })
    : warningsOf(pod, "", gates);
}

/** What the warnings about a spec depend on, besides the spec. */
interface WarningInputs {
  readonly annotations: JsonObject | undefined;
  readonly gates: FeatureGates;
}

const specWarnings = rememberedByPart(
  (spec: JsonObject, { annotations, gates }: WarningInputs) => {
    const metadata = annotations === undefined ? {} : { annotations };
    return warningsOf({ metadata, spec }, "", gates);
  },
  (before, now) => before.annotations === now.annotations && before.gates === now.gates,
);

/**
 * The warnings about the template of a workload at `path`. Upstream: pkg/api/pod/warnings.go,
 * GetWarningsForPodTemplate.
 */
export function podTemplateWarnings(
  template: JsonObject,
  path: string,
  gates: FeatureGates,
): readonly string[] {
  return warningsOf(template, path, gates);
}

function warningsOf(pod: JsonObject, path: string, gates: FeatureGates): readonly string[] {
  const spec = objectAt(pod, "spec") ?? {};
  const at = child(path, "spec");
  const warnings: string[] = [];
  const add = (more: readonly string[]) => {
    for (const warning of more) warnings.push(warning);
  };
  add(nodeWarnings(spec, at));
  if (spec["topologySpreadConstraints"] !== undefined) add(spreadWarnings(spec, at));
  const isAnnotated = objectAt(pod, "metadata", "annotations") !== undefined;
  if (isAnnotated) add(annotationWarnings(pod, path));
  if (spec["volumes"] !== undefined) {
    const volumes = listAt(spec, "volumes");
    add(volumeKindWarnings(volumes, child(at, "volumes"), gates));
    add(overlapWarnings(volumes));
  }
  add(repetitionWarnings(spec, at));
  add(overheadWarnings(spec, at));
  if (isAnnotated) add(seccompOfPodWarnings(pod, path));
  const containers = containersWithPath(spec, at);
  for (const placed of containers) {
    if (isAnnotated) add(profileWarnings(placed, pod, path, gates));
    add(amountWarnings(placed));
    add(envWarnings(placed));
  }
  add(portWarnings(containers));
  add(graceWarnings(spec, at, gates));
  add(neighborWarnings(spec, child(at, "affinity")));
  add(addressWarnings(spec, at, gates));
  return warnings;
}

const none: readonly string[] = [];

function nodeWarnings(spec: JsonObject, path: string): readonly string[] {
  if (spec["nodeSelector"] === undefined && spec["affinity"] === undefined) return none;
  const warnings: string[] = [];
  for (const label of sortedKeys(stringsAt(spec, "nodeSelector"))) {
    const deprecation = nodeLabelDeprecation(label);
    if (deprecation === undefined) continue;
    warnings.push(`${key(child(path, "nodeSelector"), label)}: ${deprecation}`);
  }
  const affinity = objectAt(spec, "affinity", "nodeAffinity");
  if (affinity === undefined) return warnings;
  const at = child(path, "affinity", "nodeAffinity");
  const terms = child(at, required, "nodeSelectorTerms");
  listAt(affinity, required, "nodeSelectorTerms").forEach((term, i) => {
    warnings.push(...nodeTermWarnings(term, index(terms, i), "unchecked"));
  });
  listAt(affinity, preferred).forEach((weighted, i) => {
    const preference = objectAt(weighted, "preference") ?? {};
    const field = child(index(child(at, preferred), i), "preference");
    warnings.push(...nodeTermWarnings(preference, field, "checked"));
  });
  return warnings;
}

function spreadWarnings(spec: JsonObject, path: string): readonly string[] {
  const warnings: string[] = [];
  listAt(spec, "topologySpreadConstraints").forEach((constraint, i) => {
    const at = index(child(path, "topologySpreadConstraints"), i);
    const topologyKey = textAt(constraint, "topologyKey");
    const deprecation = nodeLabelDeprecation(topologyKey);
    if (deprecation !== undefined) {
      warnings.push(`${child(at, "topologyKey")}: ${topologyKey} is ${deprecation}`);
    }
    if (constraint["labelSelector"] === undefined) {
      warnings.push(`${child(at, "labelSelector")}: ${matchesNoPod}`);
    }
  });
  return warnings;
}

function annotationWarnings(pod: JsonObject, path: string): readonly string[] {
  const annotations = objectAt(pod, "metadata", "annotations");
  if (annotations === undefined) return none;
  return deprecatedAnnotations
    .filter(([name]) => annotations[name] !== undefined)
    .map(([name, advice]) => `${annotationField(name, path)}: ${advice}`);
}

function annotationField(name: string, path: string): string {
  return key(child(path, "metadata", "annotations"), name);
}

/** Warns about duplicate items. */
function repetitionWarnings(spec: JsonObject, path: string): readonly string[] {
  if (spec["imagePullSecrets"] === undefined && spec["hostAliases"] === undefined) return none;
  const secrets = listAt(spec, "imagePullSecrets");
  const unnamed = [...secrets.entries()].filter(([, secret]) => !textAt(secret, "name"));
  const nameField = (i: number) => child(index(child(path, "imagePullSecrets"), i), "name");
  return [
    ...repetitions(listAt(spec, "hostAliases"), "ip", child(path, "hostAliases")),
    ...repetitions(secrets, "name", child(path, "imagePullSecrets")),
    ...unnamed.map(([i]) => `${nameField(i)}: invalid empty name ""`),
  ];
}

function repetitions(items: readonly JsonObject[], field: string, path: string): readonly string[] {
  const warnings: string[] = [];
  const seen = new Set<string>();
  items.forEach((item, i) => {
    const value = textAt(item, field);
    if (seen.has(value)) {
      warnings.push(`${child(index(path, i), field)}: duplicate ${field} ${goQuote(value)}`);
    }
    seen.add(value);
  });
  return warnings;
}

function overheadWarnings(spec: JsonObject, path: string): readonly string[] {
  if (spec["overhead"] === undefined) return none;
  return ["memory", "ephemeral-storage"].flatMap((resource) =>
    fractionWarnings(textAt(spec, "overhead", resource), key(child(path, "overhead"), resource)),
  );
}

function seccompOfPodWarnings(pod: JsonObject, path: string): readonly string[] {
  if (objectAt(pod, "spec", "securityContext", "seccompProfile")) return [];
  if (stringsAt(pod, "metadata", "annotations")[seccompAnnotation] === undefined) return [];
  return [`${annotationField(seccompAnnotation, path)}: ${useSeccompField}`];
}

/**
 * Warns about annotations of container profiles without the field. In Pods, AppArmor annotations have been copied to
 * fields before.
 */
function profileWarnings(
  { container }: PlacedContainer,
  pod: JsonObject,
  path: string,
  gates: FeatureGates,
): readonly string[] {
  const annotations = stringsAt(pod, "metadata", "annotations");
  const name = textAt(container, "name");
  const warnings: string[] = [];
  const hasSeccomp = objectAt(container, "securityContext", "seccompProfile") !== undefined;
  if (!hasSeccomp && annotations[seccompPrefix + name] !== undefined) {
    warnings.push(`${annotationField(seccompPrefix + name, path)}: ${useSeccompField}`);
  }
  const hasAppArmor =
    objectAt(pod, "spec", "securityContext", "appArmorProfile") ??
    objectAt(container, "securityContext", "appArmorProfile");
  if (
    gates.isEnabled("AppArmorFields") &&
    path !== "" &&
    !hasAppArmor &&
    annotations[appArmorPrefix + name] !== undefined
  ) {
    warnings.push(`${annotationField(appArmorPrefix + name, path)}: ${useAppArmorField}`);
  }
  return warnings;
}

/** Earlier releases warn about the addresses of services only. */
function addressWarnings(spec: JsonObject, path: string, { since }: FeatureGates): readonly string[] {
  if (!since("1.33") || (spec["dnsConfig"] === undefined && spec["hostAliases"] === undefined)) return none;
  const config = objectAt(spec, "dnsConfig") ?? {};
  const nameservers = child(path, "dnsConfig", "nameservers");
  const aliases = child(path, "hostAliases");
  return [
    ...textsAt(config, "nameservers").flatMap((ip, i) => ipWarnings(ip, index(nameservers, i), since)),
    ...listAt(spec, "hostAliases").flatMap((alias, i) =>
      ipWarnings(textAt(alias, "ip"), child(index(aliases, i), "ip"), since),
    ),
  ];
}

function graceWarnings(spec: JsonObject, path: string, { since }: FeatureGates): readonly string[] {
  if (!since("1.27") || integerAt(spec, "terminationGracePeriodSeconds") >= 0) return [];
  const fate = "must be >= 0; negative values are invalid and will be treated as 1";
  return [`${child(path, "terminationGracePeriodSeconds")}: ${fate}`];
}

function neighborWarnings(spec: JsonObject, path: string): readonly string[] {
  if (spec["affinity"] === undefined) return none;
  return ["podAffinity", "podAntiAffinity"].flatMap((name) => {
    const affinity = objectAt(spec, "affinity", name);
    if (affinity === undefined) return [];
    const warnings: string[] = [];
    listAt(affinity, required).forEach((term, i) => {
      if (term["labelSelector"] !== undefined) return;
      warnings.push(`${child(index(child(path, name, required), i), "labelSelector")}: ${matchesNoPod}`);
    });
    listAt(affinity, preferred).forEach((weighted, i) => {
      if (objectAt(weighted, "podAffinityTerm")?.["labelSelector"] !== undefined) return;
      const field = child(index(child(path, name, preferred), i), "podAffinityTerm", "labelSelector");
      warnings.push(`${field}: ${matchesNoPod}`);
    });
    return warnings;
  });
}
