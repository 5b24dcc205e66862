import { messageOf } from "../apimachinery/errors/message-of.ts";
import { type JsonObject, type JsonValue, jsonCopy } from "../apimachinery/json.ts";
import { toJson } from "../apimachinery/to-json.ts";
import { WebhookError } from "./webhook-error.ts";
import type { ReviewFunction } from "./webhook-target.ts";

/**
 * What a function of a test answers, which may be anything. It gets a copy, which it may change and keep, as a server may.
 * @throws {WebhookError} with the message of what it throws
 */
export async function answerOf(review: ReviewFunction, sent: JsonObject): Promise<JsonValue> {
  try {
    return toJson(await review(jsonCopy(sent))) ?? null;
  } catch (error) {
    throw new WebhookError(messageOf(error));
  }
}
