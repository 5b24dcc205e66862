import { type Awaitable, whenReady } from "../../apimachinery/awaitable.ts";
import { DecodeError } from "../../apimachinery/decode-error.ts";
import { invalid, type StatusError } from "../../apimachinery/errors/errors.ts";
import { fieldInvalid } from "../../apimachinery/errors/field.ts";
import { goText } from "../../apimachinery/go/go-text.ts";
import type { ParsedJson } from "../../apimachinery/go/parsed-json.ts";
import type { GroupVersionKind } from "../../apimachinery/group-version.ts";
import { type JsonObject, shallowCopy } from "../../apimachinery/json.ts";
import type { MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { structSchema } from "../../catalog/struct-schema.ts";
import { BodyError, type DecodedBody, type DecodeTarget, decodeParsed } from "../../codec/decode.ts";
import type { FieldValidation } from "../../patch/field-validation.ts";
import type { StrategicMerge } from "../../patch/strategic-merge-patch.ts";
import { builtInSchema } from "../../schema/built-in-schema.ts";
import type { KindSchema } from "../../schema/kind-schema.ts";
import type { ApiView } from "../../served/api-view.ts";
import { noteCompleteSpec, specApart, withSpec } from "../contract/complete-spec.ts";
import { conversionBetween, convertObject, convertObjectToStored } from "../contract/conversion.ts";
import { asKubeObject, defaultedObject } from "../contract/defaulted-object.ts";
import type { ResourceContext, ResourceScope } from "../contract/scope.ts";
import { decodeTarget, unknownConversion } from "../requests/decode-body.ts";

/** The request that patches, and its field validation. */
export interface Patching {
  readonly scope: ResourceScope;
  readonly context: ResourceContext;
  readonly view: ApiView;
  readonly fieldValidation: FieldValidation;
}

/** The version assumed for a document without `apiVersion`. */
const internalVersion = "__internal";

/** Internal types have no fields that a document could set: their Go names differ from those of the API. */
const internalType: KindSchema = builtInSchema(
  structSchema({
    name: "",
    gv: { group: "", version: internalVersion },
    typeMeta: true,
    fields: [],
    message: [],
    mapType: undefined,
    unions: [],
  }),
);

/**
 * Decodes the document that a JSON or merge patch left.
 * @throws {StatusError} invalid, with the document
 */
export function decodePatched(
  document: ParsedJson,
  text: () => string,
  patchErrors: readonly string[],
  patching: Patching,
): Awaitable<MutableKubeObject> {
  const apart = specApart(document, patching.scope);
  const decoded = decode(apart.document, text, patching);
  withSpec(decoded.object, apart);
  return whenReady(inScope(decoded, text, patching), (object) => {
    noteCompleteSpec(document, object, patching.scope);
    checkFields([...patchErrors, ...decoded.strictErrors], text, patching);
    return object;
  });
}

/**
 * Gives the result of a strategic merge patch its type. The kind stays, even if the patch sets another one.
 * @throws {StatusError} invalid, with the remaining patch
 */
export function convertPatched(
  { document, patch }: StrategicMerge,
  patchErrors: readonly string[],
  patching: Patching,
): MutableKubeObject {
  const { scope } = patching;
  const text = () => goText(patch);
  try {
    const apart = specApart(document, scope);
    // The result of the merge is plain JSON.
    const { object, unknownFields } = scope.schema.fromUnstructured(apart.document as JsonObject);
    checkFields([...patchErrors, ...unknownFields], text, patching);
    const patched = defaultedObject(withSpec(object, apart), scope.gvk, scope);
    noteCompleteSpec(document, patched, scope);
    return patched;
  } catch (error) {
    throw error instanceof DecodeError ? invalidPatch(text(), error.message) : error;
  }
}

function decode(document: ParsedJson, text: () => string, { scope, view }: Patching): DecodedBody {
  const target = decodeTarget(scope, view);
  const patchTarget: DecodeTarget = {
    ...target,
    defaults: { ...scope.gvk, version: internalVersion },
    schemaOf: (gvk) => (gvk.version === internalVersion ? internalType : target.schemaOf(gvk)),
  };
  try {
    return decodeParsed(document, [], patchTarget);
  } catch (error) {
    throw error instanceof BodyError ? invalidPatch(text(), error.message) : error;
  }
}

/** Converts an object that names another version of the kind to the version of the endpoint. */
function inScope(
  { gvk, object }: DecodedBody,
  text: () => string,
  { scope, view }: Patching,
): Awaitable<MutableKubeObject> {
  const problem = unknownConversion(gvk, scope, view);
  if (problem !== undefined) throw invalidPatch(text(), problem);
  const schema = view.kind(gvk);
  if (schema === undefined || isSameVersion(gvk, scope.gvk)) return defaultedObject(object, scope.gvk, scope);
  const sent = conversionBetween(scope.rest.definition, { gvk, schema }, scope.conversionOf);
  const stored = convertObjectToStored(sent, defaultedObject(object, gvk, scope));
  const converted = whenReady(stored, (object) => convertObject(scope.conversion, object));
  return whenReady(converted, (object) => asKubeObject(shallowCopy(object), scope.gvk));
}

function isSameVersion(a: GroupVersionKind, b: GroupVersionKind): boolean {
  return a.group === b.group && a.version === b.version;
}

/** Rejects or warns about the findings of field validation. */
function checkFields(errors: readonly string[], text: () => string, patching: Patching): void {
  const { fieldValidation, context } = patching;
  if (errors.length === 0 || fieldValidation === "Ignore") return;
  if (fieldValidation === "Strict") {
    throw invalidPatch(text(), `strict decoding error: ${errors.join(", ")}`);
  }
  for (const error of errors) context.warn(error);
}

/** The error for a document that cannot be decoded. It has no name, since the document was not read. */
function invalidPatch(text: string, problem: string): StatusError {
  return invalid({ group: "", kind: "" }, "", [fieldInvalid("patch", text, problem)]);
}
