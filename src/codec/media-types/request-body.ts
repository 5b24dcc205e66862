import { plainError, requestEntityTooLarge, timeout } from "../../apimachinery/errors/errors.ts";
import { type ApiRequest, BodyTooLargeError, BrokenBodyError } from "../../request/handler.ts";

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

/** Whether the body is chunked, so that its length is unknown until it ends. */
export function isOfUnknownLength({ headers }: ApiRequest): boolean {
  return headers.get("content-length") === undefined && headers.get("transfer-encoding") !== undefined;
}
