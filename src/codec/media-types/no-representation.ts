import { genericServerResponse, type StatusError } from "../../apimachinery/errors/errors.ts";
import type { ApiRequest } from "../../request/handler.ts";
import { isOfUnknownLength } from "./request-body.ts";

const writingMethods: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

/** The router's error if no representation is acceptable. It treats a write of unknown length as one without a body. */
export function noRepresentation(request: ApiRequest, produced: readonly string[]): StatusError {
  const hasNoBody = writingMethods.has(request.method) && isOfUnknownLength(request);
  const [code, sentence] = hasNoBody ? [415, "Unsupported Media Type"] : [406, "Not Acceptable"];
  const text = `${code}: ${sentence}\n\nAvailable representations: ${produced.join(", ")}`;
  return genericServerResponse(code, text);
}
