import { type FieldError, fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { numberAt, objectAt, textAt } from "../../../apimachinery/fields.ts";
import { go, plainValue, type ShownValue } from "../../../apimachinery/go/go-value.ts";
import { type JsonValue, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { utf8Length } from "../../../apimachinery/utf8.ts";
import { dnsSubdomainMessages, dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import { qualifiedNameMessages } from "../../../apimachinery/validation/qualified-names.ts";
import { metadataErrors, metadataUpdateErrors } from "../../../registry/contract/metadata-errors.ts";

/** The name in the API of the field that is stored as `reportingComponent`. */
type ReportingField = "reportingComponent" | "reportingController";

const maxTextLength = 128;
const maxMessageLength = 1024;
const namespaceField = "involvedObject.namespace";
const namespaceDiffers = "does not match event.namespace";

/** Validates an event of any version. Events with an `eventTime` have stricter rules. */
export function eventErrors(event: KubeObject, reporting: ReportingField): readonly FieldError[] {
  const { namespace = "" } = event.metadata;
  const errors = isSet(event["eventTime"]) ? newEventErrors(event, reporting) : oldEventErrors(event);
  const messages = dnsSubdomainMessages(namespace);
  return [...errors, ...messages.map((message) => fieldInvalid("namespace", namespace, message))];
}

/** Validates an event that is created through events.k8s.io/v1. */
export function strictEventErrors(event: KubeObject): readonly FieldError[] {
  const type = textAt(event, "type");
  const source = objectAt(event, "source") ?? {};
  const unset: readonly (readonly [field: string, isSet: boolean])[] = [
    ["firstTimestamp", isSet(event["firstTimestamp"])],
    ["lastTimestamp", isSet(event["lastTimestamp"])],
    ["count", numberAt(event, "count") !== 0],
    ["source", textAt(source, "component") !== "" || textAt(source, "host") !== ""],
  ];
  return [
    ...eventErrors(event, "reportingController"),
    ...metadataErrors(event, { namespaced: true, validateName: dnsSubdomainName }),
    ...seriesErrors(event),
    ...(isSet(event["eventTime"]) ? [] : [fieldRequired("eventTime")]),
    ...(type === "Normal" || type === "Warning"
      ? []
      : [fieldInvalid("type", "", `has invalid value: ${type}`)]),
    ...unset.filter(([, isThere]) => isThere).map(([field]) => fieldInvalid(field, "", "needs to be unset")),
  ];
}

/** Validates an update through events.k8s.io/v1, which may change only the series. */
export function strictEventUpdateErrors(event: KubeObject, old: KubeObject): readonly FieldError[] {
  return [
    ...eventErrors(event, "reportingController"),
    ...metadataUpdateErrors(event, old),
    ...(jsonEqual(event["series"], old["series"]) ? [] : seriesErrors(event)),
    ...fixedFields.flatMap(([field, name, show]) =>
      jsonEqual(event[name], old[name]) ? [] : [fieldInvalid(field, show(event[name]), "field is immutable")],
    ),
  ];
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
function oldEventErrors(event: KubeObject): readonly FieldError[] {
  const { namespace = "" } = event.metadata;
  const involved = textAt(event, "involvedObject", "namespace");
  const isThere = involved === "" ? namespace === "" || namespace === "default" : namespace === involved;
  return isThere ? [] : [fieldInvalid(namespaceField, involved, namespaceDiffers)];
}

function newEventErrors(event: KubeObject, reporting: ReportingField): readonly FieldError[] {
  const { namespace = "" } = event.metadata;
  const involved = textAt(event, "involvedObject", "namespace");
  const errors: FieldError[] = [];
  if (involved === "" && namespace !== "default" && namespace !== "kube-system") {
    errors.push(fieldInvalid(namespaceField, involved, namespaceDiffers));
  }
  const controller = textAt(event, "reportingComponent");
  if (controller === "") errors.push(fieldRequired(reporting));
  for (const message of qualifiedNameMessages(controller)) {
    errors.push(fieldInvalid(reporting, controller, message));
  }
  return [
    ...errors,
    ...textErrors(event, "reportingInstance"),
    ...textErrors(event, "action"),
    ...textErrors(event, "reason"),
    ...lengthErrors(textAt(event, "message"), maxMessageLength, "message"),
  ];
}

function textErrors(event: KubeObject, field: string): readonly FieldError[] {
  const text = textAt(event, field);
  return text === "" ? [fieldRequired(field)] : lengthErrors(text, maxTextLength, field);
}

function lengthErrors(text: string, maximum: number, field: string): readonly FieldError[] {
  if (utf8Length(text) <= maximum) return [];
  return [fieldInvalid(field, "", `can have at most ${maximum} characters`)];
}

function seriesErrors(event: KubeObject): readonly FieldError[] {
  const series = objectAt(event, "series");
  if (series === undefined) return [];
  const errors: FieldError[] = [];
  if (numberAt(series, "count") < 2) {
    errors.push(fieldInvalid("series.count", "", "should be at least 2"));
  }
  if (!isSet(series["lastObservedTime"])) errors.push(fieldRequired("series.lastObservedTime"));
  return errors;
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
