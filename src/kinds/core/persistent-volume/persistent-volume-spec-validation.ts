import {
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { objectAt, sizeAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { plainValue } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child, key } from "../../../apimachinery/validation/field-path.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import { dnsSubdomainMessages } from "../../../apimachinery/validation/names.ts";
import { addAccessModeErrors } from "../../pod-spec/validation/access-modes.ts";
import { addNodeSelector } from "../../pod-spec/validation/node-selector.ts";
import { amountsAt } from "../../quantities/amounts.ts";
import { volumeSources } from "./persistent-volume-sources.ts";

const reclaimPolicies = ["Delete", "Recycle", "Retain"];
const volumeModes = ["Block", "Filesystem"];
const inlineOnly = "may not be specified in the context of inline volumes";

/** The place of the spec: a PersistentVolume with this name, or inline in a VolumeAttachment. */
export interface VolumeContext {
  readonly name: string;
  readonly isInline: boolean;
  /** Whether it may have the access mode ReadWriteOncePod. */
  readonly allowsOncePod: boolean;
}

/**
 * Validates the spec of a volume. An inline spec has a CSI source and no life cycle of its own. Upstream:
 * pkg/apis/core/validation/validation.go, ValidatePersistentVolumeSpec.
 */
export function addVolumeSpecErrors(
  errors: Findings,
  spec: JsonObject,
  path: string,
  context: VolumeContext,
): void {
  const modes = textsAt(spec, "accessModes");
  const field = child(path, "accessModes");
  if (context.isInline) addInlineErrors(errors, spec, path);
  if (modes.length === 0) errors.push(fieldRequired(field));
  addAccessModeErrors(errors, modes, field, context.allowsOncePod);
  if (!context.isInline) addCapacityErrors(errors, spec, child(path, "capacity"));
  addReclaimPolicyErrors(errors, spec, path, context);
  addAffinityErrors(errors, spec, path, context);
  addSourceErrors(errors, spec, path, context);
  addRecycledRootErrors(errors, spec, path);
  addClassErrors(errors, spec, path, context);
  addModeErrors(errors, spec, path, context);
  if (!context.isInline) addAttributesClassErrors(errors, spec, path);
}

function addInlineErrors(errors: Findings, spec: JsonObject, path: string): void {
  if (spec["claimRef"] !== undefined) errors.push(fieldForbidden(child(path, "claimRef"), inlineOnly));
  if (sizeAt(spec, "capacity") > 0) errors.push(fieldForbidden(child(path, "capacity"), inlineOnly));
  if (spec["csi"] === undefined) {
    errors.push(fieldRequired(child(path, "csi"), "has to be specified in the context of inline volumes"));
  }
}

function addCapacityErrors(errors: Findings, spec: JsonObject, field: string): void {
  const capacity = objectAt(spec, "capacity") ?? {};
  const names = Object.keys(capacity);
  if (names.length === 0) errors.push(fieldRequired(field));
  if (names.length !== 1 || names[0] !== "storage") {
    errors.push(fieldNotSupported(field, plainValue("core.ResourceList", spec["capacity"]), ["storage"]));
  }
  for (const [name, amount] of amountsAt(spec, "capacity")) {
    const at = key(field, name);
    const whole = amount.scaledValue(0);
    if (whole < 0) errors.push(fieldInvalid(at, whole, "must be a valid resource quantity"));
    if (amount.sign <= 0) errors.push(fieldInvalid(at, amount.toString(), "must be greater than zero"));
  }
}

function addReclaimPolicyErrors(
  errors: Findings,
  spec: JsonObject,
  path: string,
  { isInline }: VolumeContext,
): void {
  const field = child(path, "persistentVolumeReclaimPolicy");
  const policy = textAt(spec, "persistentVolumeReclaimPolicy");
  if (policy === "") return;
  if (!isInline) {
    if (!reclaimPolicies.includes(policy)) errors.push(fieldNotSupported(field, policy, reclaimPolicies));
  } else if (policy !== "Retain") {
    errors.push(fieldForbidden(field, "may only be Retain in the context of inline volumes"));
  }
}

function addAffinityErrors(
  errors: Findings,
  spec: JsonObject,
  path: string,
  { isInline }: VolumeContext,
): void {
  const affinity = objectAt(spec, "nodeAffinity");
  if (affinity === undefined) return;
  const field = child(path, "nodeAffinity");
  if (isInline) {
    errors.push(fieldForbidden(field, inlineOnly));
    return;
  }
  const required = objectAt(affinity, "required");
  const at = child(field, "required");
  if (required === undefined) {
    errors.push(fieldRequired(at, "must specify required node constraints"));
    return;
  }
  addNodeSelector(errors, required, at, { allowsInvalidValues: false });
}

/** Only the first source is validated, and a flex volume even if it is one too many. */
function addSourceErrors(
  errors: Findings,
  spec: JsonObject,
  path: string,
  { name: volume, isInline }: VolumeContext,
): void {
  let count = 0;
  for (const { name, path: within = name, surplus = name, check } of volumeSources) {
    const source = objectAt(spec, name);
    if (source === undefined) continue;
    count += 1;
    if (count > 1 && name !== "flexVolume") {
      errors.push(fieldForbidden(child(path, surplus), "may not specify more than 1 volume type"));
      continue;
    }
    check(errors, source, child(path, within), volume);
    if (name === "local" && (isInline || spec["nodeAffinity"] === undefined)) {
      errors.push(fieldRequired(child(path, "nodeAffinity"), "Local volume requires node affinity"));
    }
  }
  if (count <= 0) errors.push(fieldRequired(path, "must specify a volume type"));
}

function addRecycledRootErrors(errors: Findings, spec: JsonObject, path: string): void {
  if (textAt(spec, "persistentVolumeReclaimPolicy") !== "Recycle") return;
  if (!isRoot(textAt(spec, "hostPath", "path"))) return;
  const detail = "may not be 'recycle' for a hostPath mount of '/'";
  errors.push(fieldForbidden(child(path, "persistentVolumeReclaimPolicy"), detail));
}

function isRoot(path: string): boolean {
  if (!path.startsWith("/")) return false;
  let depth = 0;
  for (const part of path.split("/")) {
    if (part === "..") depth = Math.max(0, depth - 1);
    else if (part !== "" && part !== ".") depth += 1;
  }
  return depth === 0;
}

function addClassErrors(errors: Findings, spec: JsonObject, path: string, { isInline }: VolumeContext): void {
  const name = textAt(spec, "storageClassName");
  if (name === "") return;
  const field = child(path, "storageClassName");
  if (isInline) errors.push(fieldForbidden(field, inlineOnly));
  else addInvalid(errors, field, name, dnsSubdomainMessages(name));
}

function addModeErrors(errors: Findings, spec: JsonObject, path: string, { isInline }: VolumeContext): void {
  const mode = spec["volumeMode"];
  if (typeof mode !== "string") return;
  const field = child(path, "volumeMode");
  if (!isInline) {
    if (!volumeModes.includes(mode)) errors.push(fieldNotSupported(field, mode, volumeModes));
    return;
  }
  if (mode === "Filesystem") return;
  const detail = "may not specify volumeMode other than Filesystem in the context of inline volumes";
  errors.push(fieldForbidden(field, detail));
}

function addAttributesClassErrors(errors: Findings, spec: JsonObject, path: string): void {
  const name = spec["volumeAttributesClassName"];
  if (typeof name !== "string") return;
  const field = child(path, "volumeAttributesClassName");
  if (name === "") errors.push(fieldRequired(field, "an empty string is disallowed"));
  else addInvalid(errors, field, name, dnsSubdomainMessages(name));
  if (spec["csi"] !== undefined) return;
  const detail = "has to be specified when using volumeAttributesClassName";
  errors.push(fieldRequired(child(path, "csi"), detail));
}
