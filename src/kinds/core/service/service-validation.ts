import {
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import {
  listAt,
  numberAt,
  objectAt,
  sizeAt,
  structAt,
  textAt,
  textsAt,
  valueAt,
} from "../../../apimachinery/fields.ts";
import { isJsonObject, type JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { addAll, addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import { addLabelErrors } from "../../../apimachinery/validation/label-errors.ts";
import { dnsSubdomainMessages } from "../../../apimachinery/validation/names.ts";
import { qualifiedNameMessages } from "../../../apimachinery/validation/qualified-names.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { type AddressRules, addressRules } from "../../addresses/address-rules.ts";
import { addCidrErrors, addIpErrors, addNonSpecialIpErrors } from "../../addresses/address-validation.ts";
import { addServicePortErrors, shownPort } from "../../addresses/service-port-validation.ts";
import { addClusterIpErrors } from "./service-cluster-ip-validation.ts";
import { clusterIpsOf, headless, isHeadless, withPluralIps } from "./service-fields.ts";
import { addTrafficErrors } from "./service-traffic-validation.ts";

const types: readonly string[] = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
const affinities: readonly string[] = ["ClientIP", "None"];
const topologyHints = "service.kubernetes.io/topology-aware-hints";
const topologyMode = "service.kubernetes.io/topology-mode";
const sourceRangesAnnotation = "service.beta.kubernetes.io/load-balancer-source-ranges";
const onlyForBalancers = "may only be used when `type` is 'LoadBalancer'";
/** The port of kubelets, which load balancer services can use since 1.33. */
const kubeletPort = 10_250;
const maxAffinitySeconds = 86_400;

/** Validates a service, or an update of `old`. Upstream: pkg/apis/core/validation/validation.go, ValidateService. */
export function addServiceErrors(
  errors: Findings,
  service: KubeObject,
  gates: FeatureGates,
  old?: KubeObject,
): void {
  const spec = specOf(service, gates);
  const before = old === undefined ? {} : specOf(old, gates);
  addTopologyErrors(errors, service);
  addTypeErrors(errors, spec, gates);
  addServicePortErrors(errors, spec);
  addLabelErrors(errors, selectorOf(spec), "spec.selector");
  addAffinityErrors(errors, spec);
  addClusterIpErrors(errors, spec, addressRules(gates, clusterIpsOf(before)));
  addExternalIpErrors(errors, spec, addressRules(gates, textsAt(before, "externalIPs")));
  if (!types.includes(textAt(spec, "type"))) {
    errors.push(fieldNotSupported("spec.type", textAt(spec, "type"), types));
  }
  addNodePortErrors(errors, spec);
  addDuplicatePortErrors(errors, spec);
  addSourceRangeErrors(errors, service, addressRules(gates, old === undefined ? [] : sourceRangesOf(old)));
  addBalancerErrors(errors, spec);
  addLoadBalancerClassErrors(errors, spec);
  addTrafficErrors(errors, spec, gates);
}

/** The spec with `clusterIPs` and `ipFamilies`, which services have since 1.20. */
export function specOf(service: KubeObject, { since }: FeatureGates): JsonObject {
  const spec = structAt(service, "spec");
  return since("1.20") ? spec : withPluralIps(spec);
}

/** Validates `loadBalancerClass` except for changes. Upstream's update validation repeats this. */
export function addLoadBalancerClassErrors(errors: Findings, spec: JsonObject): void {
  const className = spec["loadBalancerClass"];
  if (typeof className !== "string") return;
  const field = "spec.loadBalancerClass";
  if (textAt(spec, "type") !== "LoadBalancer") errors.push(fieldForbidden(field, onlyForBalancers));
  else addInvalid(errors, field, className, qualifiedNameMessages(className));
}

function addTopologyErrors(errors: Findings, { metadata }: KubeObject): void {
  const hints = metadata.annotations?.[topologyHints];
  const mode = metadata.annotations?.[topologyMode];
  if (hints === undefined || mode === undefined || hints === mode) return;
  const detail = `must match annotations[${topologyHints}] when both are specified`;
  errors.push(fieldInvalid(`metadata.annotations[${topologyMode}]`, mode, detail));
}

function addTypeErrors(errors: Findings, spec: JsonObject, { since }: FeatureGates): void {
  const type = textAt(spec, "type");
  if (sizeAt(spec, "ports") === 0 && !isHeadless(spec) && type !== "ExternalName") {
    errors.push(fieldRequired("spec.ports"));
  }
  if (type === "LoadBalancer" && !since("1.33")) addKubeletPortErrors(errors, spec);
  if ((type === "LoadBalancer" || type === "NodePort") && isHeadless(spec)) {
    const detail = `may not be set to 'None' for ${type} services`;
    errors.push(fieldInvalid("spec.clusterIPs[0]", headless, detail));
  }
  if (type === "ExternalName") addExternalNameErrors(errors, spec);
}

/** Up to 1.32 (https://github.com/kubernetes/kubernetes/pull/129174). */
function addKubeletPortErrors(errors: Findings, spec: JsonObject): void {
  const detail = `may not expose port ${kubeletPort} externally since it is used by kubelet`;
  for (const [i, port] of listAt(spec, "ports").entries()) {
    if (numberAt(port, "port") === kubeletPort) {
      errors.push(fieldInvalid(`spec.ports[${i}]`, kubeletPort, detail));
    }
  }
}

function addExternalNameErrors(errors: Findings, spec: JsonObject): void {
  const set = [
    ...(clusterIpsOf(spec).length > 0 ? ["clusterIPs"] : []),
    ...(sizeAt(spec, "ipFamilies") > 0 ? ["ipFamilies"] : []),
    ...(valueAt(spec, "ipFamilyPolicy") === undefined ? [] : ["ipFamilyPolicy"]),
  ];
  for (const field of set) {
    errors.push(fieldForbidden(`spec.${field}`, "may not be set for ExternalName services"));
  }
  const name = textAt(spec, "externalName").replace(/\.$/, "");
  if (name === "") {
    errors.push(fieldRequired("spec.externalName"));
    return;
  }
  const messages = dnsSubdomainMessages(name);
  addInvalid(errors, "spec.externalName", name, messages);
}

function selectorOf(spec: JsonObject): { readonly [key: string]: string } {
  const selector = objectAt(spec, "selector") ?? {};
  return Object.fromEntries(Object.entries(selector).map(([key, value]) => [key, String(value)]));
}

function addAffinityErrors(errors: Findings, spec: JsonObject): void {
  const affinity = textAt(spec, "sessionAffinity");
  if (affinity === "None") return;
  if (affinity === "ClientIP") addTimeoutErrors(errors, spec);
  else errors.push(fieldNotSupported("spec.sessionAffinity", affinity, affinities));
}

function addTimeoutErrors(errors: Findings, spec: JsonObject): void {
  const seconds = numberAt(spec, "sessionAffinityConfig", "clientIP", "timeoutSeconds");
  const path = "spec.sessionAffinityConfig.clientIP.timeoutSeconds";
  if (seconds > 0 && seconds <= maxAffinitySeconds) return;
  errors.push(fieldInvalid(path, seconds, `must be greater than 0 and less than ${maxAffinitySeconds}`));
}

function addExternalIpErrors(errors: Findings, spec: JsonObject, rules: AddressRules): void {
  for (const [i, ip] of textsAt(spec, "externalIPs").entries()) {
    const field = `spec.externalIPs[${i}]`;
    const before = errors.length;
    addIpErrors(errors, ip, field, rules);
    if (errors.length === before) addNonSpecialIpErrors(errors, ip, field);
  }
}

function addNodePortErrors(errors: Findings, spec: JsonObject): void {
  const duplicates: Findings = [];
  const seen = new Set<string>();
  for (const [i, port] of listAt(spec, "ports").entries()) {
    const nodePort = numberAt(port, "nodePort");
    if (nodePort === 0) continue;
    const field = `spec.ports[${i}].nodePort`;
    if (textAt(spec, "type") === "ClusterIP") {
      errors.push(fieldForbidden(field, "may not be used when `type` is 'ClusterIP'"));
    }
    const key = `${textAt(port, "protocol")} ${nodePort}`;
    if (seen.has(key)) duplicates.push(fieldDuplicate(field, nodePort));
    seen.add(key);
  }
  addAll(errors, duplicates);
}

function addDuplicatePortErrors(errors: Findings, spec: JsonObject): void {
  const seen = new Set<string>();
  for (const [i, port] of listAt(spec, "ports").entries()) {
    const key = `${textAt(port, "protocol")} ${numberAt(port, "port")}`;
    if (seen.has(key)) {
      errors.push(fieldDuplicate(`spec.ports[${i}]`, shownPort(port)));
      continue;
    }
    seen.add(key);
  }
}

/** The ranges of a service, trimmed, or those of its annotation. */
function sourceRangesOf({ metadata, spec }: KubeObject): readonly string[] {
  const ranges = isJsonObject(spec) ? textsAt(spec, "loadBalancerSourceRanges") : [];
  const annotation = metadata.annotations?.[sourceRangesAnnotation] ?? "";
  return (ranges.length > 0 ? ranges : annotation.split(",")).map((range) => range.trim());
}

function addSourceRangeErrors(errors: Findings, service: KubeObject, rules: AddressRules): void {
  const { metadata, spec } = service;
  if (!isJsonObject(spec)) return;
  const isBalanced = textAt(spec, "type") === "LoadBalancer";
  const ranges = textsAt(spec, "loadBalancerSourceRanges");
  if (ranges.length > 0) {
    const field = "spec.LoadBalancerSourceRanges";
    if (!isBalanced) errors.push(fieldForbidden(field, onlyForBalancers));
    for (const [i, range] of ranges.entries()) addCidrErrors(errors, range.trim(), `${field}[${i}]`, rules);
    return;
  }
  const annotation = metadata.annotations?.[sourceRangesAnnotation];
  if (annotation === undefined) return;
  const field = `metadata.annotations[${sourceRangesAnnotation}]`;
  if (!isBalanced) errors.push(fieldForbidden(field, onlyForBalancers));
  const parts = annotation.trim() === "" ? [] : annotation.split(",");
  for (const range of parts) addCidrErrors(errors, range.trim(), field, rules);
}

function addBalancerErrors(errors: Findings, spec: JsonObject): void {
  const isSet = valueAt(spec, "allocateLoadBalancerNodePorts") !== undefined;
  if (!isSet || textAt(spec, "type") === "LoadBalancer") return;
  errors.push(fieldForbidden("spec.allocateLoadBalancerNodePorts", onlyForBalancers));
}
