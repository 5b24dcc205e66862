import {
  type FieldError,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import type { Wording } from "../../../apimachinery/errors/wording.ts";
import { listAt, numberAt, objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { dnsSubdomainMessages, pathSegmentName } from "../../../apimachinery/validation/names.ts";
import { portNameMessages, portNumberMessages } from "../../../apimachinery/validation/value-formats.ts";

const pathTypes: readonly string[] = ["Exact", "ImplementationSpecific", "Prefix"];
const badSequences: readonly string[] = ["//", "/./", "/../", "%2f", "%2F"];
const badEnds: readonly string[] = ["/..", "/."];

/** The problems with the name of a service. Feature gates and the old object decide how strict the check is. */
export type ServiceNameMessages = (name: string) => readonly Wording[];

/** The field names of a backend in a version. */
export interface BackendNames {
  readonly defaultBackend: string;
  readonly serviceName: string;
  readonly portName: string;
  readonly portNumber: string;
}

/** The rules for backends. */
export interface BackendRules {
  readonly names: BackendNames;
  /** Whether a backend without a resource is a service even if it names none, as before 1.19. */
  readonly assumesService: boolean;
  readonly serviceNameMessages: ServiceNameMessages;
}

/** The errors in the HTTP paths of a rule. */
export function httpRuleErrors(rule: JsonObject, field: string, rules: BackendRules): readonly FieldError[] {
  const http = objectAt(rule, "http");
  if (http === undefined) return [];
  const paths = listAt(http, "paths");
  if (paths.length === 0) return [fieldRequired(`${field}.http.paths`)];
  return paths.flatMap((path, i) => pathErrors(path, `${field}.http.paths[${i}]`, rules));
}

/** The errors in a backend. Upstream: pkg/apis/networking/validation/validation.go, validateIngressBackend. */
export function backendErrors(
  backend: JsonObject,
  field: string,
  rules: BackendRules,
): readonly FieldError[] {
  const resource = objectAt(backend, "resource");
  const service = objectAt(backend, "service");
  if (resource !== undefined && service !== undefined) {
    return [fieldInvalid(field, "", "cannot set both resource and service backends")];
  }
  if (resource !== undefined) return typedReferenceErrors(resource, `${field}.resource`);
  if (rules.assumesService) return assumedServiceErrors(service ?? {}, field, rules);
  if (service !== undefined) return serviceBackendErrors(service, field, rules);
  return [fieldInvalid(field, "", "resource or service backend is required")];
}

function typedReferenceErrors(reference: JsonObject, field: string): readonly FieldError[] {
  return [
    ...apiGroupErrors(reference, `${field}.apiGroup`),
    ...segmentErrors(textAt(reference, "kind"), `${field}.kind`, "kind is required"),
    ...segmentErrors(textAt(reference, "name"), `${field}.name`, "name is required"),
  ];
}

/** The errors in the API group of a typed reference. */
export function apiGroupErrors(reference: JsonObject, field: string): readonly FieldError[] {
  const group = reference["apiGroup"];
  if (typeof group !== "string") return [];
  return dnsSubdomainMessages(group).map((message) => fieldInvalid(field, group, message));
}

/** The errors in a required kind or name, which must be a valid path segment. */
export function segmentErrors(text: string, field: string, missing: string): readonly FieldError[] {
  if (text === "") return [fieldRequired(field, missing)];
  return pathSegmentName(text, false).map((message) => fieldInvalid(field, text, message));
}

function pathErrors(item: JsonObject, field: string, rules: BackendRules): readonly FieldError[] {
  const type = item["pathType"];
  const path = textAt(item, "path");
  if (typeof type !== "string") return [fieldRequired(`${field}.pathType`, "pathType must be specified")];
  const errors = pathTypes.includes(type)
    ? pathMessages(path, type).map((message) => fieldInvalid(`${field}.path`, path, message))
    : [fieldNotSupported(`${field}.pathType`, type, pathTypes)];
  return [...errors, ...backendErrors(objectAt(item, "backend") ?? {}, `${field}.backend`, rules)];
}

function pathMessages(path: string, type: string): readonly string[] {
  const relative = path.startsWith("/") ? [] : ["must be an absolute path"];
  if (type === "ImplementationSpecific") return path === "" ? [] : relative;
  return [
    ...relative,
    ...badSequences.filter((part) => path.includes(part)).map((part) => `must not contain '${part}'`),
    ...badEnds.filter((end) => path.endsWith(end)).map((end) => `cannot end with '${end}'`),
  ];
}

function serviceBackendErrors(
  service: JsonObject,
  field: string,
  rules: BackendRules,
): readonly FieldError[] {
  return [
    ...serviceNameErrors(textAt(service, "name"), field, rules),
    ...backendPortErrors(service, field, rules.names),
  ];
}

function serviceNameErrors(
  name: string,
  field: string,
  { names, serviceNameMessages }: BackendRules,
): readonly FieldError[] {
  const nameField = `${field}.${names.serviceName}`;
  if (name === "") return [fieldRequired(nameField)];
  return serviceNameMessages(name).map((message) => fieldInvalid(nameField, name, message));
}

/** Before 1.19, a backend was a service with a port by name or number. */
function assumedServiceErrors(
  service: JsonObject,
  field: string,
  rules: BackendRules,
): readonly FieldError[] {
  const errors = serviceNameErrors(textAt(service, "name"), field, rules);
  if (textAt(service, "name") === "") return errors;
  const port = objectAt(service, "port")?.["name"] ?? numberAt(service, "port", "number");
  const messages = typeof port === "string" ? portNameMessages(port) : portNumberMessages(Number(port));
  return [
    ...errors,
    ...messages.map((message) => fieldInvalid(`${field}.${rules.names.portNumber}`, port, message)),
  ];
}

function backendPortErrors(
  service: JsonObject,
  field: string,
  { portName, portNumber }: BackendNames,
): readonly FieldError[] {
  const name = textAt(service, "port", "name");
  const number = numberAt(service, "port", "number");
  if (name !== "" && number !== 0)
    return [fieldInvalid(field, "", "cannot set both port name & port number")];
  if (name !== "")
    return portNameMessages(name).map((message) => fieldInvalid(`${field}.${portName}`, name, message));
  if (number === 0) return [fieldRequired(field, "port name or number is required")];
  return portNumberMessages(number).map((message) => fieldInvalid(`${field}.${portNumber}`, number, message));
}
