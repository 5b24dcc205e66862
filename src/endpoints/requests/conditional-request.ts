import type { ApiRequest } from "../../request/handler.ts";

/** The validators of a document. */
export interface Validators {
  /** With quotes. */
  readonly etag?: string;
  /** Milliseconds since the epoch. */
  readonly lastModified: number;
}

/** An entity tag, `"a"` or the weak `W/"a"`; comparison ignores the weakness. */
const entityTag = /(W\/)?("[^"]*")/g;

/**
 * The status of a conditional request: 304 if the client has the document, 412 if its condition fails, undefined if
 * the document is sent. As in Go's `http.ServeContent`.
 */
export function preconditionStatus(request: ApiRequest, validators: Validators): 304 | 412 | undefined {
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (isRefused(request, validators)) return 412;
  const ifNoneMatch = request.headers.get("if-none-match");
  if (ifNoneMatch !== undefined) {
    if (!namesTag(ifNoneMatch, validators.etag, "weak")) return undefined;
    return isRead ? 304 : 412;
  }
  return isRead && inSeconds(validators) <= timeOf(request.headers.get("if-modified-since"))
    ? 304
    : undefined;
}

function isRefused({ headers }: ApiRequest, validators: Validators): boolean {
  const ifMatch = headers.get("if-match");
  if (ifMatch !== undefined) return !namesTag(ifMatch, validators.etag, "strong");
  return inSeconds(validators) > timeOf(headers.get("if-unmodified-since"));
}

function namesTag(list: string, etag: string | undefined, comparison: "weak" | "strong"): boolean {
  if (list.trim() === "*") return true;
  for (const [, weak, value] of list.matchAll(entityTag)) {
    if (value === etag && (weak === undefined || comparison === "weak")) return true;
  }
  return false;
}

/** Milliseconds since the epoch; without a valid date NaN, which is neither before nor after any time. */
function timeOf(header: string | undefined): number {
  return Date.parse(header ?? "");
}

/** The time of the header, in whole seconds. */
function inSeconds({ lastModified }: Validators): number {
  return Math.floor(lastModified / 1000) * 1000;
}
