import {
  type FieldError,
  fieldForbidden,
  fieldInvalid,
  fieldRequired,
  fieldTooLong,
} from "../../../apimachinery/errors/field.ts";
import { integerAt, objectAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { goPointer, goStruct, goText, typedValue } from "../../../apimachinery/go/go-type.ts";
import { type JsonObject, jsonEqual, type MutableJsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import { utf8Length } from "../../../apimachinery/utf8.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import { inclusiveRange } from "../../../apimachinery/validation/format-messages.ts";
import { dnsSubdomainMessages, dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import { metadataErrors } from "../../../registry/contract/metadata-errors.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { statusOnlyStrategy } from "../../../registry/subresources/status-metadata.ts";
import { volumeSpecErrors } from "../../core/persistent-volume/persistent-volume-spec-validation.ts";
import { addDriverName } from "../../pod-spec/validation/volume-sources.ts";

const metadataRules = { namespaced: false, validateName: dnsSubdomainName };
const maxMetadataBytes = 256 * 1024;
const maxMessageBytes = 1024;
const errorFields = ["attachError", "detachError"];
const exactlyOneSource = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
const goSource = goStruct("storage.VolumeAttachmentSource", [
  ["PersistentVolumeName", "persistentVolumeName", goPointer("string")],
  ["InlineVolumeSpec", "inlineVolumeSpec", goPointer("core.PersistentVolumeSpec")],
]);
const goSpec = goStruct("storage.VolumeAttachmentSpec", [
  ["Attacher", "attacher", goText],
  ["Source", "source", goSource],
  ["NodeName", "nodeName", goText],
]);

/** The strategy of VolumeAttachments, whose spec is immutable. */
export function volumeAttachmentStrategy(base: Strategy): Strategy {
  return {
    ...base,
    metadataChecks: { create: "core", update: "own" },
    validate: (object) => [...attachmentErrors(object), ...nameErrors(structAt(object, "spec"))],
    validateUpdate: attachmentUpdateErrors,
  };
}

/** The strategy of `/status`. */
export function volumeAttachmentStatusStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const status = statusOnlyStrategy(base);
  return {
    ...status,
    metadataChecks: base.metadataChecks,
    prepareForUpdate: (object, old, context) => {
      status.prepareForUpdate(object, old, context);
      if (!gates.isEnabled("MutableCSINodeAllocatableCount")) dropErrorCodes(object, old);
    },
    validateUpdate: attachmentUpdateErrors,
  };
}

/** Drops error codes, which are behind a feature gate, unless the old object has one. */
function dropErrorCodes(object: MutableKubeObject, old: KubeObject): void {
  const status: MutableJsonObject = { ...structAt(object, "status") };
  for (const name of errorFields) {
    const report = objectAt(status, name);
    if (report === undefined || objectAt(old, "status", name)?.["errorCode"] !== undefined) continue;
    const { errorCode: _dropped, ...kept } = report;
    status[name] = kept;
  }
  object["status"] = status;
}

/** The errors of an update. Upstream validates the whole object twice, but not the changes of its metadata. */
function attachmentUpdateErrors(object: KubeObject, old: KubeObject): FieldError[] {
  const spec = structAt(object, "spec");
  const objectErrors = [...metadataErrors(object, metadataRules), ...attachmentErrors(object)];
  const errors = [...objectErrors, ...objectErrors];
  if (jsonEqual(spec, structAt(old, "spec"))) return errors;
  return [...errors, fieldInvalid("spec", typedValue(goSpec, spec), "field is immutable")];
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
