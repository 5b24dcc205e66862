import { DecodeError } from "../../apimachinery/decode-error.ts";
import { invalid, type StatusError } from "../../apimachinery/errors/errors.ts";
import { fieldInvalid } from "../../apimachinery/errors/field.ts";
import { goText } from "../../apimachinery/go/go-text.ts";
import type { ParsedJson } from "../../apimachinery/go/parsed-json.ts";
import type { GroupVersionKind } from "../../apimachinery/group-version.ts";
import { shallowCopy } from "../../apimachinery/json.ts";
import type { MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { structSchema } from "../../catalog/struct-schema.ts";
import { BodyError, type DecodedBody, type DecodeTarget, decodeParsed } from "../../codec/decode.ts";
import type { FieldValidation } from "../../patch/field-validation.ts";
import type { StrategicMerge } from "../../patch/strategic-merge-patch.ts";
import { builtInSchema } from "../../schema/built-in-schema.ts";
import type { KindSchema } from "../../schema/kind-schema.ts";
import type { ApiView } from "../../served/api-view.ts";
import {
  type Awaitable,
  conversionBetween,
  convertObject,
  convertObjectToStored,
  whenReady,
} from "../contract/conversion.ts";
import { asKubeObject, defaultedObject } from "../contract/defaulted-object.ts";
import type { ResourceContext, ResourceScope } from "../contract/scope.ts";
import { decodeTarget, unknownConversion } from "../requests/decode-body.ts";

/** Who wants an object patched, and how closely to look at it. */
export interface Patching {
  readonly scope: ResourceScope;
  readonly context: ResourceContext;
  readonly view: ApiView;
  readonly fieldValidation: FieldValidation;
}

/** The version that a document without `apiVersion` is taken for. */
const internalVersion = "__internal";

/** As far as documents go, internal types have no fields: Go's names for them are not those of the API. */
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
 * The object that a JSON or merge patch has made, from the document that it left.
 * @throws {StatusError} invalid, which shows the document
 */
export function decodePatched(
  document: ParsedJson,
  text: () => string,
  patchErrors: readonly string[],
  patching: Patching,
): Awaitable<MutableKubeObject> {
  const decoded = decode(document, text, patching);
  return whenReady(inScope(decoded, text, patching), (object) => {
    checkFields([...patchErrors, ...decoded.strictErrors], text, patching);
    return object;
  });
}

/**
 * The object that a strategic merge patch has made. It keeps its kind, whatever the patch says.
 * @throws {StatusError} invalid, which shows what is left of the patch
 */
export function convertPatched(
  { document, patch }: StrategicMerge,
  patchErrors: readonly string[],
  patching: Patching,
): MutableKubeObject {
  const { schema, gvk } = patching.scope;
  const text = () => goText(patch);
  try {
    const { object, unknownFields } = schema.fromUnstructured(document);
    checkFields([...patchErrors, ...unknownFields], text, patching);
    return defaultedObject(object, gvk, patching.scope);
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

/** Brings an object that calls itself another version of the kind into that of the endpoint. */
function inScope(
  { gvk, object }: DecodedBody,
  text: () => string,
  { scope, view }: Patching,
): Awaitable<MutableKubeObject> {
  const problem = unknownConversion(gvk, scope, view);
  if (problem !== undefined) throw invalidPatch(text(), problem);
  const schema = gvk.version === internalVersion ? undefined : view.kind(gvk);
  if (schema === undefined || isSameVersion(gvk, scope.gvk)) return defaultedObject(object, scope.gvk, scope);
  const sent = conversionBetween(scope.rest.definition, { gvk, schema }, scope.conversionOf);
  const stored = convertObjectToStored(sent, defaultedObject(object, gvk, scope));
  const converted = whenReady(stored, (object) => convertObject(scope.conversion, object));
  return whenReady(converted, (object) => asKubeObject(shallowCopy(object), scope.gvk));
}

function isSameVersion(a: GroupVersionKind, b: GroupVersionKind): boolean {
  return a.group === b.group && a.version === b.version;
}

/** Refuses what field validation has found, or warns about it. */
function checkFields(errors: readonly string[], text: () => string, patching: Patching): void {
  const { fieldValidation, context } = patching;
  if (errors.length === 0 || fieldValidation === "Ignore") return;
  if (fieldValidation === "Strict") {
    throw invalidPatch(text(), `strict decoding error: ${errors.join(", ")}`);
  }
  for (const error of errors) context.warn(error);
}

/** A patched document that is no object. It has no name, since it could not be read. */
function invalidPatch(text: string, problem: string): StatusError {
  return invalid({ group: "", kind: "" }, "", [fieldInvalid("patch", text, problem)]);
}
