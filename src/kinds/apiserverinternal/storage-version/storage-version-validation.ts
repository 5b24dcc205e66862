import { type FieldError, fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { joinedWording, type Wording, worded } from "../../../apimachinery/errors/wording.ts";
import { listAt, structAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { formatError } from "../../../apimachinery/validation/format-messages.ts";
import { dns1035LabelMessages, dnsSubdomainMessages } from "../../../apimachinery/validation/names.ts";
import { qualifiedNameMessages } from "../../../apimachinery/validation/qualified-names.ts";

/** The name is `<group>.<resource>`. Upstream: pkg/apis/apiserverinternal/validation/validation.go, ValidateStorageVersionName. */
export function storageVersionNameMessages(name: string): readonly Wording[] {
  const at = name.lastIndexOf(".");
  if (at < 0) return ["name must be in the form of <group>.<resource>"];
  return [
    ...dnsSubdomainMessages(name.slice(0, at)).map((message) => worded`the group segment ${message}`),
    ...dns1035LabelMessages(name.slice(at + 1)).map((message) => `the resource segment ${message}`),
  ];
}

/** Upstream: ValidateStorageVersionStatusUpdate. */
export function storageVersionStatusErrors(object: KubeObject): readonly FieldError[] {
  const status = structAt(object, "status");
  return [
    ...listAt(status, "storageVersions").flatMap((version, i) =>
      serverErrors(version, index("status.storageVersions", i)),
    ),
    ...commonVersionErrors(status),
    ...conditionErrors(listAt(status, "conditions")),
  ];
}

function serverErrors(server: JsonObject, path: string): readonly FieldError[] {
  const id = textAt(server, "apiServerID");
  const encoding = textAt(server, "encodingVersion");
  const decodable = textsAt(server, "decodableVersions");
  const field = child(path, "decodableVersions");
  const missing = `decodableVersions must include encodingVersion ${encoding}`;
  return [
    ...dnsSubdomainMessages(id).map((message) => fieldInvalid(child(path, "apiServerID"), id, message)),
    ...versionErrors(encoding, child(path, "encodingVersion")),
    ...decodable.flatMap((version, i) => versionErrors(version, index(field, i))),
    ...(decodable.includes(encoding)
      ? []
      : [fieldInvalid(field, typedValue("[]string", server["decodableVersions"] ?? []), missing)]),
  ];
}

function versionErrors(version: string, field: string): readonly FieldError[] {
  const messages = versionMessages(version);
  return messages.length === 0 ? [] : [fieldInvalid(field, version, joinedWording(messages, ","))];
}

const versionFormat = formatError(
  "a DNS-1035 label, which must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  "[a-z]([-a-z0-9]*[a-z0-9])?",
  ["my-name", "abc-123"],
);

function versionMessages(text: string): readonly Wording[] {
  const parts = text.split("/");
  if (parts.length > 2) {
    return [
      `an apiVersion is ${versionFormat} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyVersion')`,
    ];
  }
  const version = parts.at(-1) ?? "";
  const [group] = parts;
  return [
    ...(parts.length === 1 ? [] : partMessages(group ?? "", dnsSubdomainMessages, "group part: ")),
    ...partMessages(version, dns1035LabelMessages, "version part: "),
  ];
}

function partMessages(
  part: string,
  messagesOf: (text: string) => readonly Wording[],
  prefix: string,
): readonly Wording[] {
  const messages = part === "" ? ["must be non-empty"] : messagesOf(part);
  return messages.map((message) => worded`${prefix}${message}`);
}

/** The common encoding version has to be the one that all servers report, and unset if they differ. */
function commonVersionErrors(status: JsonObject): readonly FieldError[] {
  const field = "status.commonEncodingVersion";
  const reported = status["commonEncodingVersion"];
  const versions = new Set(
    listAt(status, "storageVersions").map((server) => textAt(server, "encodingVersion")),
  );
  const [actual] = versions.size === 1 ? versions : [];
  if (reported === actual) return [];
  if (actual === undefined) {
    const detail =
      "should be nil if servers do not agree on the same encoding version, or if there is no server reporting the supported versions yet";
    return [fieldInvalid(field, reported, detail)];
  }
  const isReported = reported !== undefined;
  return [
    fieldInvalid(
      field,
      reported ?? null,
      `the ${isReported ? "actual " : ""}common encoding version is ${actual}`,
    ),
  ];
}

/** As upstream, the field paths lack `conditions`, and an invalid condition status is reported with the type as its value. */
function conditionErrors(conditions: readonly JsonObject[]): readonly FieldError[] {
  const seen = new Map<string, number>();
  return conditions.flatMap((condition, i) => {
    const path = index("status", i);
    const type = textAt(condition, "type");
    const before = seen.get(type);
    seen.set(type, i);
    const detail = `the type of the condition is not unique, it also appears in conditions[${before}]`;
    return [
      ...(before === undefined ? [] : [fieldInvalid(child(path, "type"), type, detail)]),
      ...qualifiedNameMessages(type).map((message) => fieldInvalid(child(path, "type"), type, message)),
      ...qualifiedNameMessages(textAt(condition, "status")).map((message) =>
        fieldInvalid(child(path, "status"), type, message),
      ),
      ...["reason", "message"]
        .filter((field) => textAt(condition, field) === "")
        .map((field) => fieldRequired(child(path, field), `${field} cannot be empty`)),
    ];
  });
}
