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
    headers: {
      "content-type": contentType,
      accept: "application/json",
      authorization: `Bearer ${cluster.adminToken()}`,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const parsed = text.startsWith("{") ? JSON.parse(text) : { message: text };
  return { code: response.status, body: parsed, warnings: response.headers.get("warning") };
}

/** The first events of a watch. */
export async function eventsOf(
  cluster: Cluster,
  target: string,
  count: number,
): Promise<readonly JsonObject[]> {
  const headers = { authorization: `Bearer ${cluster.adminToken()}` };
  const response = await cluster.fetch(root + target, { headers });
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let lines = "";
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {};
    if (done) break;
    lines += decoder.decode(value, { stream: true });
    if (lines.split("\n").length > count) break;
  }
  await reader?.cancel();
  return lines
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as JsonObject);
}
