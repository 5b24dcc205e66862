import {
  type FieldError,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { objectAt, sizeAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child, key } from "../../../apimachinery/validation/field-path.ts";
import { dnsSubdomainMessages } from "../../../apimachinery/validation/names.ts";
import { accessModeErrors } from "../../pod-spec/validation/access-modes.ts";
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
}

/**
 * Validates the spec of a volume. An inline spec has a CSI source and no life cycle of its own. Upstream:
 * pkg/apis/core/validation/validation.go, ValidatePersistentVolumeSpec.
 */
export function volumeSpecErrors(spec: JsonObject, path: string, context: VolumeContext): FieldError[] {
  const modes = textsAt(spec, "accessModes");
  const field = child(path, "accessModes");
  return [
    ...(context.isInline ? inlineErrors(spec, path) : []),
    ...(modes.length === 0 ? [fieldRequired(field)] : []),
    ...accessModeErrors(modes, field),
    ...(context.isInline ? [] : capacityErrors(spec, child(path, "capacity"))),
    ...reclaimPolicyErrors(spec, path, context),
    ...affinityErrors(spec, path, context),
    ...sourceErrors(spec, path, context),
    ...recycledRootErrors(spec, path),
    ...classErrors(spec, path, context),
    ...modeErrors(spec, path, context),
    ...attributesClassErrors(spec, path),
  ];
}

function inlineErrors(spec: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (spec["claimRef"] !== undefined) errors.push(fieldForbidden(child(path, "claimRef"), inlineOnly));
  if (sizeAt(spec, "capacity") > 0) errors.push(fieldForbidden(child(path, "capacity"), inlineOnly));
  if (spec["csi"] === undefined) {
    errors.push(fieldRequired(child(path, "csi"), "has to be specified in the context of inline volumes"));
  }
  return errors;
}

function capacityErrors(spec: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const capacity = objectAt(spec, "capacity") ?? {};
  const names = Object.keys(capacity);
  if (names.length === 0) errors.push(fieldRequired(field));
  if (names.length !== 1 || names[0] !== "storage") {
    errors.push(fieldNotSupported(field, typedValue("core.ResourceList", capacity), ["storage"]));
  }
  for (const [name, amount] of amountsAt(spec, "capacity")) {
    const at = key(field, name);
    const whole = amount.scaledValue(0);
    if (whole < 0) errors.push(fieldInvalid(at, whole, "must be a valid resource quantity"));
    if (amount.sign <= 0) errors.push(fieldInvalid(at, amount.toString(), "must be greater than zero"));
  }
  return errors;
}

function reclaimPolicyErrors(spec: JsonObject, path: string, { isInline }: VolumeContext): FieldError[] {
  const field = child(path, "persistentVolumeReclaimPolicy");
  const policy = textAt(spec, "persistentVolumeReclaimPolicy");
  if (policy === "") return [];
  if (!isInline)
    return reclaimPolicies.includes(policy) ? [] : [fieldNotSupported(field, policy, reclaimPolicies)];
  return policy === "Retain"
    ? []
    : [fieldForbidden(field, "may only be Retain in the context of inline volumes")];
}

function affinityErrors(spec: JsonObject, path: string, { isInline }: VolumeContext): FieldError[] {
  const affinity = objectAt(spec, "nodeAffinity");
  if (affinity === undefined) return [];
  const field = child(path, "nodeAffinity");
  if (isInline) return [fieldForbidden(field, inlineOnly)];
  const required = objectAt(affinity, "required");
  const at = child(field, "required");
  if (required === undefined) return [fieldRequired(at, "must specify required node constraints")];
  const errors: FieldError[] = [];
  addNodeSelector(errors, required, at, { allowsInvalidValues: false });
  return errors;
}

/** Only the first source is validated, and a flex volume even if it is one too many. */
function sourceErrors(
  spec: JsonObject,
  path: string,
  { name: volume, isInline }: VolumeContext,
): FieldError[] {
  const errors: FieldError[] = [];
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
  return count > 0 ? errors : [fieldRequired(path, "must specify a volume type")];
}

function recycledRootErrors(spec: JsonObject, path: string): FieldError[] {
  if (textAt(spec, "persistentVolumeReclaimPolicy") !== "Recycle") return [];
  if (!isRoot(textAt(spec, "hostPath", "path"))) return [];
  const detail = "may not be 'recycle' for a hostPath mount of '/'";
  return [fieldForbidden(child(path, "persistentVolumeReclaimPolicy"), detail)];
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

function classErrors(spec: JsonObject, path: string, { isInline }: VolumeContext): FieldError[] {
  const name = textAt(spec, "storageClassName");
  if (name === "") return [];
  const field = child(path, "storageClassName");
  if (isInline) return [fieldForbidden(field, inlineOnly)];
  return dnsSubdomainMessages(name).map((message) => fieldInvalid(field, name, message));
}

function modeErrors(spec: JsonObject, path: string, { isInline }: VolumeContext): FieldError[] {
  const mode = spec["volumeMode"];
  if (typeof mode !== "string") return [];
  const field = child(path, "volumeMode");
  if (!isInline) return volumeModes.includes(mode) ? [] : [fieldNotSupported(field, mode, volumeModes)];
  if (mode === "Filesystem") return [];
  const detail = "may not specify volumeMode other than Filesystem in the context of inline volumes";
  return [fieldForbidden(field, detail)];
}

function attributesClassErrors(spec: JsonObject, path: string): FieldError[] {
  const name = spec["volumeAttributesClassName"];
  if (typeof name !== "string") return [];
  const field = child(path, "volumeAttributesClassName");
  const errors =
    name === ""
      ? [fieldRequired(field, "an empty string is disallowed")]
      : dnsSubdomainMessages(name).map((message) => fieldInvalid(field, name, message));
  if (spec["csi"] !== undefined) return errors;
  const detail = "has to be specified when using volumeAttributesClassName";
  return [...errors, fieldRequired(child(path, "csi"), detail)];
}
