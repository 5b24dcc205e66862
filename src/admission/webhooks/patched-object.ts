import { DecodeError } from "../../apimachinery/decode-error.ts";
import { internalError } from "../../apimachinery/errors/errors.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import type { JsonValue } from "../../apimachinery/json.ts";
import type { MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { encodeJson, parseJson } from "../../codec/json/json.ts";
import { type JsonPatch, parseJsonPatch, patchJsonText } from "../../patch/json-patch.ts";
import { PatchError } from "../../patch/patch-error.ts";
import type { ObjectInterfaces } from "../contract/object-interfaces.ts";
import type { Invocation } from "./invocation.ts";
import type { ReviewResponse } from "./review-response.ts";
import { WebhookFailure } from "./webhook-failure.ts";

/**
 * The object after the patch of a response; undefined without a patch.
 * @throws {WebhookFailure} for a patch that cannot be read
 * @throws {StatusError} internalError for one that cannot be applied
 */
export function patchedObject(
  { hook, objects: { object, version } }: Invocation,
  { patch: bytes, patchType }: ReviewResponse,
  { decode }: ObjectInterfaces,
): { readonly patch: JsonValue; readonly object: MutableKubeObject } | undefined {
  if (bytes.length === 0) return undefined;
  const { operations } = decodedPatch(bytes);
  if (operations.length === 0) return undefined;
  if (object === null) {
    const problem = "attempted to modify the object, which is not supported for this operation";
    throw internalError(`admission webhook ${goQuote(hook.name)} ${problem}`);
  }
  if (patchType !== "JSONPatch") {
    throw new WebhookFailure(`unsupported patch type ${goQuote(patchType)}`, 400);
  }
  try {
    const text = patchJsonText(encodeJson(object), operations);
    return { patch: parseJson(bytes), object: decode(text, version).object };
  } catch (error) {
    if (error instanceof PatchError || error instanceof DecodeError) throw internalError(error.message);
    throw error;
  }
}

function decodedPatch(bytes: Uint8Array): JsonPatch {
  try {
    // Unknown members of operations are ignored.
    return parseJsonPatch(bytes, "Ignore");
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    throw new WebhookFailure(`received undecodable patch in webhook response: ${error.message}`, 503);
  }
}
