import { base64Of } from "../../apimachinery/base64.ts";
import { structAt, textAt } from "../../apimachinery/fields.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import { encodeJson } from "../../codec/json/json.ts";

/**
 * The review that a function of a test answers. It may return only the response, without a uid; its patch may be a list of operations.
 */
export function reviewOfAnswer(answer: JsonValue, sent: JsonObject): JsonValue {
  if (!isJsonObject(answer)) return answer;
  if (isJsonObject(answer["response"])) return { ...answer, response: encoded(answer["response"]) };
  if (typeof answer["allowed"] !== "boolean") return answer;
  const { kind = "", apiVersion = "" } = sent;
  const uid = textAt(structAt(sent, "request"), "uid");
  return { kind, apiVersion, response: encoded({ uid, ...answer }) };
}

function encoded(response: JsonObject): JsonObject {
  const { patch } = response;
  if (!Array.isArray(patch)) return response;
  const text = base64Of(new TextEncoder().encode(encodeJson(patch)));
  return { patchType: "JSONPatch", ...response, patch: text };
}
