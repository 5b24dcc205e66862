import { DecodeError } from "../apimachinery/decode-error.ts";
import { goQuote } from "../apimachinery/go/go-quote.ts";
import { DuplicateKeys, NumberLiteral, type ParsedJson } from "../apimachinery/go/parsed-json.ts";
import {
  formatGroupVersion,
  type GroupVersionKind,
  parseGroupVersion,
} from "../apimachinery/group-version.ts";
import type { MutableJsonObject } from "../apimachinery/json.ts";
import { jsonKind } from "../schema/decode-state.ts";
import { type KindSchema, structOfKind } from "../schema/kind-schema.ts";
import { HandedValue, readJson } from "./json/json.ts";
import type { MediaType } from "./media-types/output-format.ts";
import type { RequestContent } from "./media-types/request-body.ts";

/** A decoded body. */
export interface DecodedBody {
  readonly gvk: GroupVersionKind;
  readonly object: MutableJsonObject;
  /** The errors of strict field validation, in the order of the body. */
  readonly strictErrors: readonly string[];
}

/** A body that cannot be decoded. `gvk` is set if its kind is known. */
export class BodyError extends Error {
  override readonly name = "BodyError";
  readonly gvk: GroupVersionKind | undefined;

  constructor(message: string, gvk: GroupVersionKind | undefined) {
    super(message);
    this.gvk = gvk;
  }
}

/** The kinds that a body may have. */
export interface DecodeTarget {
  /** The kind of a body that does not state one. */
  readonly defaults: GroupVersionKind;
  /** The schema of a kind; undefined if the scheme does not have it. */
  readonly schemaOf: (gvk: GroupVersionKind) => KindSchema | undefined;
  /** The name of the scheme in upstream's error. */
  readonly schemeName: string;
}

/**
 * Decodes a body by its stated kind.
 * @throws {BodyError} with the text of Go's decoders
 */
export async function decodeObject(
  content: RequestContent,
  mediaType: MediaType,
  target: DecodeTarget,
): Promise<DecodedBody> {
  if (content instanceof HandedValue) return decodeParsed(content.value, [], target);
  const bytes = content;
  switch (mediaType) {
    case "application/json":
      return decodeParsed(
        withBodyError(() => readJson(bytes)),
        [],
        target,
      );
    case "application/yaml":
      return decodeYaml(bytes, target);
    case "application/vnd.kubernetes.protobuf":
      return decodeProtobufBody(bytes, target);
    case "application/cbor":
    case "application/cbor-seq": {
      const { decodeCbor } = await import("./cbor/cbor.ts");
      return decodeParsed(
        withBodyError(() => decodeCbor(bytes), "unable to determine group/version/kind: "),
        [],
        target,
        "exact",
      );
    }
  }
}

/**
 * How a format matches the names `kind` and `apiVersion`: JSON in any case, where the last match counts; YAML as the
 * JSON that upstream makes of it, with sorted keys; CBOR exactly.
 */
type NameMatching = "anyCase" | "anyCaseSorted" | "exact";

/** Decodes a parsed value: a patched document, or the item of a list. */
export function decodeParsed(
  value: ParsedJson,
  earlierErrors: readonly string[],
  target: DecodeTarget,
  matching: NameMatching = "anyCase",
): DecodedBody {
  const gvk = interpret(value, target.defaults, matching);
  const schema = target.schemaOf(gvk);
  if (schema === undefined) throw new BodyError(notRegistered(gvk, target.schemeName), gvk);
  try {
    const { object, strictErrors } = schema.decode(value ?? {});
    return { gvk, object, strictErrors: [...earlierErrors, ...strictErrors] };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new BodyError(error.message, gvk);
  }
}

async function decodeYaml(bytes: Uint8Array, target: DecodeTarget): Promise<DecodedBody> {
  const { readYaml } = await import("./yaml/yaml.ts");
  const { value, strictErrors } = withBodyError(() => readYaml(bytes), "");
  return decodeParsed(value, strictErrors, target, "anyCaseSorted");
}

async function decodeProtobufBody(bytes: Uint8Array, target: DecodeTarget): Promise<DecodedBody> {
  const { decodeProtobuf } = await import("./protobuf/protobuf.ts");
  const { ProtobufError } = await import("./protobuf/protobuf-error.ts");
  const structOf = (gvk: GroupVersionKind) => {
    const schema = target.schemaOf(gvk);
    if (schema === undefined) throw new BodyError(notRegistered(gvk, target.schemeName), gvk);
    return structOfKind(schema);
  };
  try {
    const { gvk, object } = decodeProtobuf(bytes, structOf, target.defaults);
    return { gvk, object, strictErrors: [] };
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error;
    throw new BodyError(error.message, error.gvk);
  }
}

/** Runs a parser; if it fails, the kind of the body is unknown. */
function withBodyError<T>(parse: () => T, prefix = "couldn't get version/kind; json parse error: "): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new BodyError(prefix + error.message, undefined);
  }
}

const typeMetaGoType = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;

/** The stated kind of a body, with the kind and version of the endpoint as defaults. */
function interpret(value: ParsedJson, defaults: GroupVersionKind, matching: NameMatching): GroupVersionKind {
  if (value !== null && !isObject(value)) {
    throw typeMetaError(`cannot unmarshal ${jsonKind(value)} into Go value of type ${typeMetaGoType}`);
  }
  const { kind, apiVersion } = typeMetaOf(value, matching);
  const gv = parseGroupVersion(apiVersion);
  if (gv === undefined) {
    throw new BodyError(`unexpected GroupVersion string: ${apiVersion}`, undefined);
  }
  const { group, version } = apiVersion === "" ? defaults : gv;
  return { group, version, kind: kind === "" ? defaults.kind : kind };
}

function isObject(value: ParsedJson): boolean {
  if (value instanceof DuplicateKeys) return true;
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof NumberLiteral)
  );
}

/**
 * The kind and version that a body states, by the rules of Go's encoding/json: names match in any case, the last match
 * counts, and null changes nothing (apimachinery, pkg/runtime/serializer/json/meta.go).
 * @throws {BodyError} if one of them is not a string
 */
function typeMetaOf(object: ParsedJson, matching: NameMatching): { kind: string; apiVersion: string } {
  const typeMeta = { kind: "", apiVersion: "" };
  for (const [key, value] of typeMetaEntries(object, matching)) {
    const name = key.length === "kind".length ? "kind" : "apiVersion";
    if (typeof value === "string") typeMeta[name] = value;
    else if (value !== null)
      throw typeMetaError(`cannot unmarshal ${jsonKind(value)} into Go struct field .${name} of type string`);
  }
  return typeMeta;
}

// With the flag u, the expression folds cases as Go does: the Kelvin sign is a k.
const typeMetaName = /^(kind|apiVersion)$/iu;

/** The entries of an object that Go reads as `kind` or `apiVersion`, in the order in which it reads them. */
function typeMetaEntries(object: ParsedJson, matching: NameMatching): (readonly [string, ParsedJson])[] {
  if (typeof object !== "object" || object === null) return [];
  const found: (readonly [string, ParsedJson])[] = [];
  const consider = (key: string, value: ParsedJson) => {
    if (key.length !== "kind".length && key.length !== "apiVersion".length) return;
    const isExact = key === "kind" || key === "apiVersion";
    if (isExact || (matching !== "exact" && typeMetaName.test(key))) found.push([key, value]);
  };
  if (object instanceof DuplicateKeys) for (const [key, value] of object.entries) consider(key, value);
  // All callers pass an object.
  else
    for (const key in object) consider(key, (object as { readonly [name: string]: ParsedJson })[key] ?? null);
  return matching === "anyCaseSorted" ? found.sort(([a], [b]) => (a < b ? -1 : 1)) : found;
}

function typeMetaError(detail: string): BodyError {
  return new BodyError(`couldn't get version/kind; json parse error: json: ${detail}`, undefined);
}

function notRegistered(gvk: GroupVersionKind, schemeName: string): string {
  const version = goQuote(formatGroupVersion(gvk));
  return `no kind ${goQuote(gvk.kind)} is registered for version ${version} in scheme ${goQuote(schemeName)}`;
}
