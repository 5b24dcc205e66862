import {
  type FieldError,
  fieldForbidden,
  fieldInvalid,
  fieldRequired,
  fieldTooLong,
} from "../../../apimachinery/errors/field.ts";
import { integerAt, objectAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { utf8Length } from "../../../apimachinery/utf8.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import { inclusiveRange } from "../../../apimachinery/validation/format-messages.ts";
import { dnsSubdomainMessages, dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import { metadataErrors } from "../../../registry/contract/metadata-errors.ts";
import { volumeSpecErrors } from "../../core/persistent-volume/persistent-volume-spec-validation.ts";
import { addDriverName } from "../../pod-spec/validation/volume-sources.ts";

const metadataRules = { namespaced: false, validateName: dnsSubdomainName };

const maxMetadataBytes = 256 * 1024;

const maxMessageBytes = 1024;

/** The fields of the status that report an error. */
export const errorFields: readonly string[] = ["attachError", "detachError"];

const exactlyOneSource = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";

/** The errors in a new VolumeAttachment. */
export function volumeAttachmentErrors(object: KubeObject): readonly FieldError[] {
  return [...attachmentErrors(object), ...nameErrors(structAt(object, "spec"))];
}

/** The errors of an update. Upstream validates the whole object twice, but not the changes of its metadata. */
export function volumeAttachmentUpdateErrors(object: KubeObject, old: KubeObject): FieldError[] {
  const spec = structAt(object, "spec");
  const objectErrors = [...metadataErrors(object, metadataRules), ...attachmentErrors(object)];
  const errors = [...objectErrors, ...objectErrors];
  if (jsonEqual(spec, structAt(old, "spec"))) return errors;
  return [
    ...errors,
    fieldInvalid("spec", typedValue("storage.VolumeAttachmentSpec", spec), "field is immutable"),
  ];
}

function attachmentErrors(object: KubeObject): FieldError[] {
  const spec = structAt(object, "spec");
  const status = structAt(object, "status");
  const node = textAt(spec, "nodeName");
  return [
    ...(textAt(spec, "attacher") ? [] : [fieldRequired("spec.attacher")]),
    ...sourceErrors(structAt(spec, "source"), "spec.source"),
    ...dnsSubdomainMessages(node).map((message) => fieldInvalid("spec.nodeName", node, message)),
    ...reportedMetadataErrors(status),
    ...errorFields.flatMap((name) => reportErrors(status, name)),
  ];
}

/**
 * The additional errors of a new object in v1.
 * Upstream: pkg/apis/storage/validation/validation.go, ValidateVolumeAttachmentV1.
 */
function nameErrors(spec: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  addDriverName(errors, textAt(spec, "attacher"), "spec.attacher");
  const name = structAt(spec, "source")["persistentVolumeName"];
  if (typeof name !== "string") return errors;
  const field = "spec.source.persistentVolumeName";
  return [...errors, ...dnsSubdomainMessages(name).map((message) => fieldInvalid(field, name, message))];
}

function sourceErrors(source: JsonObject, field: string): FieldError[] {
  const name = source["persistentVolumeName"];
  const inline = objectAt(source, "inlineVolumeSpec");
  if (name === undefined && inline === undefined) return [fieldRequired(field, exactlyOneSource)];
  if (name !== undefined && inline !== undefined) return [fieldForbidden(field, exactlyOneSource)];
  if (inline !== undefined) {
    return volumeSpecErrors(inline, child(field, "inlineVolumeSpec"), { name: "", isInline: true });
  }
  if (name !== "") return [];
  const detail = "must specify non empty persistentVolumeName";
  return [fieldRequired(child(field, "persistentVolumeName"), detail)];
}

function reportedMetadataErrors(status: JsonObject): FieldError[] {
  const entries = Object.entries(objectAt(status, "attachmentMetadata") ?? {});
  const size = entries.reduce((sum, [name, value]) => sum + utf8Length(name) + utf8Length(String(value)), 0);
  return size > maxMetadataBytes ? [fieldTooLong("status.attachmentMetadata", maxMetadataBytes)] : [];
}

/** Upstream errorFields the limit of the metadata for a message that is too long. */
function reportErrors(status: JsonObject, name: string): FieldError[] {
  const field = child("status", name);
  const code = integerAt(status, name, "errorCode");
  return [
    ...(utf8Length(textAt(status, name, "message")) > maxMessageBytes
      ? [fieldTooLong(child(field, "message"), maxMetadataBytes)]
      : []),
    ...(code < 0 ? [fieldInvalid(child(field, "errorCode"), code, inclusiveRange(0, 2 ** 31 - 1))] : []),
  ];
}
