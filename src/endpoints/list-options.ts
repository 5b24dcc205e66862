import { badRequest, invalid } from "../apimachinery/errors.ts";
import { type FieldError, fieldForbidden, fieldNotSupported } from "../apimachinery/field.ts";
import { optionalBoolean, optionalInteger, textValue } from "../request/query-values.ts";
import { isTrue } from "../request/request-info.ts";

export type ResourceVersionMatch = "" | "Exact" | "NotOlderThan";

/** The query of a list, a watch or a deletecollection, decoded and validated. */
export interface ListOptions {
  readonly labelSelector: string;
  readonly fieldSelector: string;
  readonly watch: boolean;
  readonly allowWatchBookmarks: boolean;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: ResourceVersionMatch;
  readonly timeoutSeconds: number | undefined;
  /** 0 for none; a negative limit is none as well. */
  readonly limit: number;
  readonly continueToken: string;
  readonly sendInitialEvents: boolean | undefined;
}

const listOptionsKind = { group: "meta.k8s.io", kind: "ListOptions" };

/**
 * Decodes the options of a list or a watch; `forceWatch` is the legacy `/watch/` prefix.
 * @throws {StatusError} badRequest when a value cannot be decoded, invalid when values contradict each other.
 */
export function parseListOptions(query: URLSearchParams, forceWatch: boolean): ListOptions {
  const match = textValue(query, "resourceVersionMatch");
  const options = {
    labelSelector: textValue(query, "labelSelector"),
    fieldSelector: textValue(query, "fieldSelector"),
    watch: forceWatch || isTrue(query.get("watch")),
    allowWatchBookmarks: isTrue(query.get("allowWatchBookmarks")),
    resourceVersion: textValue(query, "resourceVersion"),
    timeoutSeconds: optionalInteger(query, "timeoutSeconds"),
    limit: Math.max(0, optionalInteger(query, "limit") ?? 0),
    continueToken: textValue(query, "continue"),
    sendInitialEvents: optionalBoolean(query, "sendInitialEvents"),
  };
  const resourceVersionMatch = checkMatch({ ...options, match });
  return withWatchDefaults({ ...options, resourceVersionMatch });
}

interface Unchecked extends Omit<ListOptions, "resourceVersionMatch"> {
  readonly match: string;
}

/** Upstream's ValidateListOptions. */
function checkMatch(options: Unchecked): ResourceVersionMatch {
  const errors = options.watch ? watchErrors(options) : listErrors(options);
  if (errors.length > 0) throw invalid(listOptionsKind, "", errors);
  const { match } = options;
  return match === "Exact" || match === "NotOlderThan" ? match : "";
}

function listErrors(options: Unchecked): FieldError[] {
  const { match, resourceVersion, continueToken, sendInitialEvents } = options;
  const errors: FieldError[] = [];
  const forbid = (detail: string) =>
    errors.push(fieldForbidden("resourceVersionMatch", `resourceVersionMatch ${detail}`));
  if (match !== "") {
    if (resourceVersion === "") forbid("is forbidden unless resourceVersion is provided");
    if (continueToken !== "") forbid("is forbidden when continue is provided");
    if (match !== "Exact" && match !== "NotOlderThan") {
      errors.push(fieldNotSupported("resourceVersionMatch", match, ["Exact", "NotOlderThan", ""]));
    }
    if (match === "Exact" && resourceVersion === "0") {
      forbid('"exact" is forbidden for resourceVersion "0"');
    }
  }
  if (sendInitialEvents !== undefined) {
    errors.push(fieldForbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
  }
  return errors;
}

function watchErrors(options: Unchecked): FieldError[] {
  const { match, continueToken, sendInitialEvents } = options;
  const field = "resourceVersionMatch";
  if (sendInitialEvents === undefined && match === "") return [];
  const errors: FieldError[] = [];
  if (sendInitialEvents === undefined) {
    const detail = "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided";
    errors.push(fieldForbidden(field, detail));
  } else if (match === "") {
    const detail = "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan";
    errors.push(fieldForbidden(field, detail));
  }
  if (match !== "" && match !== "NotOlderThan")
    errors.push(fieldNotSupported(field, match, ["NotOlderThan"]));
  if (match !== "" && continueToken !== "") {
    errors.push(fieldForbidden(field, "resourceVersionMatch is forbidden when continue is provided"));
  }
  return errors;
}

/** The gate WatchList: a watch from nowhere in particular streams the present state first, and says so. */
function withWatchDefaults(options: ListOptions): ListOptions {
  const { watch, resourceVersion, resourceVersionMatch, sendInitialEvents } = options;
  const isLegacy = sendInitialEvents === undefined && resourceVersionMatch === "";
  if (!watch || !isLegacy || (resourceVersion !== "" && resourceVersion !== "0")) return options;
  return { ...options, sendInitialEvents: true, resourceVersionMatch: "NotOlderThan" };
}

/** A resourceVersion as a number; undefined when it is none. The empty string is 0. */
export function parseResourceVersion(text: string): number | undefined {
  if (text === "") return 0;
  return /^\d{1,19}$/.test(text) ? Number(text) : undefined;
}

/** Options that contradict what the list they continue was asked with. */
export function checkContinue(options: ListOptions): void {
  const { continueToken, resourceVersion } = options;
  if (continueToken === "" || resourceVersion === "" || resourceVersion === "0") return;
  throw badRequest("specifying resource version is not allowed when using continue");
}
