import { expect, test } from "vitest";
import { viewOf } from "../../test/api-view.ts";
import { StatusError } from "../apimachinery/errors/errors.ts";
import type { ApiResource } from "../catalog/api-resource.ts";
import { defaultFacts } from "../catalog/resource-facts.ts";
import { structSchema } from "../catalog/struct-schema.ts";
import type { KindDefinition } from "../registry/contract/kind-definition.ts";
import { parseRequestInfo } from "../request/request-info.ts";
import { builtInSchema } from "../schema/built-in-schema.ts";
import { findRoute } from "./routes.ts";

const group = "example.com";
const gvk = { group, version: "v1", kind: "Declared" };
const subresource = (name: string, verbs: readonly string[], connect: readonly string[] = []) =>
  [name, { name, gvk, verbs, connect }] as const;

/** A resource that is declared at run time. */
function declared(
  resource: string,
  verbs: readonly string[],
  scope: "namespaced" | "cluster",
): KindDefinition {
  const made: ApiResource = {
    ...gvk,
    resource,
    singular: resource,
    namespaced: scope === "namespaced",
    verbs,
    shortNames: [],
    categories: [],
    subresources: new Map([
      subresource("status", ["get", "update", "patch"]),
      subresource("check", ["create"]),
      subresource("shell", [], ["GET"]),
    ]),
    lifecycle: { introduced: "1.16", deprecated: undefined, removed: undefined, replacement: undefined },
  };
  const type = {
    name: gvk.kind,
    gv: gvk,
    typeMeta: true,
    fields: [],
    message: [],
    mapType: undefined,
    unions: [],
  };
  const schema = builtInSchema(structSchema(type));
  const versions = [{ resource: made, schema, facts: defaultFacts(resource), isServed: true }];
  return { group, resource, kind: gvk.kind, served: { storageVersion: "v1", versions } };
}

const all = ["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"];
const view = viewOf({ release: "1.32" }).withDeclared([
  declared("gadgets", all, "namespaced"),
  declared("globals", all, "cluster"),
  declared("reports", ["create"], "namespaced"),
  declared("list", ["list"], "namespaced"),
]);

/** The verb that the router finds, or the code it refuses with. */
function routed(method: string, path: string, query = ""): string | number {
  const info = parseRequestInfo(method, path, new URLSearchParams(query));
  if (!info.isResourceRequest) throw new Error(`${path} names no resource`);
  try {
    const route = findRoute(view, method, info);
    return typeof route === "string" ? route : route.verb;
  } catch (error) {
    if (error instanceof StatusError) return error.code;
    throw error;
  }
}

test.each([
  ["GET", "/api/v1/pods", "list"],
  ["POST", "/api/v1/pods", 405],
  ["DELETE", "/api/v1/pods", 405],
  ["HEAD", "/api/v1/pods", 405],
  ["POST", "/api/v1/namespaces/a/pods", "create"],
  ["DELETE", "/api/v1/namespaces/a/pods", "deletecollection"],
  ["PUT", "/api/v1/namespaces/a/pods", 405],
  ["GET", "/api/v1/namespaces/a/pods/b", "get"],
  ["PUT", "/api/v1/namespaces/a/pods/b", "update"],
  ["PATCH", "/api/v1/namespaces/a/pods/b", "patch"],
  ["DELETE", "/api/v1/namespaces/a/pods/b", "delete"],
  ["GET", "/api/v1/pods/b", 404],
  ["POST", "/api/v1/namespaces/a/pods/b/binding", "create"],
  ["GET", "/api/v1/namespaces/a/pods/b/status/c", 404],
  ["GET", "/api/v1/namespaces/a/pods/b/proxy", "connect"],
  ["GET", "/api/v1/namespaces/a/pods/b/proxy/c/d", "connect"],
  ["PATCH", "/api/v1/namespaces/a/pods/b/exec", 405],
  ["POST", "/api/v1/namespaces/a/pods/b", 405],
  ["GET", "/api/v1/namespaces/a/pods/b/log", "get"],
  ["GET", "/api/v1/namespaces/a/pods/b/exec", "connect"],
  ["GET", "/api/v1/namespaces/a/pods/b/constructor", 404],
  ["PUT", "/api/v1/namespaces/a/pods/b/status", "update"],
  ["POST", "/api/v1/namespaces/a/pods/b/status", 405],
  ["GET", "/api/v1/namespaces/a", "get"],
  ["GET", "/api/v1/nodes/a", "get"],
  ["GET", "/api/v1/namespaces/a/nodes", 404],
  ["GET", "/api/v1/constructor", 404],
  ["GET", "/apis/constructor/v1/pods", "unknownPath"],
  // The mux matches prefixes to the letter.
  ["GET", "//api/v1/pods", "unknownPath"],
  ["GET", "//apis/apps/v1/deployments", "unknownPath"],
  ["POST", "///api/v1/namespaces/a/pods", "unknownPath"],
  ["GET", "/apis//v1/pods", "unknownPath"],
  ["GET", "/apis//apps/v1/deployments", "unknownPath"],
  ["GET", "/api//v1/pods", 404],
  ["GET", "/apis/apps//v1/deployments", 404],
  ["GET", "/api/v1//pods", 404],
  ["GET", "/api/v1/pods/", "list"],
  ["GET", "/api/v1/pods//", "list"],
  // A namespace is in no namespace, whatever the method.
  ["GET", "/api/v1/namespaces/a/namespaces", 404],
  ["POST", "/api/v1/namespaces/a/namespaces", 404],
  ["DELETE", "/api/v1/namespaces/a/namespaces", 404],
  ["GET", "/api/v1/namespaces/a/namespaces/b", 404],
  ["PUT", "/api/v1/namespaces/a/namespaces/a", 404],
  ["PATCH", "/api/v1/namespaces/a/namespaces/b", 404],
  ["DELETE", "/api/v1/namespaces/a/namespaces/a", 404],
  ["PUT", "/api/v1/namespaces/a/namespaces/b/status", 404],
  ["PUT", "/api/v1/namespaces/a/namespaces/b/finalize", 404],
  ["GET", "/api/v1/namespaces//namespaces", 404],
  ["GET", "/api/v1/namespaces//nodes", 404],
  ["GET", "/api/v1/watch/namespaces/a/namespaces/b", 404],
  ["GET", "/api/v1/watch/namespaces/a", "watch"],
  ["PUT", "/api/v1/namespaces/a/finalize", "update"],
  // What can only be created has no path for one object, nor for all namespaces.
  ["POST", "/apis/authentication.k8s.io/v1/tokenreviews", "create"],
  ["GET", "/apis/authentication.k8s.io/v1/tokenreviews", 405],
  ["GET", "/apis/authentication.k8s.io/v1/tokenreviews/a", 404],
  ["GET", "/apis/authorization.k8s.io/v1/localsubjectaccessreviews", 404],
  ["POST", "/apis/authorization.k8s.io/v1/namespaces/a/localsubjectaccessreviews", "create"],
  // The verbs that once stood in front.
  ["GET", "/api/v1/watch/pods", "watch"],
  ["GET", "/api/v1/watch/namespaces/a/pods/b", "watch"],
  ["POST", "/api/v1/watch/namespaces/a/pods", 405],
  ["DELETE", "/api/v1/watch/namespaces/a/pods/b", 405],
  ["GET", "/api/v1/watch/namespaces/a/pods/b/status", 404],
  ["GET", "/api/v1/watch/componentstatuses", 404],
  ["GET", "/apis/authentication.k8s.io/v1/watch/tokenreviews", 404],
  ["GET", "/api/v1/proxy/namespaces/a/pods/b", 404],
  ["DELETE", "/api/v1/proxy/namespaces/a/pods/b", 404],
])("%s %s is %s", (method, path, expected) => {
  expect(routed(method, path)).toBe(expected);
});

const prefix = "/apis/example.com/v1";

test.each([
  // Upstream has no path for them, while the router of built-in kinds knows it (apiextensions-apiserver, pkg/apiserver/customresource_handler.go).
  ["POST", "gadgets", "unknownPath"],
  ["DELETE", "gadgets", "unknownPath"],
  ["GET", "gadgets", "list"],
  ["GET", "watch/gadgets", "watch"],
  ["POST", "namespaces/a/gadgets", "create"],
  ["DELETE", "namespaces/a/gadgets", "deletecollection"],
  ["POST", "globals", "create"],
  ["DELETE", "globals", "deletecollection"],
  ["GET", "namespaces/a/gadgets/b/shell", "connect"],
  ["POST", "namespaces/a/gadgets/b/shell", 405],
  ["POST", "namespaces/a/gadgets/b/check", "create"],
  ["PATCH", "namespaces/a/gadgets/b/status", "patch"],
  // Only the resource itself lacks a path.
  ["GET", "namespaces/a/reports/b", "unknownPath"],
  ["POST", "namespaces/a/reports/b/check", "create"],
  // A resource may have the name of a verb.
  ["GET", "list", "list"],
  ["GET", "namespaces/a/nothing", "unknownPath"],
])("of declared resources, %s %s is %s", (method, path, expected) => {
  expect(routed(method, `${prefix}/${path}`)).toBe(expected);
});

test("what cannot be listed has no watch", () => {
  expect(routed("GET", `${prefix}/namespaces/a/reports`, "watch=1")).toBe(405);
});

test("a watch of declared resources in all namespaces has a path", () => {
  expect(routed("GET", `${prefix}/gadgets`, "watch=1")).toBe("watch");
});

test("a list becomes a watch by its query, whether or not the resource can", () => {
  expect(routed("GET", "/api/v1/pods", "watch=1")).toBe("watch");
  expect(routed("GET", "/api/v1/componentstatuses", "watch=1")).toBe("watch");
  expect(routed("GET", "/api/v1/namespaces/a/pods/b", "watch=1")).toBe("get");
});
