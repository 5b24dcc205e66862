import { fieldDuplicate, fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { listAt, numberAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { checkedOnce } from "../../../apimachinery/validation/checked-once.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { addInvalid, addUnlessIn, type Findings } from "../../../apimachinery/validation/findings.ts";
import { portNameMessages, portNumberMessages } from "../../../apimachinery/validation/value-formats.ts";
import type { PodValidationOptions } from "./pod-validation-options.ts";

const protocols = ["SCTP", "TCP", "UDP"];
/** Before 1.19, without the gate SCTPSupport. */
const oldProtocols = ["TCP", "UDP"];

/** Validates the ports of a container. */
export function addPorts(
  errors: Findings,
  container: JsonObject,
  path: string,
  options: Pick<PodValidationOptions, "allowsSctp">,
): void {
  addListedPorts(errors, listAt(container, "ports"), path, options);
}

const addListedPorts = checkedOnce(
  (errors, ports: readonly JsonObject[], path, { allowsSctp }: Pick<PodValidationOptions, "allowsSctp">) => {
    const names = new Set<string>();
    ports.forEach((port, i) => {
      const at = index(path, i);
      addPortName(errors, textAt(port, "name"), child(at, "name"), names);
      const number = numberAt(port, "containerPort");
      if (number === 0) errors.push(fieldRequired(child(at, "containerPort")));
      else addInvalid(errors, child(at, "containerPort"), number, portNumberMessages(number));
      const hostPort = numberAt(port, "hostPort");
      if (hostPort !== 0) addInvalid(errors, child(at, "hostPort"), hostPort, portNumberMessages(hostPort));
      addUnlessIn(errors, allowsSctp ? protocols : oldProtocols, port["protocol"], child(at, "protocol"));
    });
  },
  ({ allowsSctp }) => [allowsSctp],
);

function addPortName(errors: Findings, name: string, field: string, names: Set<string>): void {
  if (name === "") return;
  const messages = portNameMessages(name);
  addInvalid(errors, field, name, messages);
  if (messages.length > 0) return;
  if (names.has(name)) errors.push(fieldDuplicate(field, name));
  names.add(name);
}

/** Rejects host ports that several of these containers use. */
export function addHostPortConflicts(
  errors: Findings,
  containers: readonly JsonObject[],
  path: string,
): void {
  const taken = new Set<string>();
  containers.forEach((container, i) => {
    listAt(container, "ports").forEach((port, j) => {
      const hostPort = numberAt(port, "hostPort");
      if (hostPort === 0) return;
      const key = `${textAt(port, "protocol")}/${textAt(port, "hostIP")}/${hostPort}`;
      const field = child(index(child(index(path, i), "ports"), j), "hostPort");
      if (taken.has(key)) errors.push(fieldDuplicate(field, key));
      taken.add(key);
    });
  });
}

/**
 * On the host network, the host port must be the container port. Templates can leave it unset, because defaulting of
 * the Pod sets it.
 */
export function addHostNetworkPorts(
  errors: Findings,
  spec: JsonObject,
  path: string,
  { isPod }: { readonly isPod: boolean },
): void {
  if (spec["hostNetwork"] !== true) return;
  listAt(spec, "containers").forEach((container, i) => {
    listAt(container, "ports").forEach((port, j) => {
      const hostPort = numberAt(port, "hostPort");
      if (hostPort === numberAt(port, "containerPort") || (hostPort === 0 && !isPod)) return;
      const field = child(index(child(index(child(path, "containers"), i), "ports"), j), "hostPort");
      const detail = "must match `containerPort` when `hostNetwork` is true";
      errors.push(fieldInvalid(field, hostPort, detail));
    });
  });
}

/** Validates the port of a handler: a number or the name of a port. */
export function addNumberOrName(errors: Findings, object: JsonObject, name: string, path: string): void {
  const port = object[name];
  const field = child(path, name);
  if (typeof port === "string") addInvalid(errors, field, port, portNameMessages(port));
  else addInvalid(errors, field, port ?? 0, portNumberMessages(Number(port ?? 0)));
}
