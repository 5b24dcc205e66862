import {
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
import { addAll, addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import { inclusiveRange } from "../../../apimachinery/validation/format-messages.ts";
import { dnsSubdomainMessages, dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import { addMetadataErrors } from "../../../registry/contract/metadata-errors.ts";
import { addVolumeSpecErrors } from "../../core/persistent-volume/persistent-volume-spec-validation.ts";
import { addDriverName } from "../../pod-spec/validation/volume-sources.ts";

const metadataRules = { namespaced: false, validateName: dnsSubdomainName };

const maxMetadataBytes = 256 * 1024;

const maxMessageBytes = 1024;

/** The fields of the status that report an error. */
export const errorFields: readonly string[] = ["attachError", "detachError"];

const exactlyOneSource = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";

/** Adds the errors in a new VolumeAttachment. */
export function addVolumeAttachmentErrors(errors: Findings, object: KubeObject): void {
  addAttachmentErrors(errors, object);
  addNameErrors(errors, structAt(object, "spec"));
}

/** Adds the errors of an update. Upstream validates the whole object twice, but not the changes of its metadata. */
export function addVolumeAttachmentUpdateErrors(errors: Findings, object: KubeObject, old: KubeObject): void {
  const spec = structAt(object, "spec");
  const objectErrors: Findings = [];
  addMetadataErrors(objectErrors, object, metadataRules);
  addAttachmentErrors(objectErrors, object);
  addAll(errors, objectErrors);
  addAll(errors, objectErrors);
  if (jsonEqual(spec, structAt(old, "spec"))) return;
  errors.push(fieldInvalid("spec", typedValue("storage.VolumeAttachmentSpec", spec), "field is immutable"));
}

function addAttachmentErrors(errors: Findings, object: KubeObject): void {
  const spec = structAt(object, "spec");
  const status = structAt(object, "status");
  const node = textAt(spec, "nodeName");
  if (!textAt(spec, "attacher")) errors.push(fieldRequired("spec.attacher"));
  addSourceErrors(errors, structAt(spec, "source"), "spec.source");
  addInvalid(errors, "spec.nodeName", node, dnsSubdomainMessages(node));
  addReportedMetadataErrors(errors, status);
  for (const name of errorFields) addReportErrors(errors, status, name);
}

/**
 * Adds the additional errors of a new object in v1.
 * Upstream: pkg/apis/storage/validation/validation.go, ValidateVolumeAttachmentV1.
 */
function addNameErrors(errors: Findings, spec: JsonObject): void {
  addDriverName(errors, textAt(spec, "attacher"), "spec.attacher");
  const name = structAt(spec, "source")["persistentVolumeName"];
  if (typeof name !== "string") return;
  const field = "spec.source.persistentVolumeName";
  addInvalid(errors, field, name, dnsSubdomainMessages(name));
}

function addSourceErrors(errors: Findings, source: JsonObject, field: string): void {
  const name = source["persistentVolumeName"];
  const inline = objectAt(source, "inlineVolumeSpec");
  if (name === undefined && inline === undefined) {
    errors.push(fieldRequired(field, exactlyOneSource));
    return;
  }
  if (name !== undefined && inline !== undefined) {
    errors.push(fieldForbidden(field, exactlyOneSource));
    return;
  }
  if (inline !== undefined) {
    addVolumeSpecErrors(errors, inline, child(field, "inlineVolumeSpec"), {
      name: "",
      isInline: true,
      allowsOncePod: true,
    });
    return;
  }
  if (name !== "") return;
  const detail = "must specify non empty persistentVolumeName";
  errors.push(fieldRequired(child(field, "persistentVolumeName"), detail));
}

function addReportedMetadataErrors(errors: Findings, status: JsonObject): void {
  const entries = Object.entries(objectAt(status, "attachmentMetadata") ?? {});
  const size = entries.reduce((sum, [name, value]) => sum + utf8Length(name) + utf8Length(String(value)), 0);
  if (size > maxMetadataBytes) errors.push(fieldTooLong("status.attachmentMetadata", maxMetadataBytes));
}

/** Upstream reports the limit of the metadata for a message that is too long. */
function addReportErrors(errors: Findings, status: JsonObject, name: string): void {
  const field = child("status", name);
  const code = integerAt(status, name, "errorCode");
  if (utf8Length(textAt(status, name, "message")) > maxMessageBytes) {
    errors.push(fieldTooLong(child(field, "message"), maxMetadataBytes));
  }
  if (code < 0) errors.push(fieldInvalid(child(field, "errorCode"), code, inclusiveRange(0, 2 ** 31 - 1)));
}
