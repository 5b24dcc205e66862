import {
  fieldForbidden,
  fieldInvalid,
  fieldNotFound,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, textAt, valueAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { addUnlessIn, type Findings } from "../../../apimachinery/validation/findings.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { addDescendingPath, hasBackstep } from "./paths.ts";

/** The valid volumes of a pod by name. */
export type Volumes = ReadonlyMap<string, JsonObject>;

const propagations = ["Bidirectional", "HostToContainer", "None"];
const recursions = ["Disabled", "Enabled", "IfPossible"];

/** Validates the volume mounts of a container. */
export function addVolumeMounts(
  errors: Findings,
  container: JsonObject,
  volumes: Volumes,
  path: string,
  { since }: FeatureGates,
): void {
  const mounts = listAt(container, "volumeMounts");
  if (mounts.length === 0) return;
  const devices = pathsByName(container, "volumeDevices", "devicePath");
  const taken = new Set<string>();
  mounts.forEach((mount, i) => {
    const at = index(path, i);
    const name = textAt(mount, "name");
    const mountPath = textAt(mount, "mountPath");
    const volume = volumes.get(name);
    if (name === "") errors.push(fieldRequired(child(at, "name")));
    if (volume === undefined) errors.push(fieldNotFound(child(at, "name"), name));
    if (mountPath === "") errors.push(fieldRequired(child(at, "mountPath")));
    if (taken.has(mountPath)) errors.push(fieldInvalid(child(at, "mountPath"), mountPath, "must be unique"));
    taken.add(mountPath);
    if (devices.has(name)) {
      errors.push(fieldInvalid(child(at, "name"), name, "must not already exist in volumeDevices"));
    }
    if (hasValue(devices, mountPath)) {
      const detail = "must not already exist as a path in volumeDevices";
      errors.push(fieldInvalid(child(at, "mountPath"), mountPath, detail));
    }
    if (volume?.["image"] && !since("1.33")) addImageSubPath(errors, mount, at);
    addSubPaths(errors, mount, at, path);
    addPropagation(errors, mount, container, child(path, "mountPropagation"));
    addRecursion(errors, mount, child(path, "recursiveReadOnly"));
  });
}

/** Earlier releases can mount an image only as a whole. */
function addImageSubPath(errors: Findings, mount: JsonObject, at: string): void {
  for (const field of ["subPath", "subPathExpr"]) {
    const part = textAt(mount, field);
    if (part !== "") errors.push(fieldInvalid(child(at, field), part, "not allowed in image volume sources"));
  }
}

/** Upstream's path lacks the index if a sub path contains `..`. */
function addSubPaths(errors: Findings, mount: JsonObject, at: string, path: string): void {
  const subPath = textAt(mount, "subPath");
  const subPathExpr = textAt(mount, "subPathExpr");
  if (subPath !== "") addDescendingPath(errors, subPath, child(path, "subPath"));
  if (subPathExpr === "") return;
  if (subPath !== "") {
    const detail = "subPathExpr and subPath are mutually exclusive";
    errors.push(fieldInvalid(child(at, "subPathExpr"), subPathExpr, detail));
  }
  addDescendingPath(errors, subPathExpr, child(path, "subPathExpr"));
}

function addPropagation(errors: Findings, mount: JsonObject, container: JsonObject, field: string): void {
  const { mountPropagation } = mount;
  addUnlessIn(errors, propagations, mountPropagation, field);
  const isPrivileged = valueAt(container, "securityContext", "privileged") === true;
  if (mountPropagation !== "Bidirectional" || isPrivileged) return;
  const detail = "Bidirectional mount propagation is available only to privileged containers";
  errors.push(fieldForbidden(field, detail));
}

function addRecursion(errors: Findings, mount: JsonObject, field: string): void {
  const { recursiveReadOnly, mountPropagation = "None" } = mount;
  addUnlessIn(errors, recursions, recursiveReadOnly, field);
  if (recursiveReadOnly !== "Enabled" && recursiveReadOnly !== "IfPossible") return;
  if (mount["readOnly"] !== true) {
    errors.push(fieldForbidden(field, "may only be specified when readOnly is true"));
  }
  if (mountPropagation !== "None") {
    const detail = "may only be specified when mountPropagation is None or not specified";
    errors.push(fieldForbidden(field, detail));
  }
}

/** Validates the block devices of a container. */
export function addVolumeDevices(
  errors: Findings,
  container: JsonObject,
  volumes: Volumes,
  path: string,
): void {
  const devices = listAt(container, "volumeDevices");
  if (devices.length === 0) return;
  const mounts = pathsByName(container, "volumeMounts", "mountPath");
  const names = new Set<string>();
  const paths = new Set<string>();
  devices.forEach((device, i) => {
    const at = index(path, i);
    addDeviceName(errors, textAt(device, "name"), volumes, child(at, "name"), names);
    addDevicePath(errors, textAt(device, "devicePath"), child(at, "devicePath"), paths);
    const name = textAt(device, "name");
    const devicePath = textAt(device, "devicePath");
    if (mounts.has(name)) {
      errors.push(fieldInvalid(child(at, "name"), name, "must not already exist in volumeMounts"));
    }
    if (hasValue(mounts, devicePath)) {
      const detail = "must not already exist as a path in volumeMounts";
      errors.push(fieldInvalid(child(at, "devicePath"), devicePath, detail));
    }
    if (name !== "") names.add(name);
  });
}

function addDeviceName(
  errors: Findings,
  name: string,
  volumes: Volumes,
  field: string,
  names: ReadonlySet<string>,
): void {
  const volume = volumes.get(name);
  if (name === "") errors.push(fieldRequired(field));
  if (names.has(name)) errors.push(fieldInvalid(field, name, "must be unique"));
  if (volume === undefined) errors.push(fieldNotFound(field, name));
  else if (!objectAt(volume, "persistentVolumeClaim") && !objectAt(volume, "ephemeral")) {
    const detail = "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode";
    errors.push(fieldInvalid(field, name, detail));
  }
}

function addDevicePath(errors: Findings, path: string, field: string, paths: Set<string>): void {
  if (path === "") errors.push(fieldRequired(field));
  if (paths.has(path)) errors.push(fieldInvalid(field, path, "must be unique"));
  if (hasBackstep(path)) errors.push(fieldInvalid(field, path, "can not contain backsteps ('..')"));
  else paths.add(path);
}

function pathsByName(container: JsonObject, list: string, path: string): ReadonlyMap<string, string> {
  return new Map(listAt(container, list).map((item) => [textAt(item, "name"), textAt(item, path)]));
}

function hasValue(paths: ReadonlyMap<string, string>, path: string): boolean {
  for (const taken of paths.values()) if (taken === path) return true;
  return false;
}
