import type { RawRequest } from "../conformance/quiet-server.ts";

/** A kind of request that can be arbitrarily large. Its cost should grow no faster than its size. */
export interface SizedRequest {
  /** What is long in it. */
  readonly name: string;
  /** The request with `size` repetitions. */
  readonly request: (size: number) => RawRequest;
}

const configMaps = "/api/v1/namespaces/default/configmaps";

function get(target: string, headers: RawRequest["headers"] = {}): RawRequest {
  return { method: "GET", target, headers };
}

function post(object: object | string, type = "application/json"): RawRequest {
  const body = typeof object === "string" ? object : JSON.stringify(object);
  return { method: "POST", target: configMaps, headers: { "content-type": type }, body };
}

const names = (size: number) => Array.from({ length: size }, (_, index) => `n${index}`);
const selector = (terms: readonly string[]) => encodeURIComponent(terms.join());

/** Requests with one long part. */
export const sizedRequests: readonly SizedRequest[] = [
  { name: "media types", request: (size) => get(configMaps, { accept: "a/b, ".repeat(size) }) },
  { name: "blanks in a header", request: (size) => get(configMaps, { accept: `a${" ".repeat(size)}b` }) },
  {
    name: "labels in a selector",
    request: (size) => get(`${configMaps}?labelSelector=${selector(names(size))}`),
  },
  {
    name: "values in a selector",
    request: (size) => get(`${configMaps}?labelSelector=${selector([`a in (${names(size)})`])}`),
  },
  { name: "query parameters", request: (size) => get(`${configMaps}?${"a=b&".repeat(size)}`) },
  { name: "nested arrays", request: (size) => post("[".repeat(size)) },
  { name: "nested flows in YAML", request: (size) => post("{a: ".repeat(size), "application/yaml") },
  { name: "blanks in YAML", request: (size) => post(`a: b${" ".repeat(size)}#`, "application/yaml") },
  {
    name: "data",
    request: (size) =>
      post({ metadata: { name: "data" }, data: Object.fromEntries(names(size).map((name) => [name, ""])) }),
  },
  {
    name: "finalizers",
    request: (size) =>
      post({ metadata: { name: "a", finalizers: names(size).map((name) => `a.b/${name}`) } }),
  },
  {
    name: "owners",
    request: (size) =>
      post({
        metadata: {
          name: "b",
          ownerReferences: names(size).map((name) => ({ apiVersion: "v1", kind: "Pod", name, uid: name })),
        },
      }),
  },
];
