import type { Awaitable } from "../../apimachinery/awaitable.ts";
import { plainError, requestEntityTooLarge, timeout } from "../../apimachinery/errors/errors.ts";
import { type ApiRequest, BodyTooLargeError, BrokenBodyError } from "../../request/handler.ts";
import { encodeJson, HandedValue } from "../json/json.ts";

/** The maximum size of a body, in bytes. */
const bodyLimit: number = 3 * 1024 * 1024;

/**
 * @throws {StatusError} requestEntityTooLarge; for a malformed body what its reader says, with status 500; timeout for one that is
 * late. Upstream: apiserver, endpoints/handlers/rest.go, `limitedReadBody`, and filters/timeout.go of its server.
 */
export async function readBody(request: ApiRequest): Promise<Uint8Array> {
  try {
    return await request.body(bodyLimit);
  } catch (error) {
    if (error instanceof BodyTooLargeError) throw requestEntityTooLarge(`limit is ${bodyLimit}`);
    if (error instanceof BrokenBodyError) {
      throw error.kind === "late"
        ? timeout("request did not complete within the allotted timeout", 0)
        : plainError(500, error.message);
    }
    throw error;
  }
}

/** The body of a request: its bytes, or a value that it hands over. */
export type RequestContent = Uint8Array | HandedValue;

/** The content of a request, which is a value if a part of the server sends it. @throws what `readBody` throws */
export function readContent(request: ApiRequest): Awaitable<RequestContent> {
  return request.document === undefined ? readBody(request) : new HandedValue(request.document);
}

/** The bytes of a content. */
export function bytesOfContent(content: RequestContent): Uint8Array {
  return content instanceof HandedValue ? new TextEncoder().encode(encodeJson(content.value)) : content;
}

/** Whether the body is chunked, so that its length is unknown until it ends. */
export function isOfUnknownLength({ headers }: ApiRequest): boolean {
  return headers.get("content-length") === undefined && headers.get("transfer-encoding") !== undefined;
}
