import { genericServerResponse, unsupportedMediaType } from "../apimachinery/errors.ts";
import type { ApiRequest } from "../request/handler.ts";
import { readBody } from "./request-body.ts";

/** The kinds of patches that built-in resources take, as Content-Type names them and in the order of refusals. */
export const patchTypes = [
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
] as const;

export type PatchType = (typeof patchTypes)[number];

/**
 * The kind of patch that a request carries.
 * @throws {StatusError} what first the router and then the handler say of a Content-Type they do not know
 */
export async function patchTypeOf(request: ApiRequest): Promise<PatchType> {
  const header = request.headers.get("content-type") ?? "";
  const types: readonly string[] = patchTypes;
  if (!mediaTypesOf(header).some((mediaType) => types.includes(mediaType)))
    throw await routerRefusal(request);
  const [bare] = header.split(";");
  const patchType = patchTypes.find((type) => type === bare);
  if (patchType !== undefined) return patchType;
  throw unsupportedMediaType(
    `the body of the request was in an unknown format - accepted media types include: ${patchTypes.join(", ")}`,
  );
}

/** The router takes a header with commas for several types, of which one will do. */
function mediaTypesOf(header: string): string[] {
  return header.split(",").map((mediaType) => (mediaType.split(";")[0] ?? "").trim());
}

/**
 * The router only minds the type of a body whose length it knows. Of all others it says that there is no
 * representation to choose from, for then no route is left.
 */
async function routerRefusal(request: ApiRequest) {
  const length = request.headers.get("content-length");
  if (length === undefined && request.headers.get("transfer-encoding") !== undefined) {
    return genericServerResponse(415, "415: Unsupported Media Type\n\nAvailable representations: ");
  }
  const bytes = length === undefined ? (await readBody(request)).length : Number(length);
  if (bytes > 0) return genericServerResponse(415, "415: Unsupported Media Type");
  return genericServerResponse(406, "406: Not Acceptable\n\nAvailable representations: ");
}
