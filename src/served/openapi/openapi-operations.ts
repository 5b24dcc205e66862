import { formatGroupVersion, type GroupVersion } from "../../apimachinery/group-version.ts";
import { sinceOf } from "../../apimachinery/release.ts";
import type { ApiResource, ApiSubresource } from "../../catalog/api-resource.ts";
import type { ApiView } from "../api-view.ts";
import { callsOf, type OpenApiCall, type OpenApiEndpoint, type OpenApiVerb } from "./openapi-calls.ts";
import { type OpenApiOperation, operationName, title } from "./openapi-operation.ts";
import {
  nameParameter,
  namespaceParameter,
  type OpenApiParameter,
  pathParameter,
} from "./openapi-parameters.ts";

/** A path and verb of an endpoint. */
interface Action {
  readonly verb: OpenApiVerb;
  readonly path: string;
  readonly parameters: readonly OpenApiParameter[];
  readonly suffix: "" | "ForAllNamespaces" | "WithPath";
}

/** The operations on the resources of a group and version. */
export function resourceOperations(view: ApiView, gv: GroupVersion): readonly OpenApiOperation[] {
  return view
    .resources(gv)
    .flatMap((resource) =>
      endpointsOf(view, resource).flatMap((endpoint) =>
        actionsOf(endpoint).flatMap((action) =>
          callsOf(endpoint, action.verb).map((call) => operation(endpoint, action, call)),
        ),
      ),
    );
}

/** `/api/v1` or `/apis/apps/v1`. */
export function pathOf(gv: GroupVersion): string {
  return `/${gv.group === "" ? "api" : "apis"}/${formatGroupVersion(gv)}`;
}

function endpointsOf(view: ApiView, resource: ApiResource): readonly OpenApiEndpoint[] {
  const { group, version, kind, namespaced } = resource;
  const gv = { group, version };
  const isDeclared = !view.isBuiltIn(gv);
  const shared = {
    view,
    isDeclared,
    since: sinceOf(view.release),
    gv,
    resource: resource.resource,
    kind,
    namespaced,
  };
  const own: OpenApiEndpoint = {
    ...shared,
    gvk: { ...gv, kind },
    subresource: "",
    // The documents of custom resources do not have the deprecated paths of watches.
    verbs: new Set(isDeclared ? resource.verbs.filter((verb) => verb !== "watch") : resource.verbs),
    connect: [],
  };
  const subresource = ({ name, gvk, verbs, connect }: ApiSubresource): OpenApiEndpoint => ({
    ...shared,
    gvk,
    subresource: name,
    // A connect-style subresource has verbs for its HTTP methods only.
    verbs: new Set(connect.length > 0 ? [] : verbs),
    connect,
  });
  return [own, ...[...resource.subresources.values()].map(subresource)];
}

function actionsOf(endpoint: OpenApiEndpoint): readonly Action[] {
  const { gv, gvk, namespaced, resource, subresource, verbs, connect } = endpoint;
  const root = `${pathOf(gv)}/`;
  const scope = namespaced ? [namespaceParameter] : [];
  const named = [...scope, nameParameter(gvk.kind)];
  const plain = namespaced ? `namespaces/{namespace}/${resource}` : resource;
  const item = subresource === "" ? `${plain}/{name}` : `${plain}/{name}/${subresource}`;
  const collection =
    subresource === "" ? { path: plain, parameters: scope } : { path: item, parameters: named };
  const actions: Action[] = [];
  const add = (
    verb: OpenApiVerb,
    path: string,
    parameters: readonly OpenApiParameter[],
    suffix: Action["suffix"] = "",
  ) => actions.push({ verb, path: root + path, parameters, suffix });
  const watches = verbs.has("watch") && verbs.has("list");
  if (verbs.has("list")) add("list", collection.path, collection.parameters);
  if (verbs.has("create")) add("post", collection.path, collection.parameters);
  if (verbs.has("deletecollection")) add("deletecollection", collection.path, collection.parameters);
  if (watches) add("watchlist", `watch/${collection.path}`, collection.parameters);
  if (verbs.has("get")) add("get", item, named);
  if (verbs.has("update")) add("put", item, named);
  if (verbs.has("patch")) add("patch", item, named);
  if (verbs.has("delete")) add("delete", item, named);
  if (verbs.has("watch")) add("watch", `watch/${item}`, named);
  if (connect.length > 0) add("connect", item, named);
  if (subresource === "proxy") add("connect", `${item}/{path}`, [...named, pathParameter], "WithPath");
  if (!namespaced || subresource !== "") return actions;
  if (verbs.has("list")) add("list", resource, [], "ForAllNamespaces");
  if (watches) add("watchlist", `watch/${resource}`, [], "ForAllNamespaces");
  return actions;
}

function operation(endpoint: OpenApiEndpoint, action: Action, call: OpenApiCall): OpenApiOperation {
  const { gv, gvk, kind, namespaced, subresource } = endpoint;
  const scope = namespaced && action.suffix !== "ForAllNamespaces" ? "Namespaced" : "";
  const [verb, lead, tail] = call.name;
  const rest = `${lead}${scope}${kind}${title(subresource)}${tail}${action.suffix}`;
  const { method, description, consumes, produces, body, responses } = call;
  return {
    path: action.path,
    method,
    ...operationName([verb, rest], gv.group === "" ? "core" : gv.group, gv.version),
    description,
    action: action.verb,
    gvk,
    ...mediaTypesOf(endpoint, consumes, produces),
    parameters: [...call.query, ...action.parameters],
    body,
    responses,
  };
}

const declaredMediaTypes: readonly string[] = ["application/json", "application/yaml"];

/**
 * Custom resources have neither protobuf nor strategic merge patches (upstream:
 * apiextensions-apiserver/pkg/controller/openapi/builder/builder.go, buildRoute).
 */
function mediaTypesOf(
  { isDeclared }: OpenApiEndpoint,
  consumes: readonly string[],
  produces: readonly string[],
): Pick<OpenApiOperation, "consumes" | "produces"> {
  if (!isDeclared) return { consumes, produces };
  const patches = consumes.filter((type) => type.includes("patch") && !type.includes("strategic"));
  return { consumes: patches.length > 0 ? patches : declaredMediaTypes, produces: declaredMediaTypes };
}
