import { genericServerResponse, StatusError, withDetails } from "../apimachinery/errors/errors.ts";
import { isJsonObject, type JsonValue } from "../apimachinery/json.ts";
import type { Status } from "../apimachinery/status.ts";

/** The Status of an answer. If a proxy or a fault wrote the answer, a Status is derived from it as client-go does. */
export function refusal(code: number, content: Uint8Array): StatusError {
  const text = new TextDecoder().decode(content);
  const status = statusIn(text);
  if (status !== undefined) return new StatusError(status);
  const message = text.trim();
  return withDetails(genericServerResponse(code, message), {
    causes: [{ reason: "UnexpectedServerResponse", message }],
  });
}

function statusIn(text: string): Status | undefined {
  try {
    const answer: JsonValue = JSON.parse(text);
    // The other fields are those of the kind.
    return isJsonObject(answer) && answer["kind"] === "Status" ? (answer as unknown as Status) : undefined;
  } catch {
    return undefined;
  }
}
