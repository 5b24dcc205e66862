import { requestEntityTooLarge } from "../../apimachinery/errors/errors.ts";
import { type ApiRequest, BodyTooLargeError } from "../../request/handler.ts";

/** The maximum size of a body, in bytes. */
const bodyLimit: number = 3 * 1024 * 1024;

/** @throws {StatusError} requestEntityTooLarge */
export async function readBody(request: ApiRequest): Promise<Uint8Array> {
  try {
    return await request.body(bodyLimit);
  } catch (error) {
    if (error instanceof BodyTooLargeError) throw requestEntityTooLarge(`limit is ${bodyLimit}`);
    throw error;
  }
}

/** Whether the body is chunked, so that its length is unknown until it ends. */
export function isOfUnknownLength({ headers }: ApiRequest): boolean {
  return headers.get("content-length") === undefined && headers.get("transfer-encoding") !== undefined;
}
