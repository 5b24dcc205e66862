import { type FieldError, fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { listAt, structAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { goTexts, typedValue } from "../../../apimachinery/go/go-type.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { formatError } from "../../../apimachinery/validation/format-messages.ts";
import { dns1035LabelMessages, dnsSubdomainMessages } from "../../../apimachinery/validation/names.ts";
import { qualifiedNameMessages } from "../../../apimachinery/validation/qualified-names.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { statusStrategy } from "../../../registry/subresources/status.ts";

/** A StorageVersion tells in which version API servers store a resource. All of it is its status. */
export function storageVersionStrategy(base: Strategy): Strategy {
  return { ...base, validateName: nameMessages, metadataChecks: { create: "core", update: "own" } };
}

/** `/status` of a StorageVersion: what each server stores, and what they agree on. */
export function storageVersionStatusStrategy(base: Strategy): Strategy {
  return { ...statusStrategy(base), metadataChecks: base.metadataChecks, validateUpdate: statusErrors };
}

/** The group and the resource, with a dot between them. */
function nameMessages(name: string): readonly string[] {
  const at = name.lastIndexOf(".");
  if (at < 0) return ["name must be in the form of <group>.<resource>"];
  return [
    ...dnsSubdomainMessages(name.slice(0, at)).map((message) => `the group segment ${message}`),
    ...dns1035LabelMessages(name.slice(at + 1)).map((message) => `the resource segment ${message}`),
  ];
}

function statusErrors(object: KubeObject): readonly FieldError[] {
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
      : [fieldInvalid(field, typedValue(goTexts, server["decodableVersions"] ?? []), missing)]),
  ];
}

function versionErrors(version: string, field: string): readonly FieldError[] {
  const messages = versionMessages(version);
  return messages.length === 0 ? [] : [fieldInvalid(field, version, messages.join(","))];
}

const versionFormat = formatError(
  "a DNS-1035 label, which must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  "[a-z]([-a-z0-9]*[a-z0-9])?",
  ["my-name", "abc-123"],
);

function versionMessages(text: string): readonly string[] {
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
  messagesOf: (text: string) => readonly string[],
  prefix: string,
): readonly string[] {
  const messages = part === "" ? ["must be non-empty"] : messagesOf(part);
  return messages.map((message) => prefix + message);
}

/** What all servers store in is said once more, if it is one. */
function commonVersionErrors(status: JsonObject): readonly FieldError[] {
  const field = "status.commonEncodingVersion";
  const said = status["commonEncodingVersion"];
  const versions = new Set(
    listAt(status, "storageVersions").map((server) => textAt(server, "encodingVersion")),
  );
  const [actual] = versions.size === 1 ? versions : [];
  if (said === actual) return [];
  if (actual === undefined) {
    const detail =
      "should be nil if servers do not agree on the same encoding version, or if there is no server reporting the supported versions yet";
    return [fieldInvalid(field, said, detail)];
  }
  const isSaid = said !== undefined;
  return [
    fieldInvalid(field, said ?? null, `the ${isSaid ? "actual " : ""}common encoding version is ${actual}`),
  ];
}

/** Upstream looks for conditions right below the status, and shows their type where the status is wrong. */
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
