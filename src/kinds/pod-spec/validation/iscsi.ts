import { fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { integerAt, objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { utf8Length } from "../../../apimachinery/utf8.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { inclusiveRange } from "../../../apimachinery/validation/format-messages.ts";

const malformed = "must be valid format";

/** Validates an iSCSI volume of a pod. */
export function podIscsi(errors: Findings, source: JsonObject, path: string): void {
  const unknownForm = `${malformed} starting with iqn, eui, or naa`;
  addPortal(errors, source, path);
  addTarget(errors, source, path, unknownForm);
  addInitiatorName(errors, source, path, unknownForm);
}

/** Validates an iSCSI volume of a PersistentVolume, which has other messages and more rules than that of a pod. */
export function persistentIscsi(errors: Findings, source: JsonObject, path: string, volume: string): void {
  addPortal(errors, source, path);
  addPortalLength(errors, source, path, volume);
  addTarget(errors, source, path, malformed);
  const secret = objectAt(source, "secretRef");
  if (secret && !textAt(secret, "name")) errors.push(fieldRequired(child(path, "secretRef", "name")));
  addInitiatorName(errors, source, path, malformed);
}

/** Validates a logical unit number. */
export function addLogicalUnit(errors: Findings, unit: number | bigint, field: string): void {
  if (unit < 0 || unit > 255) errors.push(fieldInvalid(field, unit, inclusiveRange(0, 255)));
}

function addPortal(errors: Findings, source: JsonObject, path: string): void {
  if (!textAt(source, "targetPortal")) errors.push(fieldRequired(child(path, "targetPortal")));
}

/** The names of the volume and its portal form a name that iSCSI limits in length. */
function addPortalLength(errors: Findings, source: JsonObject, path: string, volume: string): void {
  const portal = textAt(source, "targetPortal");
  if (source["initiatorName"] === undefined || utf8Length(`${volume}:${portal}`) <= 64) return;
  const detail =
    "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.";
  errors.push(fieldInvalid(child(path, "targetportal"), portal, detail));
}

function addTarget(errors: Findings, source: JsonObject, path: string, unknownForm: string): void {
  const iqn = textAt(source, "iqn");
  if (iqn === "") errors.push(fieldRequired(child(path, "iqn")));
  else addNodeName(errors, iqn, child(path, "iqn"), unknownForm);
  addLogicalUnit(errors, integerAt(source, "lun"), child(path, "lun"));
  const needsSecret = source["chapAuthDiscovery"] === true || source["chapAuthSession"] === true;
  if (needsSecret && source["secretRef"] === undefined) errors.push(fieldRequired(child(path, "secretRef")));
}

function addInitiatorName(errors: Findings, source: JsonObject, path: string, unknownForm: string): void {
  const initiator = source["initiatorName"];
  if (typeof initiator !== "string") return;
  addNodeName(errors, initiator, child(path, "initiatorname"), unknownForm);
}

/** Validates the name of an iSCSI node in one of the three formats. */
function addNodeName(errors: Findings, name: string, field: string, unknownForm: string): void {
  const form = nodeNameForms.get(name.slice(0, 3));
  if (form === undefined) errors.push(fieldInvalid(field, name, unknownForm));
  else if (!form(name)) errors.push(fieldInvalid(field, name, malformed));
}

const nodeNameForms: ReadonlyMap<string, (name: string) => boolean> = new Map([
  ["iqn", isQualifiedName],
  ["eui", (name) => /^eui.[0-9A-Za-z]{16}$/.test(name)],
  ["naa", (name) => /^naa.[0-9A-Za-z]{32}$/.test(name)],
]);

/**
 * Upstream's pattern is not anchored at the start. All positions in a run of name characters give the same result, so
 * one is enough.
 */
function isQualifiedName(name: string): boolean {
  for (const head of name.matchAll(/iqn\.\d{4}-\d{2}\.[0-9A-Za-z\-.]+/g)) {
    const end = head.index + head[0].length;
    if (name[end] === ":" && /^[^,;*&$|\t\n\f\r ]+$/.test(name.slice(end + 1))) return true;
  }
  return false;
}
