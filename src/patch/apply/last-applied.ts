import { DecodeError } from "../../apimachinery/decode-error.ts";
import { structAt } from "../../apimachinery/fields.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import type { MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { utf8Length } from "../../apimachinery/utf8.ts";
import { encodeJson, parseJson } from "../../codec/json/json.ts";
import { canonicalizeUntyped } from "../../schema/canonical.ts";
import type { ApplyKind } from "./apply-kind.ts";
import { compareObjects } from "./compare.ts";
import type { FieldSet } from "./field-set.ts";
import { difference } from "./field-set-algebra.ts";
import { fieldSetOf } from "./field-set-of.ts";
import { ListItemError, TypedError } from "./typed-error.ts";
import { validateTyped } from "./validate-typed.ts";

/** The annotation in which client-side `kubectl apply` stores the applied configuration. */
const ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";

const ANNOTATIONS_MAX = 256 * 1024;

/**
 * The fields that client-side `kubectl apply` set and that have not changed since. kubectl may take them over without
 * force. Undefined if there is no such configuration, or it cannot be used.
 */
export function lastAppliedFields(
  kind: ApplyKind,
  live: JsonObject,
  apiVersion: string,
): FieldSet | undefined {
  const text = lastAppliedOf(live);
  if (text === undefined) return undefined;
  const config = parseObject(text);
  if (config === undefined || config.apiVersion !== apiVersion) return undefined;
  try {
    validateTyped(kind.type, live, "refused");
    validateTyped(kind.type, config, "refused");
    const { removed, modified, added } = compareObjects(kind.type, config, live);
    return [modified, added, removed].reduce(difference, fieldSetOf(kind.type, config));
  } catch (error) {
    if (error instanceof TypedError || error instanceof ListItemError) return undefined;
    throw error;
  }
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

function lastAppliedOf(object: JsonObject): string | undefined {
  const text = structAt(structAt(object, "metadata"), "annotations")[ANNOTATION];
  return typeof text === "string" && text !== "" ? text : undefined;
}

/** Updates the client's annotation after an apply, if the object has it. Drops it if annotations become too large. */
export function refreshLastApplied(object: MutableKubeObject, config: JsonObject): void {
  if (lastAppliedOf(object) === undefined) return;
  const { [ANNOTATION]: _old, ...others } = object.metadata.annotations ?? {};
  const annotations = { ...others, [ANNOTATION]: configText(config) };
  object.metadata.annotations = sizeOf(annotations) > ANNOTATIONS_MAX ? others : annotations;
}

/** The configuration without the annotation, as Go writes it: sorted, on one line. Null annotations are omitted. */
function configText(config: JsonObject): string {
  const { metadata } = config;
  if (!isJsonObject(metadata)) return lineOf(config);
  const { annotations, ...others } = metadata;
  if (!isJsonObject(annotations)) return lineOf({ ...config, metadata: others });
  const { [ANNOTATION]: _old, ...kept } = annotations;
  return lineOf({ ...config, metadata: { ...others, annotations: kept } });
}

function lineOf(value: JsonValue): string {
  return `${encodeJson(canonicalizeUntyped(value))}\n`;
}

function sizeOf(annotations: { readonly [key: string]: string }): number {
  return Object.entries(annotations).reduce(
    (size, [key, value]) => size + utf8Length(key) + utf8Length(value),
    0,
  );
}
