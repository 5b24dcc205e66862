import { invalid } from "../../apimachinery/errors/errors.ts";
import { type FieldCause, formatFieldError } from "../../apimachinery/errors/field.ts";
import { listAt, objectAt, textAt } from "../../apimachinery/fields.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import type { GroupResource } from "../../apimachinery/group-version.ts";
import { type JsonObject, jsonEqual } from "../../apimachinery/json.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { type Release, releases, type Since } from "../../apimachinery/release.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import { rememberedByPart } from "../../sharing/remembered-by-part.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../contract/admission.ts";
import { isAbout, refused } from "../contract/attributes.ts";
import { annotate } from "../contract/notes.ts";
import { type ConfiguredPolicy, configuredPolicy } from "../pod-security/configured-policy.ts";
import {
  addLabelErrors,
  compareLevels,
  type LevelVersion,
  type Policy,
  policyToEvaluate,
} from "../pod-security/policy.ts";

const namespaces = { group: "", resource: "namespaces" };
const pods = { group: "", resource: "pods" };

/** The path of the pod template in the objects of a resource; undefined if they have none. */
export type PodTemplateOf = (gr: GroupResource) => readonly string[] | undefined;

/** What the plugin needs. */
interface PodSecurityEnvironment {
  readonly lister: Lister;
  readonly podTemplateOf: PodTemplateOf;
  readonly since: Since;
  readonly release: Release;
  readonly configured: ConfiguredPolicy;
  /** The policy in the labels of a namespace. */
  readonly policyIn: (labels: Labels) => Policy;
}

type Labels = { readonly [key: string]: string };

/** The subresources of pods that change what a pod runs. */
const evaluatedSubresources: ReadonlySet<string> = new Set(["", "ephemeralcontainers", "resize"]);

/**
 * Enforces the level of the namespace's labels on pods, and warns about pod templates that violate it. Upstream:
 * pod-security-admission, admission/admission.go.
 */
export function podSecurity(
  lister: Lister,
  podTemplateOf: PodTemplateOf,
  gates: FeatureGates,
  configuration: JsonObject = {},
): AdmissionPlugin {
  const { since } = gates;
  const release = releases.findLast((one) => since(one)) ?? releases[0];
  const configured = configuredPolicy(configuration);
  const policyIn = rememberedByPart((labels: Labels) => policyToEvaluate(labels, since, configured.defaults));
  const environment = { lister, podTemplateOf, since, release, configured, policyIn };
  return {
    name: "PodSecurity",
    handles: (operation) => operation === "CREATE" || operation === "UPDATE",
    validate: (attributes) => {
      const { object, gvr, subresource } = attributes;
      if (object === undefined) return;
      if (isAbout(attributes, "", "namespaces")) return checkNamespace(environment, attributes, object);
      if (gvr.group === "" && gvr.resource === "pods") {
        return evaluatedSubresources.has(subresource) ? checkPod(environment, attributes, object) : undefined;
      }
      const path = subresource === "" ? podTemplateOf(gvr) : undefined;
      const template = path && objectAt(object, ...path);
      return template && warnOfTemplate(environment, attributes, template);
    },
  };
}

function checkPod(
  environment: PodSecurityEnvironment,
  attributes: AdmissionAttributes,
  pod: KubeObject,
): Promise<void> | void {
  const policy = policyOf(environment, attributes, pod);
  if (policy === undefined || !isSignificant(pod, attributes.oldObject)) return;
  const { enforce, warn } = policy;
  if (isPrivileged(enforce)) return warnOf(environment, warn, pod, attributes);
  return enforceOn(environment, enforce, pod, attributes).then(() =>
    warnOf(environment, warn, pod, attributes),
  );
}

function isPrivileged({ level }: LevelVersion): boolean {
  return level === "privileged";
}

async function enforceOn(
  environment: PodSecurityEnvironment,
  wanted: LevelVersion,
  pod: JsonObject,
  attributes: AdmissionAttributes,
): Promise<void> {
  const found = await violationsOf(environment, wanted, pod);
  if (found.length > 0) throw refused(attributes, `violates ${describe(wanted)}: ${found.join(", ")}`);
}

/** Updates are checked again only if they change an image or the number of containers. */
function isSignificant(pod: KubeObject, old: KubeObject | undefined): boolean {
  if (old === undefined) return true;
  if (pod["spec"] === old["spec"]) return false;
  const images = (object: KubeObject, field: string) =>
    listAt(object, "spec", field).map((container) => textAt(container, "image"));
  const hasChanged = ["containers", "initContainers"].some(
    (field) => !jsonEqual(images(pod, field), images(old, field)),
  );
  const before = listAt(old, "spec", "ephemeralContainers");
  const isNew = (container: JsonObject) => {
    const same = before.find(({ name }) => name === container["name"]);
    return same === undefined || textAt(same, "image") !== textAt(container, "image");
  };
  return hasChanged || listAt(pod, "spec", "ephemeralContainers").some(isNew);
}

function warnOfTemplate(
  environment: PodSecurityEnvironment,
  attributes: AdmissionAttributes,
  template: JsonObject,
): Promise<void> | void {
  const policy = policyOf(environment, attributes, template);
  return policy && warnOf(environment, policy.warn, template, attributes);
}

/** The policy for a pod or a template; undefined if it is exempt, or if neither the namespace nor the defaults have one. */
function policyOf(
  { lister, configured, policyIn }: PodSecurityEnvironment,
  attributes: AdmissionAttributes,
  pod: JsonObject,
): Policy | undefined {
  const exemption = configured.exemptionOf(attributes, textAt(pod, "spec", "runtimeClassName"));
  if (exemption !== undefined) {
    annotate(attributes, "pod-security.kubernetes.io/exempt", exemption);
    return undefined;
  }
  const labels = lister.get(namespaces, "", attributes.namespace)?.metadata.labels;
  const hasDefaults = Object.keys(configured.defaults).length > 0;
  if (labels === undefined && !hasDefaults) return undefined;
  return policyIn(labels ?? {});
}

function warnOf(
  environment: PodSecurityEnvironment,
  wanted: LevelVersion,
  pod: JsonObject,
  attributes: AdmissionAttributes,
): Promise<void> | void {
  if (isPrivileged(wanted)) return;
  return violationsOf(environment, wanted, pod).then((found) => {
    if (found.length > 0) attributes.warn(`would violate ${describe(wanted)}: ${found.join(", ")}`);
  });
}

/** Few namespaces have a level, so the checks are loaded with the first that has one. */
async function violationsOf(
  { since, release }: PodSecurityEnvironment,
  wanted: LevelVersion,
  pod: JsonObject,
): Promise<readonly string[]> {
  const { violations } = await import("../pod-security/violations.ts");
  const annotations = objectAt(pod, "metadata", "annotations") ?? {};
  return violations(wanted, { annotations, spec: objectAt(pod, "spec") ?? {}, since }, release);
}

function describe({ level, version }: LevelVersion): string {
  return `PodSecurity ${goQuote(`${level}:${version}`)}`;
}

function checkNamespace(
  environment: PodSecurityEnvironment,
  attributes: AdmissionAttributes,
  namespace: KubeObject,
): Promise<void> | void {
  const { operation, oldObject, gvk } = attributes;
  const labels = namespace.metadata.labels ?? {};
  const oldLabels = oldObject?.metadata.labels ?? {};
  const errors: FieldCause[] = [];
  addLabelErrors(errors, labels);
  const oldErrors: FieldCause[] = [];
  addLabelErrors(oldErrors, oldLabels);
  const isUpdate = operation === "UPDATE";
  const isKnown = isUpdate && jsonEqual(texts(errors), texts(oldErrors));
  if (errors.length > 0 && !isKnown) throw invalid(gvk, namespace.metadata.name ?? "", errors);
  if (!isUpdate) return;
  const { configured, policyIn } = environment;
  const before = policyIn(oldLabels).enforce;
  const after = policyIn(labels).enforce;
  const isRelaxed = before.version === after.version && compareLevels(after.level, before.level) <= 0;
  const { name = "" } = namespace.metadata;
  if (configured.exemptionOf({ ...attributes, namespace: name }, "") === "namespace") return;
  if (!isRelaxed) return warnOfExistingPods(environment, attributes, namespace, after);
}

function texts(errors: readonly FieldCause[]): readonly string[] {
  return errors.map(formatFieldError);
}

/** Warns about existing pods that violate the new level; the plugin does not touch them. */
async function warnOfExistingPods(
  environment: PodSecurityEnvironment,
  attributes: AdmissionAttributes,
  namespace: KubeObject,
  enforced: LevelVersion,
): Promise<void> {
  const { name = "" } = namespace.metadata;
  const byReason = new Map<string, string[]>();
  for (const pod of environment.lister.list(pods, name)) {
    const found = await violationsOf(environment, enforced, pod);
    const reasons = found.map((text) => text.replace(/ \(.*$/s, ""));
    if (reasons.length === 0) continue;
    const reason = reasons.join(", ");
    byReason.set(reason, [...(byReason.get(reason) ?? []), pod.metadata.name ?? ""]);
  }
  if (byReason.size === 0) return;
  const level = goQuote(`${enforced.level}:${enforced.version}`);
  attributes.warn(
    `existing pods in namespace ${goQuote(name)} violate the new PodSecurity enforce level ${level}`,
  );
  for (const [reason, names] of byReason) attributes.warn(`${shownPods(names)}: ${reason}`);
}

function shownPods([first = "", ...others]: readonly string[]): string {
  if (others.length === 0) return first;
  return others.length === 1 ? `${first} (and 1 other pod)` : `${first} (and ${others.length} other pods)`;
}
