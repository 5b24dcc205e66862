import { type FieldError, fieldInvalid } from "../../../apimachinery/errors/field.ts";
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

/** What an Ingress is held to, whatever it was before. */
export interface IngressRelease {
  /** Whether services may begin with a digit. */
  readonly hasRelaxedNames: boolean;
  /** Whether the annotation of the class may stand beside the field if both say the same. */
  readonly mayRepeatClass: boolean;
  /** Whether backends are services if they are nothing else. */
  readonly assumesService: boolean;
  /** Whether the request is one of v1beta1, which has names of its own for fields, and minds less. */
  readonly isBeta: boolean;
}

/** What an old object had already, when rules were looser. */
interface Leniency extends BackendRules {
  readonly allowsInvalidSecretNames: boolean;
  readonly allowsInvalidWildcardRules: boolean;
}

/** What is wrong with a new Ingress, in the form of v1. */
export function ingressErrors(ingress: KubeObject, release: IngressRelease): readonly FieldError[] {
  const spec = structAt(ingress, "spec");
  return [
    ...specErrors(spec, leniency(release, undefined)),
    ...classErrors(ingress, spec["ingressClassName"], release),
  ];
}

/** What is wrong with a changed Ingress, in the form of v1. */
export function ingressUpdateErrors(
  ingress: KubeObject,
  old: KubeObject,
  release: IngressRelease,
): readonly FieldError[] {
  return [
    ...metadataErrors(ingress, { namespaced: true, validateName: dnsSubdomainName }),
    ...specErrors(structAt(ingress, "spec"), leniency(release, structAt(old, "spec"))),
  ];
}

function leniency(release: IngressRelease, before: JsonObject = {}): Leniency {
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

/** What is wrong with what a load balancer gave an Ingress. */
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

function specErrors(spec: JsonObject, leniency: Leniency): readonly FieldError[] {
  const { defaultBackend } = leniency.names;
  const rules = listAt(spec, "rules");
  const backend = objectAt(spec, "defaultBackend");
  const className = spec["ingressClassName"];
  const errors: FieldError[] = [];
  if (rules.length === 0 && backend === undefined) {
    const detail = `either \`${defaultBackend}\` or \`rules\` must be specified`;
    errors.push(fieldInvalid("spec", go.nil("[]networking.IngressRule"), detail));
  }
  if (backend !== undefined) {
    errors.push(...backendErrors(backend, `spec.${defaultBackend}`, leniency));
  }
  errors.push(...rules.flatMap((rule, i) => ruleErrors(rule, `spec.rules[${i}]`, leniency)));
  errors.push(...listAt(spec, "tls").flatMap((tls, i) => tlsErrors(tls, `spec.tls[${i}]`, leniency)));
  if (typeof className === "string") {
    errors.push(...invalids(className, dnsSubdomainMessages(className), "spec.ingressClassName"));
  }
  return errors;
}

function ruleErrors(rule: JsonObject, field: string, leniency: Leniency): readonly FieldError[] {
  const host = textAt(rule, "host");
  const errors = host === "" ? [] : hostErrors(host, `${field}.host`);
  if (host.includes("*") && leniency.allowsInvalidWildcardRules) return errors;
  return [...errors, ...httpRuleErrors(rule, field, leniency)];
}

function hostErrors(host: string, field: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (parseIp(host) !== undefined) {
    errors.push(fieldInvalid(field, host, "must be a DNS name, not an IP address"));
  }
  return [...errors, ...invalids(host, hostMessages(host), field)];
}

function hostMessages(host: string): readonly string[] {
  return host.includes("*") ? wildcardSubdomainMessages(host) : dnsSubdomainMessages(host);
}

function tlsErrors(tls: JsonObject, field: string, leniency: Leniency): readonly FieldError[] {
  const errors = textsAt(tls, "hosts").flatMap((host, i) =>
    invalids(host, hostMessages(host), `${field}.hosts[${i}]`),
  );
  if (leniency.allowsInvalidSecretNames) return errors;
  return [...errors, ...invalids(textAt(tls, "secretName"), secretNameMessages(tls), `${field}.secretName`)];
}

function secretNameMessages(tls: JsonObject): readonly string[] {
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

/** The services that an Ingress leads to. */
function serviceNames(spec: JsonObject): readonly string[] {
  const paths = listAt(spec, "rules").flatMap((rule) => listAt(rule, "http", "paths"));
  return [
    textAt(spec, "defaultBackend", "service", "name"),
    ...paths.map((path) => textAt(path, "backend", "service", "name")),
  ];
}

/** Whether a name is one only where names are relaxed. */
function isRelaxedName(name: string): boolean {
  return dnsLabelMessages(name).length === 0 && dns1035LabelMessages(name).length > 0;
}

function invalids(value: string, messages: readonly string[], field: string): readonly FieldError[] {
  return messages.map((message) => fieldInvalid(field, value, message));
}
