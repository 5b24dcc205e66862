import {
  type FieldError,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { listAt, numberAt, objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { dnsSubdomainMessages, pathSegmentName } from "../../../apimachinery/validation/names.ts";
import { portNameMessages, portNumberMessages } from "../../../apimachinery/validation/value-formats.ts";

const pathTypes: readonly string[] = ["Exact", "ImplementationSpecific", "Prefix"];
const badSequences: readonly string[] = ["//", "/./", "/../", "%2f", "%2F"];
const badEnds: readonly string[] = ["/..", "/."];

/** What is wrong with the name of a service: gates and old objects decide how strict it is. */
export type ServiceNameMessages = (name: string) => readonly string[];

/** How a version calls the parts of a backend. */
export interface BackendNames {
  readonly defaultBackend: string;
  readonly serviceName: string;
  readonly portName: string;
  readonly portNumber: string;
}

/** What backends are held to. */
export interface BackendRules {
  readonly names: BackendNames;
  /** Whether what is no resource is a service, even if nothing is said of it: so it was before 1.19. */
  readonly assumesService: boolean;
  readonly serviceNameMessages: ServiceNameMessages;
}

/** What is wrong with where a rule leads, by path. */
export function httpRuleErrors(rule: JsonObject, field: string, rules: BackendRules): readonly FieldError[] {
  const http = objectAt(rule, "http");
  if (http === undefined) return [];
  const paths = listAt(http, "paths");
  if (paths.length === 0) return [fieldRequired(`${field}.http.paths`)];
  return paths.flatMap((path, i) => pathErrors(path, `${field}.http.paths[${i}]`, rules));
}

/** What is wrong with where traffic goes in the end. */
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

export function apiGroupErrors(reference: JsonObject, field: string): readonly FieldError[] {
  const group = reference["apiGroup"];
  if (typeof group !== "string") return [];
  return dnsSubdomainMessages(group).map((message) => fieldInvalid(field, group, message));
}

/** A kind or a name that has to be there, and to fit into a path. */
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

/** A port was a number or a name, of which one of them had to be right. */
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
