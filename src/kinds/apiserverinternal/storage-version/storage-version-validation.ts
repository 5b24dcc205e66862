import { fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { joinedWording, type Wording, worded } from "../../../apimachinery/errors/wording.ts";
import { listAt, structAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { plainValue } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
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
export function addStorageVersionStatusErrors(errors: Findings, object: KubeObject): void {
  const status = structAt(object, "status");
  for (const [i, version] of listAt(status, "storageVersions").entries()) {
    addServerErrors(errors, version, index("status.storageVersions", i));
  }
  addCommonVersionErrors(errors, status);
  addConditionErrors(errors, listAt(status, "conditions"));
}

function addServerErrors(errors: Findings, server: JsonObject, path: string): void {
  const id = textAt(server, "apiServerID");
  const encoding = textAt(server, "encodingVersion");
  const decodable = textsAt(server, "decodableVersions");
  const field = child(path, "decodableVersions");
  const missing = `decodableVersions must include encodingVersion ${encoding}`;
  addInvalid(errors, child(path, "apiServerID"), id, dnsSubdomainMessages(id));
  addVersionErrors(errors, encoding, child(path, "encodingVersion"));
  for (const [i, version] of decodable.entries()) addVersionErrors(errors, version, index(field, i));
  if (!decodable.includes(encoding)) {
    errors.push(fieldInvalid(field, plainValue("[]string", server["decodableVersions"]), missing));
  }
}

function addVersionErrors(errors: Findings, version: string, field: string): void {
  const messages = versionMessages(version);
  if (messages.length !== 0) errors.push(fieldInvalid(field, version, joinedWording(messages, ",")));
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
function addCommonVersionErrors(errors: Findings, status: JsonObject): void {
  const field = "status.commonEncodingVersion";
  const reported = status["commonEncodingVersion"];
  const versions = new Set(
    listAt(status, "storageVersions").map((server) => textAt(server, "encodingVersion")),
  );
  const [actual] = versions.size === 1 ? versions : [];
  if (reported === actual) return;
  if (actual === undefined) {
    const detail =
      "should be nil if servers do not agree on the same encoding version, or if there is no server reporting the supported versions yet";
    errors.push(fieldInvalid(field, reported, detail));
    return;
  }
  const isReported = reported !== undefined;
  errors.push(
    fieldInvalid(
      field,
      reported ?? null,
      `the ${isReported ? "actual " : ""}common encoding version is ${actual}`,
    ),
  );
}

/** As upstream, the field paths lack `conditions`, and an invalid condition status is reported with the type as its value. */
function addConditionErrors(errors: Findings, conditions: readonly JsonObject[]): void {
  const seen = new Map<string, number>();
  for (const [i, condition] of conditions.entries()) {
    const path = index("status", i);
    const type = textAt(condition, "type");
    const before = seen.get(type);
    seen.set(type, i);
    const detail = `the type of the condition is not unique, it also appears in conditions[${before}]`;
    if (before !== undefined) errors.push(fieldInvalid(child(path, "type"), type, detail));
    addInvalid(errors, child(path, "type"), type, qualifiedNameMessages(type));
    addInvalid(errors, child(path, "status"), type, qualifiedNameMessages(textAt(condition, "status")));
    for (const field of ["reason", "message"]) {
      if (textAt(condition, field) === "") {
        errors.push(fieldRequired(child(path, field), `${field} cannot be empty`));
      }
    }
  }
}
