import { DecodeError } from "../../apimachinery/decode-error.ts";
import { internalError } from "../../apimachinery/errors/errors.ts";
import { formatGroupVersionKind } from "../../apimachinery/group-version.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { CelValue } from "../../cel/values/value.ts";
import { encodeJson } from "../../codec/json/json.ts";
import { MergeError, mergeConfiguration } from "../../patch/apply/merge-configuration.ts";
import { type JsonPatchOperation, patchJsonText } from "../../patch/json-patch.ts";
import { FailedTest, PatchError } from "../../patch/patch-error.ts";
import type { DecodedObject, ObjectInterfaces, ObjectVersion } from "../contract/object-interfaces.ts";
import type { Mutation } from "./mutating-policy.ts";
import { configurationOf, jsonPatchOf, MutationError } from "./mutation-value.ts";

/**
 * The object after a patch, without defaults; undefined if a test in the patch does not hold, which leaves the object as it is.
 * `object` is in the form in which clients see it.
 * @throws {MutationError} if the failure policy decides about the request
 * @throws {StatusError} internalError for an object that cannot be decoded
 */
export function mutatedObject(
  { form, expression }: Mutation,
  value: CelValue,
  object: KubeObject,
  version: ObjectVersion,
  objects: ObjectInterfaces,
): MutableKubeObject | undefined {
  if (form === "applyConfiguration") return mergedObject(value, object, version, objects);
  const text = patchedText(object, jsonPatchOf(value, expression));
  return text === undefined ? undefined : decodedObject(text, version, objects);
}

function patchedText(object: KubeObject, operations: readonly JsonPatchOperation[]): string | undefined {
  try {
    return patchJsonText(encodeJson(object), operations);
  } catch (error) {
    if (error instanceof FailedTest) return undefined;
    throw error instanceof PatchError ? new MutationError(`JSON Patch: ${error.message}`) : error;
  }
}

function decodedObject(
  text: string,
  version: ObjectVersion,
  { decode }: ObjectInterfaces,
): MutableKubeObject {
  let decoded: DecodedObject;
  try {
    decoded = decode(text, version);
  } catch (error) {
    throw error instanceof DecodeError ? internalError(error.message) : error;
  }
  const { object, strictErrors } = decoded;
  if (strictErrors.length > 0) throw internalError(`strict decoding error: ${strictErrors.join(", ")}`);
  return object;
}

function mergedObject(
  value: CelValue,
  object: KubeObject,
  version: ObjectVersion,
  { applyKindOf, fromUnstructured }: ObjectInterfaces,
): MutableKubeObject {
  const { kind, apiVersion } = object;
  const configuration = { ...configurationOf(value), apiVersion, kind };
  const applied = applyKindOf(version);
  const gvk = formatGroupVersionKind(version.gvk);
  try {
    if (applied === undefined) {
      throw new MergeError(
        `failed to convert patch object to typed object: no corresponding type for ${gvk}`,
      );
    }
    return fromUnstructured(mergeConfiguration(applied, object, configuration), version);
  } catch (error) {
    if (error instanceof MergeError) throw new MutationError(`error applying patch: ${error.message}`);
    if (!(error instanceof DecodeError)) throw error;
    throw new MutationError(`unable to convert unstructured object to ${gvk}: ${error.message}`);
  }
}
