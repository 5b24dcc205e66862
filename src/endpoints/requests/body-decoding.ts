import { badRequest, type StatusError } from "../../apimachinery/errors/errors.ts";
import { formatGroupVersion, type GroupVersionKind } from "../../apimachinery/group-version.ts";
import { BodyError, type DecodedBody, type DecodeTarget, decodeObject } from "../../codec/decode.ts";
import type { MediaType } from "../../codec/media-types/output-format.ts";
import { bytesOfContent, type RequestContent } from "../../codec/media-types/request-body.ts";
import { strictWarnings } from "../../codec/strict-warnings.ts";
import type { FieldValidation } from "../../patch/field-validation.ts";
import type { ResourceContext, ResourceScope } from "../contract/scope.ts";

/**
 * Decodes a body in any version.
 * @throws {StatusError} badRequest in the words of the decoder
 */
export async function decodeAs(
  content: RequestContent,
  mediaType: MediaType,
  target: DecodeTarget,
  expected: GroupVersionKind,
): Promise<DecodedBody> {
  try {
    return await decodeObject(content, mediaType, target);
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    if (error.gvk !== undefined) throw cannotBeHandled(error.gvk, expected, error.message);
    const summary = summarize(bytesOfContent(content));
    throw badRequest(
      `the object provided is unrecognized (must be of type ${expected.kind}): ${error.message} (${summary})`,
    );
  }
}

/** The error for a body of this kind that the endpoint cannot read. */
export function cannotBeHandled(
  gvk: GroupVersionKind,
  expected: GroupVersionKind,
  reason: string,
): StatusError {
  return badRequest(
    `${gvk.kind} in version "${gvk.version}" cannot be handled as a ${expected.kind}: ${reason}`,
  );
}

const summaryLength = 30;

/** The start of a body, for errors: text if it looks like JSON, otherwise hexadecimal. */
export function summarize(bytes: Uint8Array): string {
  if (bytes.length === 0) return "<empty>";
  const head = bytes.subarray(0, summaryLength);
  const isCut = bytes.length > summaryLength;
  const text =
    head[0] === "{".charCodeAt(0)
      ? new TextDecoder().decode(head)
      : Array.from(head, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return isCut ? `${text} ...` : text;
}

/** @throws {StatusError} badRequest for another version of the kind */
export function checkVersion(gvk: GroupVersionKind, scope: ResourceScope): void {
  if (isAccepted(gvk, scope)) return;
  const sent = formatGroupVersion(gvk);
  const expected = formatGroupVersion(scope.gvk);
  throw badRequest(
    `the API version in the data (${sent}) does not match the expected API version (${expected})`,
  );
}

/** Whether the endpoint takes bodies of this type. */
export function isAccepted(gvk: GroupVersionKind, { gvk: expected, rest }: ResourceScope): boolean {
  if (isSameKind(gvk, expected)) return true;
  return gvk.kind === expected.kind && (rest.acceptsVersion?.(gvk) ?? false);
}

/** Whether two types are the same. */
export function isSameKind(a: GroupVersionKind, b: GroupVersionKind): boolean {
  return a.kind === b.kind && a.version === b.version && a.group === b.group;
}

/** Refuses or warns about what strict decoding found, by the level of field validation. @throws {StatusError} badRequest */
export function validateFields(
  { gvk, strictErrors }: DecodedBody,
  fieldValidation: FieldValidation,
  scope: ResourceScope,
  context: Pick<ResourceContext, "warn">,
): void {
  if (strictErrors.length === 0 || fieldValidation === "Ignore") return;
  if (fieldValidation === "Strict") {
    throw cannotBeHandled(gvk, scope.gvk, `strict decoding error: ${strictErrors.join(", ")}`);
  }
  for (const text of strictWarnings(strictErrors)) context.warn(text);
}
