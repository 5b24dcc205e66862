import { isJsonObject, type JsonObject, type JsonValue } from "../apimachinery/json.ts";
import { encodeJson, parseJson } from "../codec/json/json.ts";

/** Changes what is said to webhooks and what they answer, such as names that clients write in another way. */
export interface ReviewWire {
  /** What is sent: the text of a review, the name of a webhook or a header. */
  readonly sent: (text: string) => string;
  /** The bytes of what a webhook answers, which may be anything. */
  readonly answered: (body: Uint8Array) => Uint8Array;
}

/** A review as a webhook in the process gets it. */
export function sentReview(review: JsonObject, wire: ReviewWire | undefined): JsonObject {
  if (wire === undefined) return review;
  const sent = parseJson(wire.sent(encodeJson(review)));
  // Other names leave an object an object.
  return isJsonObject(sent) ? sent : review;
}

/** What a webhook in the process means by its answer. */
export function answeredReview(answer: JsonValue, wire: ReviewWire | undefined): JsonValue {
  if (wire === undefined) return answer;
  return parseJson(wire.answered(new TextEncoder().encode(encodeJson(answer))));
}
