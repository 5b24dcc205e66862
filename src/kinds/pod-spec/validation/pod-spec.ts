import { fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { integerAt, listAt, objectAt, stringsAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import {
  addLabel,
  addSubdomain,
  addUnlessIn,
  type Findings,
} from "../../../apimachinery/validation/findings.ts";
import { inclusiveRange } from "../../../apimachinery/validation/format-messages.ts";
import { addLabelErrors } from "../../../apimachinery/validation/label-errors.ts";
import { addContainerResources } from "../../quantities/resources.ts";
import { addAffinity } from "./affinity.ts";
import type { ContainerRules } from "./container.ts";
import { addContainers, addEphemeralContainers, addInitContainers } from "./containers.ts";
import { addDnsConfig, addHostAliases } from "./dns.ts";
import { addOperatingSystem } from "./operating-system.ts";
import { addPodLevelResources } from "./pod-level-resources.ts";
import type { PodValidationOptions } from "./pod-validation-options.ts";
import { addHostNetworkPorts } from "./ports.ts";
import { addResourceClaims } from "./resource-claims.ts";
import { addReadinessGates, addSchedulingGates, addTolerations } from "./scheduling.ts";
import { addHostUsers, addPodSecurityContext } from "./security-context.ts";
import { addTopologySpread } from "./topology-spread.ts";
import { addVolumes } from "./volumes.ts";
import { addHostProcess } from "./windows-options.ts";

const restartPolicies = ["Always", "OnFailure", "Never"];
const dnsPolicies = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];
const preemptionPolicies = ["PreemptLowerPriority", "Never"];
const maxDeadline = 2 ** 31 - 1;

/**
 * Validates the defaulted spec of a Pod or a template. Upstream: pkg/apis/core/validation/validation.go,
 * ValidatePodSpec.
 */
export function addPodSpecErrors(
  errors: Findings,
  spec: JsonObject,
  path: string,
  options: PodValidationOptions,
): void {
  const rules = addParts(errors, spec, path, options);
  addPodLevelResources(errors, spec, child(path, "resources"), rules);
  addHostNetworkPorts(errors, spec, path, options);
  addUnlessIn(errors, restartPolicies, spec["restartPolicy"], child(path, "restartPolicy"));
  addUnlessIn(errors, dnsPolicies, spec["dnsPolicy"], child(path, "dnsPolicy"));
  addRareParts(errors, spec, path, options);
  addHostProcess(errors, spec, path);
  addHostUsers(errors, spec, path, options);
  addNames(errors, spec, path, options);
  addOverhead(errors, spec, path, rules);
  addOperatingSystem(errors, spec, path);
}

/** Validates what few pods have: an absent part costs no call. */
function addRareParts(errors: Findings, spec: JsonObject, path: string, options: PodValidationOptions): void {
  if (spec["nodeSelector"] !== undefined) {
    addLabelErrors(errors, stringsAt(spec, "nodeSelector"), child(path, "nodeSelector"));
  }
  addPodSecurityContext(errors, spec, child(path, "securityContext"), options);
  if (spec["affinity"] !== undefined) {
    addAffinity(errors, objectAt(spec, "affinity"), child(path, "affinity"), options);
  }
  if (spec["dnsConfig"] !== undefined || spec["dnsPolicy"] === "None") {
    addDnsConfig(errors, spec, child(path, "dnsConfig"), options);
  }
  if (spec["readinessGates"] !== undefined) {
    addReadinessGates(errors, spec, child(path, "readinessGates"));
  }
  if (spec["schedulingGates"] !== undefined) {
    addSchedulingGates(errors, spec, child(path, "schedulingGates"));
  }
  if (spec["topologySpreadConstraints"] === undefined) return;
  const constraints = listAt(spec, "topologySpreadConstraints");
  addTopologySpread(errors, constraints, child(path, "topologySpreadConstraints"), options);
}

/** Validates the containers, and the parts of the pod that they refer to. */
function addParts(
  errors: Findings,
  spec: JsonObject,
  path: string,
  options: PodValidationOptions,
): ContainerRules {
  const volumes = addVolumes(errors, listAt(spec, "volumes"), child(path, "volumes"), options);
  const claims = listAt(spec, "resourceClaims");
  addResourceClaims(errors, claims, child(path, "resourceClaims"), options);
  const hasGrace = spec["terminationGracePeriodSeconds"] !== undefined;
  const rules: ContainerRules = {
    volumes,
    claimNames: new Set(claims.map((claim) => textAt(claim, "name")).filter((name) => name !== "")),
    gracePeriod: hasGrace ? integerAt(spec, "terminationGracePeriodSeconds") : undefined,
    podRestartPolicy: textAt(spec, "restartPolicy"),
    // Upstream: KEP-4265. Before, procMount did not depend on the users.
    hostUsers: options.gates.since("1.30") && spec["hostUsers"] !== false,
    options,
  };
  addContainers(errors, spec, child(path, "containers"), rules);
  if (spec["initContainers"] !== undefined) {
    addInitContainers(errors, spec, child(path, "initContainers"), rules);
  }
  if (spec["ephemeralContainers"] !== undefined) {
    addEphemeralContainers(errors, spec, child(path, "ephemeralContainers"), rules);
  }
  return rules;
}

/** Validates fields that contain names, and the fields between them in upstream's order. */
function addNames(errors: Findings, spec: JsonObject, path: string, options: PodValidationOptions): void {
  for (const field of ["serviceAccountName", "nodeName"]) addName(errors, spec, field, path);
  addDeadline(errors, spec, child(path, "activeDeadlineSeconds"));
  for (const field of ["hostname", "subdomain"]) {
    const label = textAt(spec, field);
    if (label !== "") addLabel(errors, label, child(path, field));
  }
  addTolerations(errors, listAt(spec, "tolerations"), child(path, "tolerations"), options);
  addHostAliases(errors, spec, child(path, "hostAliases"), options);
  addName(errors, spec, "priorityClassName", path);
  const { runtimeClassName } = spec;
  if (typeof runtimeClassName === "string") {
    addSubdomain(errors, runtimeClassName, child(path, "runtimeClassName"));
  }
  if (spec["preemptionPolicy"] === undefined) return;
  addUnlessIn(errors, preemptionPolicies, spec["preemptionPolicy"], child(path, "preemptionPolicy"));
}

function addName(errors: Findings, spec: JsonObject, field: string, path: string): void {
  const name = textAt(spec, field);
  if (name !== "") addSubdomain(errors, name, child(path, field));
}

function addDeadline(errors: Findings, spec: JsonObject, field: string): void {
  if (spec["activeDeadlineSeconds"] === undefined) return;
  const seconds = integerAt(spec, "activeDeadlineSeconds");
  if (seconds >= 1 && seconds <= maxDeadline) return;
  errors.push(fieldInvalid(field, seconds, inclusiveRange(1, maxDeadline)));
}

/** Upstream validates the overhead as limits of a container. */
function addOverhead(errors: Findings, spec: JsonObject, path: string, rules: ContainerRules): void {
  const limits = objectAt(spec, "overhead");
  if (limits === undefined) return;
  const { allowsIndivisibleHugePages } = rules.options;
  const resourceRules = { claimNames: new Set<string>(), allowsIndivisibleHugePages };
  addContainerResources(errors, { limits }, child(path, "overhead"), resourceRules);
}
