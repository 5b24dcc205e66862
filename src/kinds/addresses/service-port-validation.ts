import { fieldDuplicate, fieldNotSupported, fieldRequired } from "../../apimachinery/errors/field.ts";
import { listAt, numberAt, textAt } from "../../apimachinery/fields.ts";
import type { TypedValue } from "../../apimachinery/go/go-value.ts";
import { plainValue } from "../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { addInvalid, type Findings } from "../../apimachinery/validation/findings.ts";
import { dnsLabelMessages } from "../../apimachinery/validation/names.ts";
import { qualifiedNameMessages } from "../../apimachinery/validation/qualified-names.ts";
import { portNameMessages, portNumberMessages } from "../../apimachinery/validation/value-formats.ts";

const portProtocols: readonly string[] = ["SCTP", "TCP", "UDP"];

/** Validates the ports of a service. */
export function addServicePortErrors(errors: Findings, spec: JsonObject): void {
  const ports = listAt(spec, "ports");
  const names = new Set<string>();
  for (const [i, port] of ports.entries()) {
    const field = `spec.ports[${i}]`;
    const name = textAt(port, "name");
    if (ports.length > 1) addPortNameErrors(errors, name, `${field}.name`);
    else addOptionalPortNameErrors(errors, name, `${field}.name`);
    if (name !== "" && names.has(name)) errors.push(fieldDuplicate(`${field}.name`, name));
    names.add(name);
    addPortNumberErrors(errors, numberAt(port, "port"), `${field}.port`);
    addProtocolErrors(errors, port, `${field}.protocol`);
    addTargetPortErrors(errors, port["targetPort"], `${field}.targetPort`);
    addAppProtocolErrors(errors, port, `${field}.appProtocol`);
  }
}

/** Validates the name of the only port, which can be empty. */
export function addOptionalPortNameErrors(errors: Findings, name: string, field: string): void {
  if (name !== "") addPortNameErrors(errors, name, field);
}

/** Validates the name of one of several ports. */
export function addPortNameErrors(errors: Findings, name: string, field: string): void {
  if (name === "") errors.push(fieldRequired(field));
  else addInvalid(errors, field, name, dnsLabelMessages(name));
}

export function addPortNumberErrors(errors: Findings, port: number, field: string): void {
  addInvalid(errors, field, port, portNumberMessages(port));
}

export function addProtocolErrors(errors: Findings, port: JsonObject, field: string): void {
  const protocol = textAt(port, "protocol");
  if (!portProtocols.includes(protocol)) errors.push(fieldNotSupported(field, protocol, portProtocols));
}

export function addAppProtocolErrors(errors: Findings, port: JsonObject, field: string): void {
  const protocol = port["appProtocol"];
  if (typeof protocol !== "string") return;
  addInvalid(errors, field, protocol, qualifiedNameMessages(protocol));
}

/** The parts of a port that must be unique, as upstream prints them. */
export function shownPort(port: JsonObject): TypedValue {
  return plainValue("core.ServicePort", { protocol: textAt(port, "protocol"), port: numberAt(port, "port") });
}

function addTargetPortErrors(errors: Findings, target: JsonObject[string] | undefined, field: string): void {
  if (typeof target === "string") addInvalid(errors, field, target, portNameMessages(target));
  else addPortNumberErrors(errors, typeof target === "number" ? target : 0, field);
}
