import { fieldForbidden, fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { integerAt, listAt, objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { addFieldRef, addResourceFieldRef } from "./field-refs.ts";
import { addNonReservedPath } from "./paths.ts";
import type { PodValidationOptions } from "./pod-validation-options.ts";
import { addFileMode } from "./volume-sources.ts";

const volumeFields = [
  "metadata.annotations",
  "metadata.labels",
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
];

/** Validates a volume with keys of a secret. */
export function addSecretVolume(errors: Findings, source: JsonObject, path: string): void {
  addKeyVolume(errors, source, path, "secretName");
}

/** Validates a volume with keys of a config map. */
export function addConfigMapVolume(errors: Findings, source: JsonObject, path: string): void {
  addKeyVolume(errors, source, path, "name");
}

function addKeyVolume(errors: Findings, source: JsonObject, path: string, name: string): void {
  if (!textAt(source, name)) errors.push(fieldRequired(child(path, name)));
  addFileMode(errors, source, "defaultMode", path);
  listAt(source, "items").forEach((item, i) => {
    addKeyToPath(errors, item, index(child(path, "items"), i));
  });
}

function addKeyToPath(errors: Findings, item: JsonObject, path: string): void {
  const at = textAt(item, "path");
  if (!textAt(item, "key")) errors.push(fieldRequired(child(path, "key")));
  if (at === "") errors.push(fieldRequired(child(path, "path")));
  addNonReservedPath(errors, at, child(path, "path"));
  addFileMode(errors, item, "mode", path);
}

/** Validates a downward API volume. Upstream's path for items is that of the volume. */
export function addDownwardVolume(
  errors: Findings,
  source: JsonObject,
  path: string,
  options: PodValidationOptions,
): void {
  addFileMode(errors, source, "defaultMode", path);
  for (const item of listAt(source, "items")) addDownwardFile(errors, item, path, options);
}

function addDownwardFile(
  errors: Findings,
  file: JsonObject,
  path: string,
  options: PodValidationOptions,
): void {
  const at = textAt(file, "path");
  if (at === "") errors.push(fieldRequired(child(path, "path")));
  addNonReservedPath(errors, at, child(path, "path"));
  const field = objectAt(file, "fieldRef");
  const resource = objectAt(file, "resourceFieldRef");
  if (field !== undefined) {
    addFieldRef(errors, field, volumeFields, child(path, "fieldRef"));
    if (resource !== undefined) {
      const detail = "fieldRef and resourceFieldRef can not be specified simultaneously";
      errors.push(fieldInvalid(path, "resource", detail));
    }
  } else if (resource !== undefined) {
    addResourceFieldRef(errors, resource, child(path, "resourceFieldRef"), "inVolume", options);
  } else {
    errors.push(fieldRequired(path, "one of fieldRef and resourceFieldRef is required"));
  }
  addFileMode(errors, file, "mode", path);
}

/** Validates a projected volume, whose sources must have distinct paths. */
export function addProjectedVolume(
  errors: Findings,
  volume: JsonObject,
  path: string,
  options: PodValidationOptions,
): void {
  addFileMode(errors, volume, "defaultMode", path);
  const taken = new Set<string>();
  listAt(volume, "sources").forEach((source, i) => {
    const sourcePath = index(child(path, "sources"), i);
    addProjectedKeys(errors, objectAt(source, "secret"), child(sourcePath, "secret"), path, taken);
    addProjectedKeys(errors, objectAt(source, "configMap"), child(sourcePath, "configMap"), path, taken);
    addProjectedFields(errors, source, sourcePath, path, taken, options);
    addToken(errors, objectAt(source, "serviceAccountToken"), sourcePath, path, options);
    if (Object.keys(source).length > 1) {
      errors.push(fieldForbidden(sourcePath, "may not specify more than 1 volume type per source"));
    }
  });
}

function addProjectedKeys(
  errors: Findings,
  source: JsonObject | undefined,
  path: string,
  volumePath: string,
  taken: Set<string>,
): void {
  if (source === undefined) return;
  const name = textAt(source, "name");
  if (name === "") errors.push(fieldRequired(child(path, "name")));
  listAt(source, "items").forEach((item, i) => {
    addKeyToPath(errors, item, index(child(path, "items"), i));
    takePath(errors, textAt(item, "path"), name, volumePath, taken);
  });
}

function addProjectedFields(
  errors: Findings,
  source: JsonObject,
  path: string,
  volumePath: string,
  taken: Set<string>,
  options: PodValidationOptions,
): void {
  for (const item of listAt(source, "downwardAPI", "items")) {
    addDownwardFile(errors, item, child(path, "downwardAPI"), options);
    const at = textAt(item, "path");
    takePath(errors, at, at, volumePath, taken);
  }
}

function takePath(
  errors: Findings,
  path: string,
  shown: string,
  volumePath: string,
  taken: Set<string>,
): void {
  if (path === "") return;
  if (taken.has(path)) errors.push(fieldInvalid(volumePath, shown, "conflicting duplicate paths"));
  taken.add(path);
}

const shortestToken = 10 * 60;
const maxTokenSeconds = 2 ** 32;

function addToken(
  errors: Findings,
  token: JsonObject | undefined,
  sourcePath: string,
  volumePath: string,
  options: PodValidationOptions,
): void {
  if (token === undefined) return;
  const seconds = integerAt(token, "expirationSeconds");
  const field = child(sourcePath, "serviceAccountToken", "expirationSeconds");
  if (seconds < shortestToken) {
    errors.push(fieldInvalid(field, seconds, "may not specify a duration less than 10 minutes"));
  }
  if (seconds > maxTokenSeconds) {
    errors.push(fieldInvalid(field, seconds, "may not specify a duration larger than 2^32 seconds"));
  }
  const path = textAt(token, "path");
  if (path === "") errors.push(fieldRequired(child(volumePath, "path")));
  else if (!options.allowsNonLocalTokenPath) addNonReservedPath(errors, path, child(volumePath, "path"));
}
