import {
  type FieldError,
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
import { labelErrors } from "../../../apimachinery/validation/label-errors.ts";
import { dnsSubdomainMessages } from "../../../apimachinery/validation/names.ts";
import { qualifiedNameMessages } from "../../../apimachinery/validation/qualified-names.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { cidrErrors, ipErrors, nonSpecialIpErrors } from "../../addresses/address-validation.ts";
import { servicePortErrors, shownPort } from "../../addresses/service-port-validation.ts";
import { clusterIpErrors } from "./service-cluster-ip-validation.ts";
import { clusterIpsOf, headless, isHeadless, withPluralIps } from "./service-fields.ts";
import { trafficErrors } from "./service-traffic-validation.ts";

const types: readonly string[] = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
const affinities: readonly string[] = ["ClientIP", "None"];
const topologyHints = "service.kubernetes.io/topology-aware-hints";
const topologyMode = "service.kubernetes.io/topology-mode";
const sourceRangesAnnotation = "service.beta.kubernetes.io/load-balancer-source-ranges";
const onlyForBalancers = "may only be used when `type` is 'LoadBalancer'";
/** The port of kubelets, which load balancer services can use since 1.33. */
const kubeletPort = 10_250;
const maxAffinitySeconds = 86_400;

/** Validates a service. Upstream: pkg/apis/core/validation/validation.go, ValidateService. */
export function serviceErrors(service: KubeObject, gates: FeatureGates): readonly FieldError[] {
  const spec = specOf(service, gates);
  return [
    ...topologyErrors(service),
    ...typeErrors(spec, gates),
    ...servicePortErrors(spec),
    ...labelErrors(selectorOf(spec), "spec.selector"),
    ...affinityErrors(spec),
    ...clusterIpErrors(spec),
    ...externalIpErrors(spec),
    ...(types.includes(textAt(spec, "type"))
      ? []
      : [fieldNotSupported("spec.type", textAt(spec, "type"), types)]),
    ...nodePortErrors(spec),
    ...duplicatePortErrors(spec),
    ...sourceRangeErrors(service),
    ...balancerErrors(spec),
    ...loadBalancerClassErrors(spec),
    ...trafficErrors(spec, gates),
  ];
}

/** The spec with `clusterIPs` and `ipFamilies`, which services have since 1.20. */
export function specOf(service: KubeObject, { since }: FeatureGates): JsonObject {
  const spec = structAt(service, "spec");
  return since("1.20") ? spec : withPluralIps(spec);
}

/** Validates `loadBalancerClass` except for changes. Upstream's update validation repeats this. */
export function loadBalancerClassErrors(spec: JsonObject): readonly FieldError[] {
  const className = spec["loadBalancerClass"];
  if (typeof className !== "string") return [];
  const field = "spec.loadBalancerClass";
  if (textAt(spec, "type") !== "LoadBalancer") return [fieldForbidden(field, onlyForBalancers)];
  return qualifiedNameMessages(className).map((message) => fieldInvalid(field, className, message));
}

function topologyErrors({ metadata }: KubeObject): readonly FieldError[] {
  const hints = metadata.annotations?.[topologyHints];
  const mode = metadata.annotations?.[topologyMode];
  if (hints === undefined || mode === undefined || hints === mode) return [];
  const detail = `must match annotations[${topologyHints}] when both are specified`;
  return [fieldInvalid(`metadata.annotations[${topologyMode}]`, mode, detail)];
}

function typeErrors(spec: JsonObject, { since }: FeatureGates): readonly FieldError[] {
  const type = textAt(spec, "type");
  const errors: FieldError[] = [];
  if (sizeAt(spec, "ports") === 0 && !isHeadless(spec) && type !== "ExternalName") {
    errors.push(fieldRequired("spec.ports"));
  }
  if (type === "LoadBalancer" && !since("1.33")) errors.push(...kubeletPortErrors(spec));
  if ((type === "LoadBalancer" || type === "NodePort") && isHeadless(spec)) {
    const detail = `may not be set to 'None' for ${type} services`;
    errors.push(fieldInvalid("spec.clusterIPs[0]", headless, detail));
  }
  return type === "ExternalName" ? [...errors, ...externalNameErrors(spec)] : errors;
}

function kubeletPortErrors(spec: JsonObject): readonly FieldError[] {
  const detail = `may not expose port ${kubeletPort} externally since it is used by kubelet`;
  return listAt(spec, "ports").flatMap((port, i) =>
    numberAt(port, "port") === kubeletPort ? [fieldInvalid(`spec.ports[${i}]`, kubeletPort, detail)] : [],
  );
}

function externalNameErrors(spec: JsonObject): readonly FieldError[] {
  const set = [
    ...(clusterIpsOf(spec).length > 0 ? ["clusterIPs"] : []),
    ...(sizeAt(spec, "ipFamilies") > 0 ? ["ipFamilies"] : []),
    ...(valueAt(spec, "ipFamilyPolicy") === undefined ? [] : ["ipFamilyPolicy"]),
  ];
  const errors = set.map((field) =>
    fieldForbidden(`spec.${field}`, "may not be set for ExternalName services"),
  );
  const name = textAt(spec, "externalName").replace(/\.$/, "");
  if (name === "") return [...errors, fieldRequired("spec.externalName")];
  const messages = dnsSubdomainMessages(name);
  return [...errors, ...messages.map((message) => fieldInvalid("spec.externalName", name, message))];
}

function selectorOf(spec: JsonObject): { readonly [key: string]: string } {
  const selector = objectAt(spec, "selector") ?? {};
  return Object.fromEntries(Object.entries(selector).map(([key, value]) => [key, String(value)]));
}

function affinityErrors(spec: JsonObject): readonly FieldError[] {
  const affinity = textAt(spec, "sessionAffinity");
  if (affinity === "None") return [];
  if (affinity === "ClientIP") return timeoutErrors(spec);
  return [fieldNotSupported("spec.sessionAffinity", affinity, affinities)];
}

function timeoutErrors(spec: JsonObject): readonly FieldError[] {
  const seconds = numberAt(spec, "sessionAffinityConfig", "clientIP", "timeoutSeconds");
  const path = "spec.sessionAffinityConfig.clientIP.timeoutSeconds";
  if (seconds > 0 && seconds <= maxAffinitySeconds) return [];
  return [fieldInvalid(path, seconds, `must be greater than 0 and less than ${maxAffinitySeconds}`)];
}

function externalIpErrors(spec: JsonObject): readonly FieldError[] {
  return textsAt(spec, "externalIPs").flatMap((ip, i) => {
    const field = `spec.externalIPs[${i}]`;
    const errors = ipErrors(ip, field);
    return errors.length > 0 ? errors : nonSpecialIpErrors(ip, field);
  });
}

function nodePortErrors(spec: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const duplicates: FieldError[] = [];
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
  return [...errors, ...duplicates];
}

function duplicatePortErrors(spec: JsonObject): readonly FieldError[] {
  const seen = new Set<string>();
  return listAt(spec, "ports").flatMap((port, i) => {
    const key = `${textAt(port, "protocol")} ${numberAt(port, "port")}`;
    if (seen.has(key)) return [fieldDuplicate(`spec.ports[${i}]`, shownPort(port))];
    seen.add(key);
    return [];
  });
}

function sourceRangeErrors({ metadata, spec }: KubeObject): readonly FieldError[] {
  if (!isJsonObject(spec)) return [];
  const isBalanced = textAt(spec, "type") === "LoadBalancer";
  const ranges = textsAt(spec, "loadBalancerSourceRanges");
  if (ranges.length > 0) {
    const field = "spec.LoadBalancerSourceRanges";
    const errors = isBalanced ? [] : [fieldForbidden(field, onlyForBalancers)];
    return [...errors, ...ranges.flatMap((range, i) => cidrErrors(range.trim(), `${field}[${i}]`))];
  }
  const annotation = metadata.annotations?.[sourceRangesAnnotation];
  if (annotation === undefined) return [];
  const field = `metadata.annotations[${sourceRangesAnnotation}]`;
  const errors = isBalanced ? [] : [fieldForbidden(field, onlyForBalancers)];
  const parts = annotation.trim() === "" ? [] : annotation.split(",");
  return [...errors, ...parts.flatMap((range) => cidrErrors(range.trim(), field))];
}

function balancerErrors(spec: JsonObject): readonly FieldError[] {
  const isSet = valueAt(spec, "allocateLoadBalancerNodePorts") !== undefined;
  if (!isSet || textAt(spec, "type") === "LoadBalancer") return [];
  return [fieldForbidden("spec.allocateLoadBalancerNodePorts", onlyForBalancers)];
}
