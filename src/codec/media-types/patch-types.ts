import { genericServerResponse, unsupportedMediaType } from "../../apimachinery/errors/errors.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { ApiRequest } from "../../request/handler.ts";
import { noRepresentation } from "./no-representation.ts";
import { isOfUnknownLength, readBody } from "./request-body.ts";

/** The media type of a patch that states changes. */
export type ChangeType =
  | "application/json-patch+json"
  | "application/merge-patch+json"
  | "application/strategic-merge-patch+json";

const applyTypes = ["application/apply-patch+yaml", "application/apply-patch+cbor"] as const;

/** The media type of a patch that states the desired object, an apply configuration. */
export type ApplyType = (typeof applyTypes)[number];

export type PatchType = ChangeType | ApplyType;

/** Whether a patch is an apply. */
export function isApplyType(patchType: PatchType): patchType is ApplyType {
  return applyTypes.some((type) => type === patchType);
}

/** The patch types of built-in resources with these gates, in the order of error messages. */
export function patchTypesOf(gates: FeatureGates): readonly PatchType[] {
  return [
    "application/json-patch+json",
    "application/merge-patch+json",
    "application/strategic-merge-patch+json",
    ...(gates.isEnabled("ServerSideApply") ? (["application/apply-patch+yaml"] as const) : []),
    ...(gates.isEnabled("CBORServingAndStorage") ? (["application/apply-patch+cbor"] as const) : []),
  ];
}

/** Whether the router has a route for the Content-Type of a PATCH. It checks this before Accept. */
export function hasPatchRoute(request: ApiRequest, patchTypes: readonly PatchType[]): boolean {
  const types: readonly string[] = patchTypes;
  return mediaTypesOf(contentTypeOf(request)).some((mediaType) => types.includes(mediaType));
}

/**
 * The patch type of a request that the router has accepted.
 * @throws {StatusError} the handler's error for an unknown Content-Type
 */
export function patchTypeOf(request: ApiRequest, patchTypes: readonly PatchType[]): PatchType {
  const [bare] = contentTypeOf(request).split(";");
  const patchType = patchTypes.find((type) => type === bare);
  if (patchType !== undefined) return patchType;
  throw unsupportedMediaType(
    `the body of the request was in an unknown format - accepted media types include: ${patchTypes.join(", ")}`,
  );
}

function contentTypeOf(request: ApiRequest): string {
  return request.headers.get("content-type") ?? "";
}

/** The router splits the header at commas into several types, one of which must match. */
function mediaTypesOf(header: string): string[] {
  return header.split(",").map((mediaType) => (mediaType.split(";")[0] ?? "").trim());
}

/**
 * The router's error for a PATCH without a route. It reports the media type only for a body of known length. For other
 * bodies it reports that no representation is available.
 * @throws {StatusError} always
 */
export async function refusePatch(request: ApiRequest): Promise<never> {
  if (isOfUnknownLength(request)) throw noRepresentation(request, []);
  const length = request.headers.get("content-length");
  const bytes = length === undefined ? (await readBody(request)).length : Number(length);
  if (bytes > 0) throw genericServerResponse(415, "415: Unsupported Media Type");
  throw noRepresentation(request, []);
}
