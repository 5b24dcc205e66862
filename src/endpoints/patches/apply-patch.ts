import { type Awaitable, whenReady } from "../../apimachinery/awaitable.ts";
import { DecodeError } from "../../apimachinery/decode-error.ts";
import { badRequest, conflict } from "../../apimachinery/errors/errors.ts";
import { isPlainJson, plainJson } from "../../apimachinery/go/parsed-json.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { ApplyType } from "../../codec/media-types/patch-types.ts";
import { strictWarnings } from "../../codec/strict-warnings.ts";
import { jsonDocumentOfBytes } from "../../codec/yaml/json-document.ts";
import type { Force } from "../../patch/apply/updater.ts";
import type { EndpointFieldManager } from "../contract/field-managers.ts";
import type { PatchMechanism } from "./patch-mechanism.ts";
import type { Patching } from "./patched-object.ts";

/** The manager of an apply, and whether it takes fields from other managers. */
export interface Applying {
  readonly fields: EndpointFieldManager;
  readonly manager: string;
  readonly force: Force;
}

/** Server-side apply. The body is parsed when the current object is known. Errors of strict validation come last. */
export async function applyMechanism(
  type: ApplyType,
  body: Uint8Array,
  patching: Patching,
  { fields, manager, force }: Applying,
): Promise<PatchMechanism> {
  const read = await readers[type](body);
  let parsed: Configuration | undefined;
  const apply = (current: KubeObject | undefined): Awaitable<MutableKubeObject> => {
    parsed ??= parse(body, read);
    const { config, strictErrors } = parsed;
    return whenReady(fields.apply(current, config, manager, force), (object) => {
      checkStrictly(strictErrors, patching);
      return object;
    });
  };
  return {
    patch: apply,
    create: () =>
      whenReady(apply(undefined), (object) => {
        checkUid(object, patching);
        return object;
      }),
  };
}

interface Configuration {
  readonly config: JsonObject;
  readonly strictErrors: readonly string[];
}

/** How a format parses a body, and the error for a value that is not an object. */
interface Reader {
  /** @throws {DecodeError} in the words of Go's decoder */
  readonly read: (body: Uint8Array) => {
    readonly value: JsonValue;
    readonly strictErrors: readonly string[];
  };
  readonly notAnObject: (value: JsonValue) => string;
}

const readers: { readonly [type in ApplyType]: (body: Uint8Array) => Promise<Reader> } = {
  "application/apply-patch+yaml": async (body) => {
    // Most clients send JSON with this content type, and JSON does not need the YAML parser.
    const json = jsonDocumentOfBytes(body);
    if (json !== undefined) return { read: () => ({ value: json, strictErrors: [] }), notAnObject };
    const { readYaml } = await import("../../codec/yaml/yaml.ts");
    return {
      read: (body) => {
        try {
          const { value, strictErrors } = readYaml(body);
          return { value: isPlainJson(value) ? value : plainJson(value), strictErrors };
        } catch (error) {
          if (!(error instanceof DecodeError)) throw error;
          throw new DecodeError(`error converting YAML to JSON: ${error.message}`);
        }
      },
      notAnObject,
    };
  },
  "application/apply-patch+cbor": async () => {
    const { decodeCbor } = await import("../../codec/cbor/cbor.ts");
    return {
      // The CBOR decoder rejects duplicate keys.
      read: (body) => ({ value: decodeCbor(body), strictErrors: [] }),
      notAnObject: (value) => `cbor: cannot unmarshal ${cborKind(value)} into ${goType}`,
    };
  },
};

function notAnObject(value: JsonValue): string {
  return `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${jsonKind(value)} into ${goType}`;
}

const goType = "Go value of type map[string]interface {}";

function jsonKind(value: JsonValue): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  return typeof value === "string" ? "string" : "number";
}

function cborKind(value: JsonValue): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "string") return "UTF-8 text string";
  if (!Number.isInteger(value)) return "primitives";
  return Number(value) < 0 ? "negative integer" : "positive integer";
}

/** @throws {StatusError} badRequest for a body that is not an object; an empty body is an empty object */
function parse(body: Uint8Array, { read, notAnObject }: Reader): Configuration {
  try {
    const { value, strictErrors } = read(body);
    const config = value ?? {};
    if (!isJsonObject(config)) throw new DecodeError(notAnObject(config));
    return { config, strictErrors };
  } catch (error) {
    throw error instanceof DecodeError ? badRequest(`error decoding YAML: ${error.message}`) : error;
  }
}

/** @throws {StatusError} badRequest for duplicate keys under strict validation */
function checkStrictly(strictErrors: readonly string[], { fieldValidation, context }: Patching): void {
  if (strictErrors.length === 0 || fieldValidation === "Ignore") return;
  if (fieldValidation === "Strict") {
    throw badRequest(`error strict decoding YAML: error converting YAML to JSON: ${strictErrors.join("\n")}`);
  }
  for (const text of strictWarnings(strictErrors)) context.warn(text);
}

/** A configuration with a uid refers to an existing object and does not create one. */
function checkUid({ metadata }: KubeObject, { scope, context }: Patching): void {
  const { uid } = metadata;
  if (!uid) return;
  const text = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
  throw conflict(scope.rest.definition.groupResource, context.info.name, text);
}
