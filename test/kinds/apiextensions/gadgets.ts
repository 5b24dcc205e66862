import type { JsonObject, JsonValue } from "../../../src/apimachinery/json.ts";
import type { Cluster } from "../../../src/index.ts";

export const root = "https://cluster.test";
export const definitionKind = ["apiextensions.k8s.io/v1", "CustomResourceDefinition"] as const;
export const gadgetsName = "gadgets.example.com";

/** A version of gadgets with the given schema of the spec. */
export function gadgetVersion(name: string, spec: JsonObject, more: JsonObject = {}): JsonObject {
  const openAPIV3Schema = { type: "object", properties: { spec } };
  return { name, served: true, storage: name === "v1", schema: { openAPIV3Schema }, ...more };
}

/** The definition of gadgets in the group example.com. */
export function gadgetDefinition(versions: readonly JsonObject[], spec: JsonObject = {}): JsonObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: gadgetsName },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "gadgets", kind: "Gadget" },
      versions,
      ...spec,
    },
  };
}

export function gadget(
  name: string,
  spec: JsonObject,
  version = "v1",
  metadata: JsonObject = {},
): JsonObject {
  return {
    apiVersion: `example.com/${version}`,
    kind: "Gadget",
    metadata: { name, namespace: "default", ...metadata },
    spec,
  };
}

/** The path of gadgets in a version. */
export function gadgetsPath(version: string, name?: string): string {
  const collection = `/apis/example.com/${version}/namespaces/default/gadgets`;
  return name === undefined ? collection : `${collection}/${name}`;
}

export interface Answer {
  readonly code: number;
  readonly body: JsonObject;
  readonly warnings: string | null;
}

/** Sends JSON and reads JSON. */
export async function send(
  cluster: Cluster,
  method: string,
  path: string,
  body?: JsonValue,
  contentType = "application/json",
): Promise<Answer> {
  const response = await cluster.fetch(root + path, {
    method,
    headers: { "content-type": contentType, accept: "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const parsed = text.startsWith("{") ? JSON.parse(text) : { message: text };
  return { code: response.status, body: parsed, warnings: response.headers.get("warning") };
}
