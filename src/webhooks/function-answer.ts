import type { JsonObject, JsonValue } from "../apimachinery/json.ts";
import { toJson } from "../apimachinery/to-json.ts";
import { WebhookError } from "./webhook-error.ts";
import type { ReviewFunction } from "./webhook-target.ts";

/** What a function of a test answers, which may be anything. @throws {WebhookError} with the message of what it throws */
export async function answerOf(review: ReviewFunction, sent: JsonObject): Promise<JsonValue> {
  try {
    return toJson(await review(sent)) ?? null;
  } catch (error) {
    throw new WebhookError(error instanceof Error ? error.message : String(error));
  }
}
