import { fieldNotSupported, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import { addForbiddenFields, type Findings } from "../../../apimachinery/validation/findings.ts";
import { containersWithPath } from "../edits/container-paths.ts";

/** The fields that Windows pods cannot have, by the object that holds them, in upstream's order. */
const podFields: readonly (readonly [section: string, field: string])[] = [
  ["securityContext", "appArmorProfile"],
  ["securityContext", "seLinuxOptions"],
  ["", "hostUsers"],
  ["", "hostPID"],
  ["", "hostIPC"],
  ["securityContext", "seccompProfile"],
  ["securityContext", "fsGroup"],
  ["securityContext", "fsGroupChangePolicy"],
  ["securityContext", "sysctls"],
  ["", "shareProcessNamespace"],
  ["securityContext", "runAsUser"],
  ["securityContext", "runAsGroup"],
  ["securityContext", "supplementalGroups"],
  ["securityContext", "supplementalGroupsPolicy"],
  ["securityContext", "seLinuxChangePolicy"],
];
const containerFields = [
  "appArmorProfile",
  "seLinuxOptions",
  "seccompProfile",
  "capabilities",
  "readOnlyRootFilesystem",
  "privileged",
  "allowPrivilegeEscalation",
  "procMount",
  "runAsUser",
  "runAsGroup",
];

/** Validates the operating system of a pod, and rejects the fields that it does not support. */
export function addOperatingSystem(errors: Findings, spec: JsonObject, path: string): void {
  const os = objectAt(spec, "os");
  if (os === undefined) return;
  const name = textAt(os, "name");
  if (name === "") errors.push(fieldRequired(child(path, "os", "name"), "cannot be empty"));
  else if (name === "linux") addLinux(errors, spec, path);
  else if (name === "windows") addWindows(errors, spec, path);
  else errors.push(fieldNotSupported(child(path, "os"), name, ["linux", "windows"]));
}

function addLinux(errors: Findings, spec: JsonObject, path: string): void {
  const detail = "windows options cannot be set for a linux pod";
  for (const { container, path: at } of [{ container: spec, path }, ...containersWithPath(spec, path)]) {
    const context = objectAt(container, "securityContext");
    addForbiddenFields(errors, context, ["windowsOptions"], detail, child(at, "securityContext"));
  }
}

function addWindows(errors: Findings, spec: JsonObject, path: string): void {
  const detail = "cannot be set for a windows pod";
  const context = objectAt(spec, "securityContext");
  if (context !== undefined) {
    for (const [section, field] of podFields) {
      if (section !== "") addForbiddenFields(errors, context, [field], detail, child(path, section));
      else addForbiddenFields(errors, spec, [field], detail, path);
    }
  }
  for (const { container, path: at } of containersWithPath(spec, path)) {
    const own = objectAt(container, "securityContext");
    addForbiddenFields(errors, own, containerFields, detail, child(at, "securityContext"));
  }
}
