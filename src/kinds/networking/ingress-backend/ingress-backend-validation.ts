import { fieldInvalid, fieldNotSupported, fieldRequired } from "../../../apimachinery/errors/field.ts";
import type { Wording } from "../../../apimachinery/errors/wording.ts";
import { listAt, numberAt, objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
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
  /** Whether paths have a type, as since 1.18. */
  readonly hasPathTypes: boolean;
}

/** Adds the errors in the HTTP paths of a rule. */
export function addHttpRuleErrors(
  errors: Findings,
  rule: JsonObject,
  field: string,
  rules: BackendRules,
): void {
  const http = objectAt(rule, "http");
  if (http === undefined) return;
  const paths = listAt(http, "paths");
  if (paths.length === 0) errors.push(fieldRequired(`${field}.http.paths`));
  else {
    for (const [i, path] of paths.entries()) addPathErrors(errors, path, `${field}.http.paths[${i}]`, rules);
  }
}

/** Adds the errors in a backend. Upstream: pkg/apis/networking/validation/validation.go, validateIngressBackend. */
export function addBackendErrors(
  errors: Findings,
  backend: JsonObject,
  field: string,
  rules: BackendRules,
): void {
  const resource = objectAt(backend, "resource");
  const service = objectAt(backend, "service");
  if (resource !== undefined && service !== undefined) {
    errors.push(fieldInvalid(field, "", "cannot set both resource and service backends"));
  } else if (resource !== undefined) addTypedReferenceErrors(errors, resource, `${field}.resource`);
  else if (rules.assumesService) addAssumedServiceErrors(errors, service ?? {}, field, rules);
  else if (service !== undefined) addServiceBackendErrors(errors, service, field, rules);
  else errors.push(fieldInvalid(field, "", "resource or service backend is required"));
}

function addTypedReferenceErrors(errors: Findings, reference: JsonObject, field: string): void {
  addApiGroupErrors(errors, reference, `${field}.apiGroup`);
  addSegmentErrors(errors, textAt(reference, "kind"), `${field}.kind`, "kind is required");
  addSegmentErrors(errors, textAt(reference, "name"), `${field}.name`, "name is required");
}

/** Adds the errors in the API group of a typed reference. */
export function addApiGroupErrors(errors: Findings, reference: JsonObject, field: string): void {
  const group = reference["apiGroup"];
  if (typeof group !== "string") return;
  addInvalid(errors, field, group, dnsSubdomainMessages(group));
}

/** Adds the errors in a required kind or name, which must be a valid path segment. */
export function addSegmentErrors(errors: Findings, text: string, field: string, missing: string): void {
  if (text === "") errors.push(fieldRequired(field, missing));
  else addInvalid(errors, field, text, pathSegmentName(text, "name"));
}

function addPathErrors(errors: Findings, item: JsonObject, field: string, rules: BackendRules): void {
  const type = rules.hasPathTypes ? item["pathType"] : "ImplementationSpecific";
  const path = textAt(item, "path");
  if (typeof type !== "string") {
    errors.push(fieldRequired(`${field}.pathType`, "pathType must be specified"));
    return;
  }
  if (pathTypes.includes(type)) addInvalid(errors, `${field}.path`, path, pathMessages(path, type));
  else errors.push(fieldNotSupported(`${field}.pathType`, type, pathTypes));
  addBackendErrors(errors, objectAt(item, "backend") ?? {}, `${field}.backend`, rules);
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

function addServiceBackendErrors(
  errors: Findings,
  service: JsonObject,
  field: string,
  rules: BackendRules,
): void {
  addServiceNameErrors(errors, textAt(service, "name"), field, rules);
  addBackendPortErrors(errors, service, field, rules.names);
}

function addServiceNameErrors(
  errors: Findings,
  name: string,
  field: string,
  { names, serviceNameMessages }: BackendRules,
): void {
  const nameField = `${field}.${names.serviceName}`;
  if (name === "") errors.push(fieldRequired(nameField));
  else addInvalid(errors, nameField, name, serviceNameMessages(name));
}

/** Before 1.19, a backend was a service with a port by name or number. */
function addAssumedServiceErrors(
  errors: Findings,
  service: JsonObject,
  field: string,
  rules: BackendRules,
): void {
  addServiceNameErrors(errors, textAt(service, "name"), field, rules);
  if (textAt(service, "name") === "") return;
  const port = objectAt(service, "port")?.["name"] ?? numberAt(service, "port", "number");
  const messages = typeof port === "string" ? portNameMessages(port) : portNumberMessages(Number(port));
  addInvalid(errors, `${field}.${rules.names.portNumber}`, port, messages);
}

function addBackendPortErrors(
  errors: Findings,
  service: JsonObject,
  field: string,
  { portName, portNumber }: BackendNames,
): void {
  const name = textAt(service, "port", "name");
  const number = numberAt(service, "port", "number");
  if (name !== "" && number !== 0) {
    errors.push(fieldInvalid(field, "", "cannot set both port name & port number"));
  } else if (name !== "") addInvalid(errors, `${field}.${portName}`, name, portNameMessages(name));
  else if (number === 0) errors.push(fieldRequired(field, "port name or number is required"));
  else addInvalid(errors, `${field}.${portNumber}`, number, portNumberMessages(number));
}
