import { type FieldError, fieldInvalid } from "../../../apimachinery/errors/field.ts";
import type { Wording } from "../../../apimachinery/errors/wording.ts";
import { listAt, objectAt, structAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { go } from "../../../apimachinery/go/go-value.ts";
import { parseIp } from "../../../apimachinery/ip.ts";
import type { JsonObject, JsonValue } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import {
  dns1035LabelMessages,
  dnsLabelMessages,
  dnsSubdomainMessages,
  dnsSubdomainName,
  wildcardSubdomainMessages,
} from "../../../apimachinery/validation/names.ts";
import { metadataErrors } from "../../../registry/contract/metadata-errors.ts";
import { balancerHostnameErrors, ipErrors } from "../../addresses/address-validation.ts";
import {
  type BackendNames,
  type BackendRules,
  backendErrors,
  httpRuleErrors,
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
  /** Whether the request is in v1beta1, which has other field names and looser rules. */
  readonly isBeta: boolean;
}

/** The rules for an object, relaxed for what the old object already contains. */
interface ValidationRules extends BackendRules {
  readonly allowsInvalidSecretNames: boolean;
  readonly allowsInvalidWildcardRules: boolean;
}

/**
 * The errors in a new Ingress in the form of v1.
 * Upstream: pkg/apis/networking/validation/validation.go, ValidateIngressCreate.
 */
export function ingressErrors(ingress: KubeObject, release: IngressRelease): readonly FieldError[] {
  const spec = structAt(ingress, "spec");
  return [
    ...specErrors(spec, validationRules(release, undefined)),
    ...classErrors(ingress, spec["ingressClassName"], release),
  ];
}

/**
 * The errors of an update in the form of v1.
 * Upstream: pkg/apis/networking/validation/validation.go, ValidateIngressUpdate.
 */
export function ingressUpdateErrors(
  ingress: KubeObject,
  old: KubeObject,
  release: IngressRelease,
): readonly FieldError[] {
  return [
    ...metadataErrors(ingress, { namespaced: true, validateName: dnsSubdomainName }),
    ...specErrors(structAt(ingress, "spec"), validationRules(release, structAt(old, "spec"))),
  ];
}

function validationRules(release: IngressRelease, before: JsonObject = {}): ValidationRules {
  const { assumesService, hasRelaxedNames, isBeta } = release;
  const isRelaxed = hasRelaxedNames || serviceNames(before).some(isRelaxedName);
  return {
    names: isBeta ? betaNames : names,
    assumesService,
    serviceNameMessages: isRelaxed ? dnsLabelMessages : dns1035LabelMessages,
    allowsInvalidSecretNames:
      isBeta || listAt(before, "tls").some((tls) => secretNameMessages(tls).length > 0),
    allowsInvalidWildcardRules: isBeta || listAt(before, "rules").some(hasInvalidWildcardRule),
  };
}

function classErrors(
  ingress: KubeObject,
  className: JsonValue | undefined,
  { mayRepeatClass }: IngressRelease,
): readonly FieldError[] {
  const annotation = ingress.metadata.annotations?.[ingressClassAnnotation];
  if (annotation === undefined || typeof className !== "string") return [];
  if (mayRepeatClass && annotation === className) return [];
  const detail = mayRepeatClass
    ? "must match `ingressClassName` when both are specified"
    : "can not be set when the class field is also set";
  return [fieldInvalid(`annotations.${ingressClassAnnotation}`, annotation, detail)];
}

/** The errors in the status of an Ingress. */
export function ingressStatusErrors(ingress: KubeObject): readonly FieldError[] {
  const points = listAt(structAt(ingress, "status"), "loadBalancer", "ingress");
  return points.flatMap((point, i) => {
    const field = `status.loadBalancer.ingress[${i}]`;
    const ip = textAt(point, "ip");
    return [
      ...(ip === "" ? [] : ipErrors(ip, `${field}.ip`)),
      ...balancerHostnameErrors(textAt(point, "hostname"), `${field}.hostname`),
    ];
  });
}

function specErrors(spec: JsonObject, rules: ValidationRules): readonly FieldError[] {
  const { defaultBackend } = rules.names;
  const ingressRules = listAt(spec, "rules");
  const backend = objectAt(spec, "defaultBackend");
  const className = spec["ingressClassName"];
  const errors: FieldError[] = [];
  if (ingressRules.length === 0 && backend === undefined) {
    const detail = `either \`${defaultBackend}\` or \`rules\` must be specified`;
    errors.push(fieldInvalid("spec", go.nil("[]networking.IngressRule"), detail));
  }
  if (backend !== undefined) {
    errors.push(...backendErrors(backend, `spec.${defaultBackend}`, rules));
  }
  errors.push(...ingressRules.flatMap((rule, i) => ruleErrors(rule, `spec.rules[${i}]`, rules)));
  errors.push(...listAt(spec, "tls").flatMap((tls, i) => tlsErrors(tls, `spec.tls[${i}]`, rules)));
  if (typeof className === "string") {
    errors.push(...invalidErrors(className, dnsSubdomainMessages(className), "spec.ingressClassName"));
  }
  return errors;
}

function ruleErrors(rule: JsonObject, field: string, rules: ValidationRules): readonly FieldError[] {
  const host = textAt(rule, "host");
  const errors = host === "" ? [] : hostErrors(host, `${field}.host`);
  if (host.includes("*") && rules.allowsInvalidWildcardRules) return errors;
  return [...errors, ...httpRuleErrors(rule, field, rules)];
}

function hostErrors(host: string, field: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (parseIp(host) !== undefined) {
    errors.push(fieldInvalid(field, host, "must be a DNS name, not an IP address"));
  }
  return [...errors, ...invalidErrors(host, hostMessages(host), field)];
}

function hostMessages(host: string): readonly Wording[] {
  return host.includes("*") ? wildcardSubdomainMessages(host) : dnsSubdomainMessages(host);
}

function tlsErrors(tls: JsonObject, field: string, rules: ValidationRules): readonly FieldError[] {
  const errors = textsAt(tls, "hosts").flatMap((host, i) =>
    invalidErrors(host, hostMessages(host), `${field}.hosts[${i}]`),
  );
  if (rules.allowsInvalidSecretNames) return errors;
  return [
    ...errors,
    ...invalidErrors(textAt(tls, "secretName"), secretNameMessages(tls), `${field}.secretName`),
  ];
}

function secretNameMessages(tls: JsonObject): readonly Wording[] {
  const name = textAt(tls, "secretName");
  return name === "" ? [] : dnsSubdomainMessages(name);
}

function hasInvalidWildcardRule(rule: JsonObject): boolean {
  return (
    textAt(rule, "host").includes("*") &&
    httpRuleErrors(rule, "", { names, assumesService: false, serviceNameMessages: dns1035LabelMessages })
      .length > 0
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

function invalidErrors(value: string, messages: readonly Wording[], field: string): readonly FieldError[] {
  return messages.map((message) => fieldInvalid(field, value, message));
}
