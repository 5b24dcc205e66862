import { badRequest, invalid } from "../../apimachinery/errors/errors.ts";
import { type FieldCause, fieldForbidden, fieldNotSupported } from "../../apimachinery/errors/field.ts";
import { type FieldSelector, parseFieldSelector } from "../../apimachinery/selectors/field-selector.ts";
import { type LabelSelector, parseLabelSelector } from "../../apimachinery/selectors/label-selector.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import { decodeContinueToken } from "../../registry/generic/continue-token.ts";
import type { QueryParameters } from "../../request/query-parameters.ts";
import { isTrue, optionalBoolean, optionalInteger, textValue } from "../../request/query-values.ts";

export type ResourceVersionMatch = "" | "Exact" | "NotOlderThan";

/** The query of a list, a watch or a deletecollection, decoded and validated. */
export interface ListOptions {
  readonly labelSelector: LabelSelector;
  /** With the field labels of the requested version. */
  readonly fieldSelector: FieldSelector;
  readonly watch: boolean;
  readonly allowWatchBookmarks: boolean;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: ResourceVersionMatch;
  readonly timeoutSeconds: number | undefined;
  /** 0 for no limit; a negative limit is none either. */
  readonly limit: number;
  readonly continueToken: string;
  readonly sendInitialEvents: boolean | undefined;
}

const listOptionsKind = { group: "meta.k8s.io", kind: "ListOptions" };

/**
 * Decodes the options of a list or a watch. Only the parameter `watch` selects the rules of watches: the legacy
 * `/watch/` prefix keeps the rules of lists, as upstream.
 * @throws {StatusError} badRequest if a value cannot be decoded, invalid if values contradict each other
 */
export function parseListOptions(query: QueryParameters, gates: FeatureGates): ListOptions {
  const hasWatchList = gates.isEnabled("WatchList");
  const sent = {
    match: textValue(query, "resourceVersionMatch"),
    watch: isTrue(query.get("watch")),
    allowWatchBookmarks: isTrue(query.get("allowWatchBookmarks")),
    resourceVersion: textValue(query, "resourceVersion"),
    timeoutSeconds: optionalInteger(query, "timeoutSeconds"),
    limit: Math.max(0, optionalInteger(query, "limit") ?? 0),
    continueToken: textValue(query, "continue"),
    sendInitialEvents: optionalBoolean(query, "sendInitialEvents"),
    labelSelector: parseLabelSelector(textValue(query, "labelSelector"), gates.since),
    fieldSelector: parseFieldSelector(textValue(query, "fieldSelector")),
  };
  const { match, ...options } = hasWatchList ? withWatchDefaults(sent) : sent;
  const resourceVersionMatch = checkMatch({ ...options, match, hasWatchList });
  const pages = gates.isEnabled("APIListChunking") ? {} : { limit: 0, continueToken: "" };
  return { ...options, ...pages, resourceVersionMatch };
}

interface Unchecked extends Omit<ListOptions, "resourceVersionMatch"> {
  readonly match: string;
  /** The gate WatchList. */
  readonly hasWatchList: boolean;
}

/** Upstream's ValidateListOptions. */
function checkMatch(options: Unchecked): ResourceVersionMatch {
  const errors: FieldCause[] = [];
  if (options.watch) addWatchErrors(errors, options);
  else addListErrors(errors, options);
  if (errors.length > 0) throw invalid(listOptionsKind, "", errors);
  const { match } = options;
  return match === "Exact" || match === "NotOlderThan" ? match : "";
}

function addListErrors(errors: FieldCause[], options: Unchecked): void {
  const { match, resourceVersion, continueToken, sendInitialEvents } = options;
  const forbid = (detail: string) =>
    errors.push(fieldForbidden("resourceVersionMatch", `resourceVersionMatch ${detail}`));
  if (match !== "") {
    if (resourceVersion === "") {
      forbid("is forbidden unless resourceVersion is provided");
    }
    if (continueToken !== "") {
      forbid("is forbidden when continue is provided");
    }
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
}

function addWatchErrors(
  errors: FieldCause[],
  { match, continueToken, sendInitialEvents, hasWatchList }: Unchecked,
): void {
  const forbid = (detail: string) => errors.push(fieldForbidden("resourceVersionMatch", detail));
  if (sendInitialEvents !== undefined) {
    if (match !== "NotOlderThan") {
      forbid("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
    }
    if (!hasWatchList) {
      const detail = "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled";
      errors.push(fieldForbidden("sendInitialEvents", detail));
    }
  }
  if (match === "") return;
  if (sendInitialEvents === undefined) {
    forbid("resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
  }
  if (match !== "NotOlderThan") {
    errors.push(fieldNotSupported("resourceVersionMatch", match, ["NotOlderThan"]));
  }
  if (continueToken !== "") {
    forbid("resourceVersionMatch is forbidden when continue is provided");
  }
}

/**
 * Feature gate WatchList: a watch without a revision streams the initial state first. These defaults are validated like
 * options of the client (apimachinery, pkg/apis/meta/internalversion/defaults.go: SetListOptionsDefaults).
 */
function withWatchDefaults<O extends Omit<Unchecked, "hasWatchList">>(options: O): O {
  const { watch, resourceVersion, match, sendInitialEvents } = options;
  const isLegacy = sendInitialEvents === undefined && match === "";
  if (!watch || !isLegacy || (resourceVersion !== "" && resourceVersion !== "0")) return options;
  return { ...options, sendInitialEvents: true, match: "NotOlderThan" };
}

const largestResourceVersion = 2n ** 64n - 1n;

/**
 * A resourceVersion as a number; undefined if it is not a number. The empty string is 0. A number above 2^53 is
 * rounded, which is precise enough for comparisons.
 */
export function parseResourceVersion(text: string): number | undefined {
  if (text === "") return 0;
  if (!/^\d+$/.test(text)) return undefined;
  return BigInt(text) <= largestResourceVersion ? Number(text) : undefined;
}

/**
 * Checks that a list with a continue token has no resourceVersion.
 * @throws {StatusError} badRequest for an invalid token, and for a token with a resourceVersion
 */
export function checkContinue({ continueToken, resourceVersion }: ListOptions): void {
  if (continueToken === "") return;
  decodeContinueToken(continueToken);
  if (resourceVersion === "" || resourceVersion === "0") return;
  throw badRequest("specifying resource version is not allowed when using continue");
}
