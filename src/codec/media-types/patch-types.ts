import { genericServerResponse, unsupportedMediaType } from "../../apimachinery/errors/errors.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { ApiRequest } from "../../request/handler.ts";
import { noRepresentation } from "./no-representation.ts";
import { isOfUnknownLength, readBody } from "./request-body.ts";

/** A patch that says what to change, as Content-Type names it. */
export type ChangeType =
  | "application/json-patch+json"
  | "application/merge-patch+json"
  | "application/strategic-merge-patch+json";

const applyTypes = ["application/apply-patch+yaml", "application/apply-patch+cbor"] as const;

/** A patch that states the desired object: the formats of apply configurations. */
export type ApplyType = (typeof applyTypes)[number];

export type PatchType = ChangeType | ApplyType;

/** Whether a patch is an apply. */
export function isApplyType(patchType: PatchType): patchType is ApplyType {
  return applyTypes.some((type) => type === patchType);
}

/** The kinds of patches that built-in resources take with these gates, in the order of refusals. */
export function patchTypesOf(gates: FeatureGates): readonly PatchType[] {
  return [
    "application/json-patch+json",
    "application/merge-patch+json",
    "application/strategic-merge-patch+json",
    "application/apply-patch+yaml",
    ...(gates.isEnabled("CBORServingAndStorage") ? (["application/apply-patch+cbor"] as const) : []),
  ];
}

/** Whether the router has a route for what a PATCH carries. It asks this before it looks at what the client accepts. */
export function hasPatchRoute(request: ApiRequest, patchTypes: readonly PatchType[]): boolean {
  const types: readonly string[] = patchTypes;
  return mediaTypesOf(contentTypeOf(request)).some((mediaType) => types.includes(mediaType));
}

/**
 * The kind of patch that a request carries, of which the router thought that there is a route for it.
 * @throws {StatusError} what the handler says of a Content-Type that it does not know
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

/** The router takes a header with commas for several types, of which one will do. */
function mediaTypesOf(header: string): string[] {
  return header.split(",").map((mediaType) => (mediaType.split(";")[0] ?? "").trim());
}

/**
 * What the router says of a PATCH that it has no route for. It only minds the type of a body whose length it knows. Of
 * all others it says that there is no representation to choose from, for then no route is left.
 * @throws {StatusError} always
 */
export async function refusePatch(request: ApiRequest): Promise<never> {
  if (isOfUnknownLength(request)) throw noRepresentation(request, []);
  const length = request.headers.get("content-length");
  const bytes = length === undefined ? (await readBody(request)).length : Number(length);
  if (bytes > 0) throw genericServerResponse(415, "415: Unsupported Media Type");
  throw noRepresentation(request, []);
}
