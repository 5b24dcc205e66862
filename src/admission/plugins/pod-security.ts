import { invalid } from "../../apimachinery/errors/errors.ts";
import type { FieldCause } from "../../apimachinery/errors/field.ts";
import { objectAt } from "../../apimachinery/fields.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import type { GroupResource } from "../../apimachinery/group-version.ts";
import { type JsonObject, jsonEqual } from "../../apimachinery/json.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../contract/admission.ts";
import { isAbout, refused } from "../contract/attributes.ts";
import type { PodSecurityInput } from "../pod-security/check.ts";
import { addLabelErrors, type LevelVersion, levelOf, violations } from "../pod-security/policy.ts";

const namespaces = { group: "", resource: "namespaces" };
const pods = { group: "", resource: "pods" };

/** The path of the pod template in the objects of a resource; undefined if they have none. */
export type PodTemplateOf = (gr: GroupResource) => readonly string[] | undefined;

/** Enforces the level of the namespace's labels on pods, and warns about pod templates that violate it. */
export function podSecurity(lister: Lister, podTemplateOf: PodTemplateOf): AdmissionPlugin {
  return {
    name: "PodSecurity",
    handles: (operation) => operation === "CREATE" || operation === "UPDATE",
    validate: (attributes) => {
      const { object } = attributes;
      if (object === undefined) return;
      if (isAbout(attributes, "", "namespaces")) checkNamespace(lister, attributes, object);
      else if (isAbout(attributes, "", "pods")) checkPod(lister, attributes, object);
      else if (attributes.subresource === "") {
        const path = podTemplateOf(attributes.gvr);
        const template = path && objectAt(object, ...path);
        if (template !== undefined) warnOfTemplate(lister, attributes, template);
      }
    },
  };
}

function checkPod(lister: Lister, attributes: AdmissionAttributes, pod: KubeObject): void {
  const labels = labelsOf(lister, attributes.namespace);
  if (labels === undefined || isInsignificant(pod, attributes.oldObject)) return;
  const input = inputOf(pod);
  const enforced = levelOf(labels, "enforce");
  const found = violations(enforced.level, input);
  if (found.length > 0) throw refused(attributes, `violates ${describe(enforced)}: ${found.join(", ")}`);
  warn(levelOf(labels, "warn"), input, attributes);
}

/** Updates without a change of the spec are not checked again. */
function isInsignificant(pod: KubeObject, old: KubeObject | undefined): boolean {
  return old !== undefined && jsonEqual(objectAt(pod, "spec") ?? {}, objectAt(old, "spec") ?? {});
}

function warnOfTemplate(lister: Lister, attributes: AdmissionAttributes, template: JsonObject): void {
  const labels = labelsOf(lister, attributes.namespace);
  if (labels !== undefined) warn(levelOf(labels, "warn"), inputOf(template), attributes);
}

function warn(wanted: LevelVersion, input: PodSecurityInput, attributes: AdmissionAttributes): void {
  const found = violations(wanted.level, input);
  if (found.length > 0) attributes.warn(`would violate ${describe(wanted)}: ${found.join(", ")}`);
}

function describe({ level, version }: LevelVersion): string {
  return `PodSecurity ${goQuote(`${level}:${version}`)}`;
}

function inputOf(pod: JsonObject): PodSecurityInput {
  return { annotations: objectAt(pod, "metadata", "annotations") ?? {}, spec: objectAt(pod, "spec") ?? {} };
}

function labelsOf(lister: Lister, namespace: string): { readonly [key: string]: string } | undefined {
  return lister.get(namespaces, "", namespace)?.metadata.labels;
}

function checkNamespace(lister: Lister, attributes: AdmissionAttributes, namespace: KubeObject): void {
  const labels = namespace.metadata.labels ?? {};
  const errors: FieldCause[] = [];
  addLabelErrors(errors, labels);
  if (errors.length > 0) throw invalid(attributes.gvk, namespace.metadata.name ?? "", errors);
  const before = levelOf(attributes.oldObject?.metadata.labels ?? {}, "enforce");
  const after = levelOf(labels, "enforce");
  const isSame = before.level === after.level && before.version === after.version;
  if (attributes.operation === "UPDATE" && !isSame) warnOfExistingPods(lister, attributes, namespace, after);
}

/** Warns about existing pods that violate the new level; the plugin does not touch them. */
function warnOfExistingPods(
  lister: Lister,
  attributes: AdmissionAttributes,
  namespace: KubeObject,
  enforced: LevelVersion,
): void {
  const { name = "" } = namespace.metadata;
  const byReason = new Map<string, string[]>();
  for (const pod of lister.list(pods, name)) {
    const reasons = violations(enforced.level, inputOf(pod)).map((text) => text.replace(/ \(.*$/s, ""));
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
