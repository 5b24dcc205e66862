import { fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { numberAt, objectAt, textAt } from "../../../apimachinery/fields.ts";
import { go, plainValue, type ShownValue } from "../../../apimachinery/go/go-value.ts";
import { type JsonValue, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { utf8Length } from "../../../apimachinery/utf8.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import { dnsSubdomainMessages, dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import { qualifiedNameMessages } from "../../../apimachinery/validation/qualified-names.ts";
import { addMetadataErrors, addMetadataUpdateErrors } from "../../../registry/contract/metadata-errors.ts";

/** The name in the API of the field that is stored as `reportingComponent`. */
type ReportingField = "reportingComponent" | "reportingController";

const maxTextLength = 128;
const maxMessageLength = 1024;
const namespaceField = "involvedObject.namespace";
const namespaceDiffers = "does not match event.namespace";

/** Validates an event of any version. Events with an `eventTime` have stricter rules. */
export function addEventErrors(errors: Findings, event: KubeObject, reporting: ReportingField): void {
  const { namespace = "" } = event.metadata;
  if (isSet(event["eventTime"])) addNewEventErrors(errors, event, reporting);
  else addOldEventErrors(errors, event);
  const messages = dnsSubdomainMessages(namespace);
  addInvalid(errors, "namespace", namespace, messages);
}

/** Validates an event that is created through events.k8s.io/v1. */
export function addStrictEventErrors(errors: Findings, event: KubeObject): void {
  const type = textAt(event, "type");
  const source = objectAt(event, "source") ?? {};
  const unset: readonly (readonly [field: string, isSet: boolean])[] = [
    ["firstTimestamp", isSet(event["firstTimestamp"])],
    ["lastTimestamp", isSet(event["lastTimestamp"])],
    ["count", numberAt(event, "count") !== 0],
    ["source", textAt(source, "component") !== "" || textAt(source, "host") !== ""],
  ];
  addEventErrors(errors, event, "reportingController");
  addMetadataErrors(errors, event, { namespaced: true, validateName: dnsSubdomainName });
  addSeriesErrors(errors, event);
  if (!isSet(event["eventTime"])) errors.push(fieldRequired("eventTime"));
  if (type !== "Normal" && type !== "Warning") {
    errors.push(fieldInvalid("type", "", `has invalid value: ${type}`));
  }
  for (const [field] of unset.filter(([, isThere]) => isThere)) {
    errors.push(fieldInvalid(field, "", "needs to be unset"));
  }
}

/** Validates an update through events.k8s.io/v1, which may change only the series. */
export function addStrictEventUpdateErrors(errors: Findings, event: KubeObject, old: KubeObject): void {
  addEventErrors(errors, event, "reportingController");
  addMetadataUpdateErrors(errors, event, old);
  if (!jsonEqual(event["series"], old["series"])) addSeriesErrors(errors, event);
  for (const [field, name, show] of fixedFields) {
    if (!jsonEqual(event[name], old[name])) {
      errors.push(fieldInvalid(field, show(event[name]), "field is immutable"));
    }
  }
}

/** The immutable fields in upstream's order: the name in errors, the stored name, and how the value is shown. */
const fixedFields: readonly (readonly [
  field: string,
  name: string,
  show: (value: JsonValue | undefined) => ShownValue,
])[] = [
  ["involvedObject", "involvedObject", shownReference],
  ["reason", "reason", shownText],
  ["message", "message", shownText],
  ["source", "source", shownSource],
  ["firstTimestamp", "firstTimestamp", shownTime],
  ["lastTimestamp", "lastTimestamp", shownTime],
  ["count", "count", (value) => value ?? 0],
  ["reason", "reason", shownText],
  ["type", "type", shownText],
  ["eventTime", "eventTime", shownTime],
  ["action", "action", shownText],
  ["related", "related", (value) => (value === undefined ? value : shownReference(value))],
  ["reportingController", "reportingComponent", shownText],
  ["reportingInstance", "reportingInstance", shownText],
];

/**
 * An event without `eventTime` must be in the namespace of its object, or in `default` if the object has no namespace.
 */
function addOldEventErrors(errors: Findings, event: KubeObject): void {
  const { namespace = "" } = event.metadata;
  const involved = textAt(event, "involvedObject", "namespace");
  const isThere = involved === "" ? namespace === "" || namespace === "default" : namespace === involved;
  if (!isThere) errors.push(fieldInvalid(namespaceField, involved, namespaceDiffers));
}

function addNewEventErrors(errors: Findings, event: KubeObject, reporting: ReportingField): void {
  const { namespace = "" } = event.metadata;
  const involved = textAt(event, "involvedObject", "namespace");
  if (involved === "" && namespace !== "default" && namespace !== "kube-system") {
    errors.push(fieldInvalid(namespaceField, involved, namespaceDiffers));
  }
  const controller = textAt(event, "reportingComponent");
  if (controller === "") errors.push(fieldRequired(reporting));
  for (const message of qualifiedNameMessages(controller)) {
    errors.push(fieldInvalid(reporting, controller, message));
  }
  addTextErrors(errors, event, "reportingInstance");
  addTextErrors(errors, event, "action");
  addTextErrors(errors, event, "reason");
  addLengthErrors(errors, textAt(event, "message"), maxMessageLength, "message");
}

function addTextErrors(errors: Findings, event: KubeObject, field: string): void {
  const text = textAt(event, field);
  if (text === "") errors.push(fieldRequired(field));
  else addLengthErrors(errors, text, maxTextLength, field);
}

function addLengthErrors(errors: Findings, text: string, maximum: number, field: string): void {
  if (utf8Length(text) <= maximum) return;
  errors.push(fieldInvalid(field, "", `can have at most ${maximum} characters`));
}

function addSeriesErrors(errors: Findings, event: KubeObject): void {
  const series = objectAt(event, "series");
  if (series === undefined) return;
  if (numberAt(series, "count") < 2) errors.push(fieldInvalid("series.count", "", "should be at least 2"));
  if (!isSet(series["lastObservedTime"])) errors.push(fieldRequired("series.lastObservedTime"));
}

function isSet(time: JsonValue | undefined): boolean {
  return typeof time === "string";
}

function shownText(value: JsonValue | undefined): ShownValue {
  return typeof value === "string" ? value : "";
}

function shownTime(value: JsonValue | undefined): ShownValue {
  return go.time(typeof value === "string" ? value : null);
}

function shownSource(value: JsonValue | undefined): ShownValue {
  return plainValue("core.EventSource", value);
}

function shownReference(value: JsonValue | undefined): ShownValue {
  return plainValue("core.ObjectReference", value);
}
