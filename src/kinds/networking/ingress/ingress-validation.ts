import { fieldInvalid } from "../../../apimachinery/errors/field.ts";
import type { Wording } from "../../../apimachinery/errors/wording.ts";
import { listAt, objectAt, structAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { go } from "../../../apimachinery/go/go-value.ts";
import { parseIp } from "../../../apimachinery/ip.ts";
import type { JsonObject, JsonValue } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { addInvalid, collectErrors, type Findings } from "../../../apimachinery/validation/findings.ts";
import {
  dns1035LabelMessages,
  dnsLabelMessages,
  dnsSubdomainMessages,
  dnsSubdomainName,
  wildcardSubdomainMessages,
} from "../../../apimachinery/validation/names.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { addMetadataErrors } from "../../../registry/contract/metadata-errors.ts";
import { addressRules, balancerAddresses } from "../../addresses/address-rules.ts";
import { addBalancerHostnameErrors, addIpErrors } from "../../addresses/address-validation.ts";
import {
  addBackendErrors,
  addHttpRuleErrors,
  type BackendNames,
  type BackendRules,
} from "../ingress-backend/ingress-backend-validation.ts";

/** The deprecated annotation for the class of an Ingress. */
export const ingressClassAnnotation = "kubernetes.io/ingress.class";

const names: BackendNames = {
  defaultBackend: "defaultBackend",
  serviceName: "service.name",
  portName: "service.port.name",
  portNumber: "service.port.number",
};

const betaNames: BackendNames = {
  defaultBackend: "backend",
  serviceName: "serviceName",
  portName: "servicePort",
  portNumber: "servicePort",
};

/** The rules of a release and a version for Ingresses. */
export interface IngressRelease {
  /** Whether names of services may start with a digit. */
  readonly hasRelaxedNames: boolean;
  /** Whether annotation and field may both set the class if they agree. */
  readonly mayRepeatClass: boolean;
  /** Whether a backend without a resource is a service. */
  readonly assumesService: boolean;
  /** Whether paths have a type. */
  readonly hasPathTypes: boolean;
  /** Whether the request is in v1beta1, which has other field names and looser rules. */
  readonly isBeta: boolean;
}

/** The rules for an object, relaxed for what the old object already contains. */
interface ValidationRules extends BackendRules {
  readonly allowsInvalidSecretNames: boolean;
  readonly allowsInvalidWildcardRules: boolean;
}

/**
 * Adds the errors in a new Ingress in the form of v1.
 * Upstream: pkg/apis/networking/validation/validation.go, ValidateIngressCreate.
 */
export function addIngressErrors(errors: Findings, ingress: KubeObject, release: IngressRelease): void {
  const spec = structAt(ingress, "spec");
  addSpecErrors(errors, spec, validationRules(release, undefined));
  addClassErrors(errors, ingress, spec["ingressClassName"], release);
}

/**
 * Adds the errors of an update in the form of v1.
 * Upstream: pkg/apis/networking/validation/validation.go, ValidateIngressUpdate.
 */
export function addIngressUpdateErrors(
  errors: Findings,
  ingress: KubeObject,
  old: KubeObject,
  release: IngressRelease,
): void {
  addMetadataErrors(errors, ingress, { namespaced: true, validateName: dnsSubdomainName });
  addSpecErrors(errors, structAt(ingress, "spec"), validationRules(release, structAt(old, "spec")));
}

function validationRules(release: IngressRelease, before: JsonObject = {}): ValidationRules {
  const { assumesService, hasPathTypes, hasRelaxedNames, isBeta } = release;
  const isRelaxed = hasRelaxedNames || serviceNames(before).some(isRelaxedName);
  return {
    names: isBeta ? betaNames : names,
    assumesService,
    hasPathTypes,
    serviceNameMessages: isRelaxed ? dnsLabelMessages : dns1035LabelMessages,
    allowsInvalidSecretNames:
      isBeta || listAt(before, "tls").some((tls) => secretNameMessages(tls).length > 0),
    allowsInvalidWildcardRules: isBeta || listAt(before, "rules").some(hasInvalidWildcardRule),
  };
}

function addClassErrors(
  errors: Findings,
  ingress: KubeObject,
  className: JsonValue | undefined,
  { mayRepeatClass }: IngressRelease,
): void {
  const annotation = ingress.metadata.annotations?.[ingressClassAnnotation];
  if (annotation === undefined || typeof className !== "string") return;
  if (mayRepeatClass && annotation === className) return;
  const detail = mayRepeatClass
    ? "must match `ingressClassName` when both are specified"
    : "can not be set when the class field is also set";
  errors.push(fieldInvalid(`annotations.${ingressClassAnnotation}`, annotation, detail));
}

/** Adds the errors in the changed status of an Ingress. */
export function addIngressStatusErrors(
  errors: Findings,
  ingress: KubeObject,
  old: KubeObject,
  gates: FeatureGates,
): void {
  const rules = addressRules(gates, balancerAddresses(old));
  const points = listAt(structAt(ingress, "status"), "loadBalancer", "ingress");
  for (const [i, point] of points.entries()) {
    const field = `status.loadBalancer.ingress[${i}]`;
    const ip = textAt(point, "ip");
    if (ip !== "") addIpErrors(errors, ip, `${field}.ip`, rules);
    addBalancerHostnameErrors(errors, textAt(point, "hostname"), `${field}.hostname`);
  }
}

function addSpecErrors(errors: Findings, spec: JsonObject, rules: ValidationRules): void {
  const { defaultBackend } = rules.names;
  const ingressRules = listAt(spec, "rules");
  const backend = objectAt(spec, "defaultBackend");
  const className = spec["ingressClassName"];
  if (ingressRules.length === 0 && backend === undefined) {
    const detail = `either \`${defaultBackend}\` or \`rules\` must be specified`;
    errors.push(fieldInvalid("spec", go.nil("[]networking.IngressRule"), detail));
  }
  if (backend !== undefined) addBackendErrors(errors, backend, `spec.${defaultBackend}`, rules);
  for (const [i, rule] of ingressRules.entries()) addRuleErrors(errors, rule, `spec.rules[${i}]`, rules);
  for (const [i, tls] of listAt(spec, "tls").entries()) addTlsErrors(errors, tls, `spec.tls[${i}]`, rules);
  if (typeof className === "string") {
    addInvalidErrors(errors, className, dnsSubdomainMessages(className), "spec.ingressClassName");
  }
}

function addRuleErrors(errors: Findings, rule: JsonObject, field: string, rules: ValidationRules): void {
  const host = textAt(rule, "host");
  if (host !== "") addHostErrors(errors, host, `${field}.host`);
  if (host.includes("*") && rules.allowsInvalidWildcardRules) return;
  addHttpRuleErrors(errors, rule, field, rules);
}

function addHostErrors(errors: Findings, host: string, field: string): void {
  if (parseIp(host) !== undefined) {
    errors.push(fieldInvalid(field, host, "must be a DNS name, not an IP address"));
  }
  addInvalidErrors(errors, host, hostMessages(host), field);
}

function hostMessages(host: string): readonly Wording[] {
  return host.includes("*") ? wildcardSubdomainMessages(host) : dnsSubdomainMessages(host);
}

function addTlsErrors(errors: Findings, tls: JsonObject, field: string, rules: ValidationRules): void {
  for (const [i, host] of textsAt(tls, "hosts").entries()) {
    addInvalidErrors(errors, host, hostMessages(host), `${field}.hosts[${i}]`);
  }
  if (rules.allowsInvalidSecretNames) return;
  addInvalidErrors(errors, textAt(tls, "secretName"), secretNameMessages(tls), `${field}.secretName`);
}

function secretNameMessages(tls: JsonObject): readonly Wording[] {
  const name = textAt(tls, "secretName");
  return name === "" ? [] : dnsSubdomainMessages(name);
}

function hasInvalidWildcardRule(rule: JsonObject): boolean {
  return (
    textAt(rule, "host").includes("*") &&
    collectErrors((errors) =>
      addHttpRuleErrors(errors, rule, "", {
        names,
        assumesService: false,
        hasPathTypes: true,
        serviceNameMessages: dns1035LabelMessages,
      }),
    ).length > 0
  );
}

/** The names of the services in all backends. */
function serviceNames(spec: JsonObject): readonly string[] {
  const paths = listAt(spec, "rules").flatMap((rule) => listAt(rule, "http", "paths"));
  return [
    textAt(spec, "defaultBackend", "service", "name"),
    ...paths.map((path) => textAt(path, "backend", "service", "name")),
  ];
}

/** Whether a name is valid only with relaxed validation. */
function isRelaxedName(name: string): boolean {
  return dnsLabelMessages(name).length === 0 && dns1035LabelMessages(name).length > 0;
}

function addInvalidErrors(
  errors: Findings,
  value: string,
  messages: readonly Wording[],
  field: string,
): void {
  addInvalid(errors, field, value, messages);
}
