import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { viewOf } from "../../../test/api-view.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { isJsonObject, type JsonValue } from "../../apimachinery/json.ts";
import type { Release } from "../../apimachinery/release.ts";
import { everyApi } from "../../catalog/every-api.ts";
import { openApiDocuments } from "./openapi-documents.ts";

type MethodFacts = readonly [
  operationId: string,
  action: string,
  kind: number,
  parameters: number,
  body: number,
  responses: { readonly [code: string]: number },
];

interface Facts {
  readonly types: readonly string[];
  readonly kinds: readonly string[];
  readonly parameterLists: readonly (readonly string[])[];
  readonly paths: { readonly [path: string]: readonly [number, { readonly [method: string]: MethodFacts }] };
}

const facts: Facts = JSON.parse(
  readFileSync(
    new URL("../../../test/conformance/data/openapi-operations-1.32.json", import.meta.url),
    "utf8",
  ),
);

/** Published paths that a server with default flags and gates does not have. */
const notServed: ReadonlyMap<string, string> = new Map([
  ["/logs/", "the handler of logs reads the server's own files"],
  ["/logs/{logpath}", "the handler of logs reads the server's own files"],
  ["/api/v1/namespaces/{namespace}/pods/{name}/resize", "behind an alpha gate in 1.32"],
]);

interface Operation {
  readonly operationId: string;
  readonly action: string;
  readonly kind: string;
  readonly parameters: readonly string[];
  readonly body: string;
  readonly responses: { readonly [code: string]: string };
}

describe("operations of 1.32 are those of the published document", () => {
  const document = documentOf("1.32");
  const paths = document.paths as JsonObject;

  test("at the same paths, except those that are not served", () => {
    const published = Object.keys(facts.paths).filter((path) => !notServed.has(path));
    expect(Object.keys(paths)).toEqual(published.sort());
  });

  test("with the same names, actions, kinds, parameters, bodies and responses", () => {
    for (const [path, [shared, methods]] of Object.entries(facts.paths)) {
      if (notServed.has(path)) continue;
      const item = paths[path] as JsonObject;
      expect(parameterNames(document, item.parameters), path).toEqual(facts.parameterLists[shared]);
      for (const [method, published] of Object.entries(methods)) {
        expect(operationOf(document, item[method]), `${method} ${path}`).toEqual(expected(published));
      }
      const own = Object.keys(item).filter((key) => key !== "parameters");
      expect(own.sort(), path).toEqual(Object.keys(methods).sort());
    }
  });
});

describe("operations of earlier releases", () => {
  test.each<[title: string, release: Release, path: string, method: string, part: Partial<Operation>]>([
    [
      "until 1.17 a delete answers with a Status",
      "1.17",
      "/api/v1/namespaces/{namespace}/pods/{name}",
      "delete",
      { responses: responses("Status", 200, 202) },
    ],
    [
      "since 1.18 a delete of a pod answers with the pod",
      "1.18",
      "/api/v1/namespaces/{namespace}/pods/{name}",
      "delete",
      { responses: responses("io.k8s.api.core.v1.Pod", 200, 202) },
    ],
    [
      "until 1.22 a delete of a service answers with a Status",
      "1.22",
      "/api/v1/namespaces/{namespace}/services/{name}",
      "delete",
      { responses: responses("Status", 200, 202) },
    ],
    [
      "until 1.18 a collection is deleted with the parameters of a watch",
      "1.18",
      "/apis/node.k8s.io/v1beta1/runtimeclasses",
      "delete",
      {
        parameters: [
          "query/allowWatchBookmarks:boolean",
          "body/body",
          "query/continue:string",
          "query/dryRun:string",
          "query/fieldSelector:string",
          "query/gracePeriodSeconds:integer",
          "query/labelSelector:string",
          "query/limit:integer",
          "query/orphanDependents:boolean",
          "query/propagationPolicy:string",
          "query/resourceVersion:string",
          "query/timeoutSeconds:integer",
          "query/watch:boolean",
        ],
      },
    ],
    [
      "until 1.20 an object can be exported",
      "1.20",
      "/api/v1/namespaces/{name}",
      "get",
      { parameters: ["query/exact:boolean", "query/export:boolean"] },
    ],
    ["since 1.21 it cannot", "1.21", "/api/v1/namespaces/{name}", "get", { parameters: [] }],
    [
      "until 1.21 a patch does not create",
      "1.21",
      "/api/v1/namespaces/{name}",
      "patch",
      { responses: responses("io.k8s.api.core.v1.Namespace", 200) },
    ],
    [
      "until 1.24 there is no field validation",
      "1.24",
      "/api/v1/namespaces/{name}",
      "put",
      { parameters: ["body/body", "query/dryRun:string", "query/fieldManager:string"] },
    ],
    [
      "since 1.25 there is",
      "1.25",
      "/api/v1/namespaces/{name}",
      "put",
      {
        parameters: [
          "body/body",
          "query/dryRun:string",
          "query/fieldManager:string",
          "query/fieldValidation:string",
        ],
      },
    ],
  ])("%s", (_title, release, path, method, part) => {
    const document = documentOf(release);
    const item = (document.paths as JsonObject)[path] as JsonObject;
    expect(operationOf(document, item[method])).toMatchObject(part);
  });
});

test.each([
  ["/api/v1/namespaces/{namespace}/endpoints", "post", "create Endpoints"],
  ["/api/v1/namespaces/{namespace}/pods/{name}/eviction", "post", "create eviction of a Pod"],
  ["/apis/networking.k8s.io/v1/ingressclasses", "post", "create an IngressClass"],
  ["/api/v1/pods", "get", "list or watch objects of kind Pod"],
  ["/api/v1/componentstatuses", "get", "list objects of kind ComponentStatus"],
  [
    "/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale",
    "patch",
    "partially update scale of the specified Deployment",
  ],
  ["/api/v1/nodes/{name}/proxy/{path}", "options", "connect OPTIONS requests to proxy of Node"],
])("%s %s says: %s", (path, method, description) => {
  const item = (documentOf("1.32").paths as JsonObject)[path] as JsonObject;
  expect(item[method]).toMatchObject({ description });
});

function documentOf(release: Release): JsonObject {
  return openApiDocuments(viewOf({ release, runtimeConfig: everyApi })).v2();
}

function responses(type: string, ...codes: readonly number[]): { readonly [code: string]: string } {
  const name = type === "Status" ? "io.k8s.apimachinery.pkg.apis.meta.v1.Status" : type;
  return { ...Object.fromEntries(codes.map((code) => [String(code), name])), 401: "" };
}

function expected([operationId, action, kind, parameters, body, codes]: MethodFacts): Operation {
  const typeOf = (index: number): string => facts.types[index] ?? "";
  return {
    operationId,
    action,
    kind: facts.kinds[kind] ?? "",
    parameters: facts.parameterLists[parameters] ?? [],
    body: typeOf(body),
    responses: Object.fromEntries(Object.entries(codes).map(([code, type]) => [code, typeOf(type)])),
  };
}

function operationOf(document: JsonObject, value: JsonValue | undefined): Operation | undefined {
  if (!isJsonObject(value)) return undefined;
  const gvk = value["x-kubernetes-group-version-kind"];
  const answers = Object.entries(value.responses as JsonObject);
  const bodies = parametersOf(document, value.parameters).filter((parameter) => parameter.in === "body");
  return {
    operationId: String(value.operationId),
    action: String(value["x-kubernetes-action"] ?? ""),
    kind: isJsonObject(gvk) ? `${gvk.group}/${gvk.version}/${gvk.kind}` : "",
    parameters: parameterNames(document, value.parameters),
    body: typeName(bodies[0]?.schema),
    responses: Object.fromEntries(
      answers.map(([code, answer]) => [code, typeName((answer as JsonObject).schema)]),
    ),
  };
}

function typeName(schema: JsonValue | undefined): string {
  if (!isJsonObject(schema)) return "";
  return String(schema.$ref ?? schema.type).replace("#/definitions/", "");
}

function parameterNames(document: JsonObject, list: JsonValue | undefined): readonly string[] {
  return parametersOf(document, list).map((parameter) => {
    const name = `${parameter.in}/${parameter.name}`;
    return parameter.in === "body" ? name : `${name}:${parameter.type}`;
  });
}

function parametersOf(document: JsonObject, list: JsonValue | undefined): readonly JsonObject[] {
  const shared = (document.parameters ?? {}) as { readonly [name: string]: JsonObject };
  return ((list ?? []) as readonly JsonObject[]).map((parameter) => {
    const reference = parameter.$ref;
    if (typeof reference !== "string") return parameter;
    return shared[reference.slice("#/parameters/".length)] ?? {};
  });
}
