import {
  type FieldError,
  fieldDuplicate,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../apimachinery/errors/field.ts";
import { listAt, numberAt, textAt } from "../../apimachinery/fields.ts";
import type { TypedValue } from "../../apimachinery/go/go-value.ts";
import { plainValue } from "../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { dnsLabelMessages } from "../../apimachinery/validation/names.ts";
import { qualifiedNameMessages } from "../../apimachinery/validation/qualified-names.ts";
import { portNameMessages, portNumberMessages } from "../../apimachinery/validation/value-formats.ts";

export const portProtocols: readonly string[] = ["SCTP", "TCP", "UDP"];

/** Validates the ports of a service. */
export function servicePortErrors(spec: JsonObject): readonly FieldError[] {
  const ports = listAt(spec, "ports");
  const names = new Set<string>();
  return ports.flatMap((port, i) => {
    const field = `spec.ports[${i}]`;
    const name = textAt(port, "name");
    const errors = (ports.length > 1 ? portNameErrors : optionalPortNameErrors)(name, `${field}.name`);
    if (name !== "" && names.has(name)) errors.push(fieldDuplicate(`${field}.name`, name));
    names.add(name);
    return [
      ...errors,
      ...portNumberErrors(numberAt(port, "port"), `${field}.port`),
      ...protocolErrors(port, `${field}.protocol`),
      ...targetPortErrors(port["targetPort"], `${field}.targetPort`),
      ...appProtocolErrors(port, `${field}.appProtocol`),
    ];
  });
}

/** Validates the name of the only port, which can be empty. */
export function optionalPortNameErrors(name: string, field: string): FieldError[] {
  return name === "" ? [] : portNameErrors(name, field);
}

/** Validates the name of one of several ports. */
export function portNameErrors(name: string, field: string): FieldError[] {
  if (name === "") return [fieldRequired(field)];
  return dnsLabelMessages(name).map((message) => fieldInvalid(field, name, message));
}

export function portNumberErrors(port: number, field: string): FieldError[] {
  return portNumberMessages(port).map((message) => fieldInvalid(field, port, message));
}

export function protocolErrors(port: JsonObject, field: string): readonly FieldError[] {
  const protocol = textAt(port, "protocol");
  return portProtocols.includes(protocol) ? [] : [fieldNotSupported(field, protocol, portProtocols)];
}

export function appProtocolErrors(port: JsonObject, field: string): readonly FieldError[] {
  const protocol = port["appProtocol"];
  if (typeof protocol !== "string") return [];
  return qualifiedNameMessages(protocol).map((message) => fieldInvalid(field, protocol, message));
}

/** The parts of a port that must be unique, as upstream prints them. */
export function shownPort(port: JsonObject): TypedValue {
  return plainValue("core.ServicePort", { protocol: textAt(port, "protocol"), port: numberAt(port, "port") });
}

function targetPortErrors(target: JsonObject[string] | undefined, field: string): readonly FieldError[] {
  if (typeof target === "string") {
    return portNameMessages(target).map((message) => fieldInvalid(field, target, message));
  }
  return portNumberErrors(typeof target === "number" ? target : 0, field);
}
