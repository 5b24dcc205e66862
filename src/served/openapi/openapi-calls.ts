import {
  formatGroupVersion,
  type GroupVersion,
  type GroupVersionKind,
} from "../../apimachinery/group-version.ts";
import type { Since } from "../../apimachinery/release.ts";
import type { StructSchema } from "../../catalog/type-schema.ts";
import { structOfKind } from "../../schema/kind-schema.ts";
import type { ApiView } from "../api-view.ts";
import { listSchema } from "../list-schema.ts";
import { type OpenApiMethod, type OpenApiOperation, title } from "./openapi-operation.ts";
import { type OpenApiParameter, optionsParameters, prettyParameter } from "./openapi-parameters.ts";
import { publishedStruct } from "./openapi-published.ts";

/** The media types of objects. */
export const mediaTypes: readonly string[] = [
  "application/json",
  "application/yaml",
  "application/vnd.kubernetes.protobuf",
];

const streamMediaTypes: readonly string[] = [
  ...mediaTypes,
  "application/json;stream=watch",
  "application/vnd.kubernetes.protobuf;stream=watch",
];

const patchMediaTypes: readonly string[] = [
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
];

const anyMediaType: readonly string[] = ["*/*"];

const metaV1: GroupVersion = { group: "meta", version: "v1" };

/** A resource or a subresource. */
export interface OpenApiEndpoint {
  readonly view: ApiView;
  /** Whether the catalog does not have the resource. */
  readonly isDeclared: boolean;
  readonly since: Since;
  readonly gv: GroupVersion;
  readonly gvk: GroupVersionKind;
  readonly resource: string;
  /** Empty for the resource itself. */
  readonly subresource: string;
  /** The kind of the resource, which the operations are named after. */
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: ReadonlySet<string>;
  /** HTTP methods of a connect-style subresource; empty otherwise. */
  readonly connect: readonly string[];
}

/** The verbs of `x-kubernetes-action`. */
export type OpenApiVerb =
  | "list"
  | "post"
  | "deletecollection"
  | "watchlist"
  | "get"
  | "put"
  | "patch"
  | "delete"
  | "watch"
  | "connect";

/** An operation without its path. */
export interface OpenApiCall
  extends Pick<OpenApiOperation, "method" | "description" | "consumes" | "produces" | "body" | "responses"> {
  /** The parts of the operation's name: before the group, before the kind, and after the subresource. */
  readonly name: readonly [verb: string, lead: string, tail: string];
  readonly query: readonly OpenApiParameter[];
}

/** The calls of a verb: one, or for a connect-style subresource one for each method. */
export function callsOf(endpoint: OpenApiEndpoint, verb: OpenApiVerb): readonly OpenApiCall[] {
  switch (verb) {
    case "list":
      return [list(endpoint)];
    case "get":
      return [read(endpoint)];
    case "watch":
    case "watchlist":
      return [watch(endpoint, verb)];
    case "post":
    case "put":
    case "patch":
      return [write(endpoint, verb)];
    case "delete":
    case "deletecollection":
      return [remove(endpoint, verb)];
    case "connect":
      return endpoint.connect.map((method) => connect(endpoint, method));
  }
}

function list(endpoint: OpenApiEndpoint): OpenApiCall {
  const { gv, kind, verbs } = endpoint;
  const type = kindOf(endpoint.view, { ...gv, kind: `${kind}List` });
  return {
    method: "get",
    name: ["list", "", ""],
    description: `${verbs.has("watch") ? "list or watch" : "list"} objects of kind ${kind}`,
    query: [prettyParameter, ...options(endpoint, "ListOptions")],
    consumes: anyMediaType,
    produces: streamMediaTypes,
    body: undefined,
    responses: [{ code: 200, description: "OK", type }],
  };
}

function read(endpoint: OpenApiEndpoint): OpenApiCall {
  const { subresource } = endpoint;
  const isLog = endpoint.resource === "pods" && subresource === "log";
  return {
    method: "get",
    name: ["read", "", ""],
    description: `read ${subresourceOf(endpoint)}the specified ${endpoint.kind}`,
    query: [prettyParameter, ...readOptions(endpoint, isLog)],
    consumes: anyMediaType,
    produces: isLog ? ["text/plain", ...mediaTypes] : mediaTypes,
    body: undefined,
    responses: [
      { code: 200, description: "OK", type: isLog ? "string" : kindOf(endpoint.view, endpoint.gvk) },
    ],
  };
}

/** Up to 1.20 stored kinds could be exported, except those of RBAC. */
function readOptions(endpoint: OpenApiEndpoint, isLog: boolean): readonly OpenApiParameter[] {
  const { view, gvk, since, subresource, verbs } = endpoint;
  if (isLog) return optionsParameters(view.catalog, gvk, "PodLogOptions");
  if (since("1.21") || subresource !== "" || !verbs.has("create")) return [];
  return gvk.group === "rbac.authorization.k8s.io" ? [] : options(endpoint, "ExportOptions");
}

function watch(endpoint: OpenApiEndpoint, verb: "watch" | "watchlist"): OpenApiCall {
  const what = verb === "watch" ? "changes to an object of kind" : "individual changes to a list of";
  const single = ", filtered to a single item with the 'fieldSelector' parameter";
  const instead = `use the 'watch' parameter with a list operation instead${verb === "watch" ? single : ""}.`;
  return {
    method: "get",
    name: ["watch", "", verb === "watchlist" ? "List" : ""],
    description: `watch ${what} ${endpoint.kind}. deprecated: ${instead}`,
    query: [prettyParameter, ...options(endpoint, "ListOptions")],
    consumes: anyMediaType,
    produces: streamMediaTypes,
    body: undefined,
    responses: [
      { code: 200, description: "OK", type: kindOf(endpoint.view, { ...metaV1, kind: "WatchEvent" }) },
    ],
  };
}

const writes = {
  post: { name: "create", options: "CreateOptions", codes: [200, 201, 202], consumes: anyMediaType },
  put: { name: "replace", options: "UpdateOptions", codes: [200, 201], consumes: anyMediaType },
  patch: { name: "patch", options: "PatchOptions", codes: [200, 201], consumes: patchMediaTypes },
} as const;

const codeTexts: { readonly [code: number]: string } = { 200: "OK", 201: "Created", 202: "Accepted" };

function write(endpoint: OpenApiEndpoint, verb: "post" | "put" | "patch"): OpenApiCall {
  const { name, options: kind, codes, consumes } = writes[verb];
  const type = kindOf(endpoint.view, endpoint.gvk);
  const query = options(endpoint, kind).filter(
    // Up to 1.24 field validation was off by default, and the parameter missing.
    (parameter) => endpoint.since("1.25") || parameter.name !== "fieldValidation",
  );
  // Up to 1.21 the documents did not say that an apply can create.
  const answers = verb === "patch" && !endpoint.since("1.22") ? [200] : codes;
  return {
    method: verb,
    name: [name, "", ""],
    description: writeDescription(endpoint, verb),
    query: [prettyParameter, ...query],
    consumes,
    produces: mediaTypes,
    body: {
      type: verb === "patch" ? kindOf(endpoint.view, { ...metaV1, kind: "Patch" }) : type,
      required: true,
    },
    responses: answers.map((code) => ({ code, description: codeTexts[code] ?? "", type })),
  };
}

function writeDescription(endpoint: OpenApiEndpoint, verb: "post" | "put" | "patch"): string {
  const { kind } = endpoint;
  if (verb === "post") return `create ${subresourceOf(endpoint)}${withArticle(kind)}`;
  return `${verb === "put" ? "replace" : "partially update"} ${subresourceOf(endpoint)}the specified ${kind}`;
}

function remove(endpoint: OpenApiEndpoint, verb: "delete" | "deletecollection"): OpenApiCall {
  const { view, kind, since } = endpoint;
  const isItem = verb === "delete";
  const type = kindOf(
    view,
    isItem && deleteReturnsObject(endpoint) ? endpoint.gvk : { ...metaV1, kind: "Status" },
  );
  const listOptions = options(endpoint, "ListOptions").filter(
    ({ name }) => !since("1.19") || (name !== "watch" && name !== "allowWatchBookmarks"),
  );
  return {
    method: "delete",
    name: ["delete", isItem ? "" : "Collection", ""],
    description: isItem ? `delete ${withArticle(kind)}` : `delete collection of ${kind}`,
    query: [prettyParameter, ...options(endpoint, "DeleteOptions"), ...(isItem ? [] : listOptions)],
    consumes: anyMediaType,
    produces: mediaTypes,
    body: { type: kindOf(view, { ...metaV1, kind: "DeleteOptions" }), required: false },
    responses: (isItem ? [200, 202] : [200]).map((code) => ({
      code,
      description: codeTexts[code] ?? "",
      type,
    })),
  };
}

const returnedWhenDeleted: { readonly [group: string]: ReadonlySet<string> } = {
  "": new Set([
    "PersistentVolume",
    "PersistentVolumeClaim",
    "Pod",
    "PodTemplate",
    "ResourceQuota",
    "ServiceAccount",
  ]),
  policy: new Set(["PodSecurityPolicy"]),
};

/** Whether the documents say that a delete returns the object. Up to 1.17 they said Status for all. */
function deleteReturnsObject({ gvk, since }: OpenApiEndpoint): boolean {
  if (!since("1.18")) return false;
  if (gvk.group === "" && gvk.kind === "Service") return since("1.23");
  if (gvk.group === "resource.k8s.io") return true;
  if (gvk.group === "storage.k8s.io") return gvk.kind !== "CSIStorageCapacity";
  return returnedWhenDeleted[gvk.group]?.has(gvk.kind) ?? false;
}

function connect(endpoint: OpenApiEndpoint, method: string): OpenApiCall {
  const { view, gvk, kind, subresource } = endpoint;
  const lower = method.toLowerCase();
  return {
    // The catalog lists HTTP methods.
    method: lower as OpenApiMethod,
    name: ["connect", title(lower), ""],
    description: `connect ${method} requests to ${subresource} of ${kind}`,
    query: optionsParameters(view.catalog, gvk, gvk.kind),
    consumes: anyMediaType,
    produces: anyMediaType,
    body: undefined,
    responses: [{ code: 200, description: "OK", type: "string" }],
  };
}

function options(endpoint: OpenApiEndpoint, kind: string): readonly OpenApiParameter[] {
  return optionsParameters(endpoint.view.catalog, metaV1, kind);
}

/** "status of " for a subresource. */
function subresourceOf({ subresource }: OpenApiEndpoint): string {
  return subresource === "" ? "" : `${subresource} of `;
}

/** Upstream takes a noun that ends with one s for a plural. */
function withArticle(noun: string): string {
  if (noun.endsWith("s") && !noun.endsWith("ss")) return noun;
  return `${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`;
}

function kindOf(view: ApiView, gvk: GroupVersionKind): StructSchema {
  const kind = gvk.group === "meta" ? undefined : view.kind(gvk);
  const schema = kind === undefined ? view.catalog.type(gvk, gvk.kind) : structOfKind(kind);
  if (schema?.type === "struct") return schema;
  if (kind?.type.from === "openApi") return publishedStruct(gvk, kind.type);
  const item = view.kind({ ...gvk, kind: gvk.kind.replace(/List$/, "") });
  if (item?.type.from === "openApi") {
    const published = publishedStruct({ ...gvk, kind: gvk.kind.replace(/List$/, "") }, item.type);
    return listSchema(gvk, published, view.catalog);
  }
  throw new Error(`${view.release} has no kind ${gvk.kind} in ${formatGroupVersion(gvk)}`);
}
