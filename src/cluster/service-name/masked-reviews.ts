import { base64Of, bytesOfBase64 } from "../../apimachinery/base64.ts";
import { DecodeError } from "../../apimachinery/decode-error.ts";
import { structAt, textAt } from "../../apimachinery/fields.ts";
import { isJsonObject } from "../../apimachinery/json.ts";
import { jsonSyntaxError } from "../../codec/json/go-json-error.ts";
import { encodeJson, parseJson } from "../../codec/json/json.ts";
import type { ReviewWire } from "../../webhooks/review-wire.ts";
import { fromClient, renamedText, toClient } from "./renaming.ts";

/** Webhooks write names as clients do, also in the patches of their answers. */
export const maskedReviews: ReviewWire = {
  sent: toClient,
  answered: (body) => {
    const real = renamedText(body, fromClient);
    if (jsonSyntaxError(real) !== undefined) return real;
    const review = parseJson(real);
    if (!isJsonObject(review)) return real;
    const response = structAt(review, "response");
    const patch = textAt(response, "patch");
    if (patch === "") return real;
    return new TextEncoder().encode(
      encodeJson({ ...review, response: { ...response, patch: realPatch(patch) } }),
    );
  },
};

/** Base64 with the real names. What is no base64 is an error of the webhook, which the server reports. */
function realPatch(base64: string): string {
  try {
    return base64Of(renamedText(bytesOfBase64(base64), fromClient));
  } catch (error) {
    if (error instanceof DecodeError) return base64;
    throw error;
  }
}
