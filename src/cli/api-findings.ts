import { textAt } from "../apimachinery/fields.ts";
import { formatGroupVersion, type GroupVersion, parseGroupVersion } from "../apimachinery/group-version.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../apimachinery/json.ts";
import { type AnyRelease, type Release, releases, sinceOf } from "../apimachinery/release.ts";
import { historyOfKind, historyOfResource, type ResourceHistory } from "../catalog/kind-history.ts";
import { deprecationWarning } from "../endpoints/responses/deprecation-warning.ts";

/** What a release says about an API that a manifest or a request uses. */
export interface ApiFinding {
  /** `removed`: the release does not serve it any more; `missing`: it does not serve it yet. */
  readonly state: "removed" | "missing" | "deprecated";
  readonly source: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** The name of the object, and its namespace before a slash; empty if the source does not say. */
  readonly name: string;
  /** The release from which on it is so. */
  readonly since: string;
  /** The release that removes, or has removed, the version. */
  readonly removed: string | undefined;
  readonly replacement: { readonly apiVersion: string; readonly kind: string } | undefined;
  readonly message: string;
}

/**
 * What a release does not serve or deprecates of what a document uses: a manifest, a list, an event of the audit log, or the log of
 * requests as `kubedouble requests -o json` prints it. Empty for kinds that are not built in, and for other documents.
 */
export function apiFindings(value: JsonValue, source: string, release: Release): readonly ApiFinding[] {
  if (!isJsonObject(value)) return [];
  const { apiVersion, kind, items, requests } = value;
  if (kind === undefined && Array.isArray(requests)) {
    const logged: readonly JsonValue[] = requests;
    return logged.flatMap((request, index) =>
      ofRequest(requestOf(request, "group", "version"), `${source}, requests[${index}]`, release),
    );
  }
  if (typeof apiVersion !== "string" || typeof kind !== "string") {
    // A line of the log of requests; of other documents, a resource of no group is none that exists.
    return ofRequest(requestOf(value, "group", "version"), source, release);
  }
  if (kind === "Event" && apiVersion.startsWith("audit.k8s.io/")) {
    return ofRequest(requestOf(value["objectRef"], "apiGroup", "apiVersion"), source, release);
  }
  if (!kind.endsWith("List") || !Array.isArray(items))
    return ofObject(value, apiVersion, kind, source, release);
  const implied = kind === "List" ? {} : { apiVersion, kind: kind.slice(0, -"List".length) };
  const all: readonly JsonValue[] = items;
  return all.flatMap((item, index) =>
    apiFindings(isJsonObject(item) ? { ...implied, ...item } : item, `${source}, items[${index}]`, release),
  );
}

function ofObject(
  { metadata }: JsonObject,
  apiVersion: string,
  kind: string,
  source: string,
  release: Release,
): readonly ApiFinding[] {
  const gv = parseGroupVersion(apiVersion);
  const history = gv && historyOfKind(gv, kind);
  if (history === undefined) return [];
  const { name = "", namespace = "" } = isJsonObject(metadata) ? metadata : {};
  const shown = [namespace, name].filter((part) => part !== "").join("/");
  return findingsOf(history, shown, source, release);
}

/** A request to a built-in resource; `requestOf` has read what the record says about it. */
function ofRequest(
  request: RequestedResource | undefined,
  source: string,
  release: Release,
): readonly ApiFinding[] {
  const history = request && historyOfResource(request, request.resource);
  if (request === undefined || history === undefined) return [];
  const shown = [request.namespace, request.name].filter((part) => part !== "").join("/");
  return findingsOf(history, shown, source, release);
}

interface RequestedResource extends GroupVersion {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

/** The resource in a reference of the audit log, or in an entry of the log of requests; undefined for other paths. */
function requestOf(
  record: JsonValue | undefined,
  group: string,
  version: string,
): RequestedResource | undefined {
  if (!isJsonObject(record)) return undefined;
  const resource = textAt(record, "resource");
  if (resource === "") return undefined;
  return {
    group: textAt(record, group),
    version: textAt(record, version),
    resource,
    namespace: textAt(record, "namespace"),
    name: textAt(record, "name"),
  };
}

function findingsOf(
  { resource, releases: served }: ResourceHistory,
  name: string,
  source: string,
  release: Release,
): readonly ApiFinding[] {
  const { first, removed } = served;
  const { deprecated, replacement, removed: planned } = resource.lifecycle;
  const since = sinceOf<AnyRelease>(release);
  const apiVersion = formatGroupVersion(resource);
  const { kind } = resource;
  const what = `${apiVersion} ${kind}`;
  const instead = replacement && { apiVersion: formatGroupVersion(replacement), kind: replacement.kind };
  const use = instead === undefined ? "" : `; use ${instead.apiVersion} ${instead.kind}`;
  const common = { source, apiVersion, kind, name, replacement: instead };
  if (!since(first)) {
    return [
      { state: "missing", ...common, since: first, removed, message: `${what} is available in v${first}+` },
    ];
  }
  if (removed !== undefined && since(removed)) {
    const message = `${what} is unavailable in v${removed}+${use}`;
    return [{ state: "removed", ...common, since: removed, removed, message }];
  }
  if (deprecated === undefined || !since(deprecated)) return [];
  // Servers before 1.19 send no warnings, but what they would say is known.
  const message = deprecationWarning(resource, newest) ?? `${what} is deprecated in v${deprecated}+${use}`;
  return [{ state: "deprecated", ...common, since: deprecated, removed: planned, message }];
}

const newest = releases.at(-1) ?? releases[0];
