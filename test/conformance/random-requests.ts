import { formatGroupVersion } from "../../src/apimachinery/group-version.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/apimachinery/json.ts";
import type { ApiResource } from "../../src/catalog/api-resource.ts";
import { type Catalog, catalogOf } from "../../src/catalog/catalog.ts";
import { encodeProtobuf } from "../../src/codec/protobuf/protobuf.ts";
import { exchangesOf } from "./golden-queries.ts";
import type { RawRequest } from "./quiet-server.ts";
import type { Random } from "./random.ts";
import { mutatedBytes, mutatedJson, patchOf, yamlOf } from "./random-body.ts";

const json = "application/json";
const yaml = "application/yaml";
const protobuf = "application/vnd.kubernetes.protobuf";
const patchTypes = [
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
];
const mediaTypes = [
  json,
  yaml,
  protobuf,
  ...patchTypes,
  "text/html",
  "__proto__",
  "application/json; charset=x",
  ";",
  "",
];
const accepts = [
  ...[json, yaml, protobuf, "*/*", "application/*", "text/html", "a", ";;,", "application/json;q=x", ""],
  ...["Table", "PartialObjectMetadata", "PartialObjectMetadataList", "constructor"].flatMap((as) => [
    `application/json;as=${as};g=meta.k8s.io;v=v1`,
    `${protobuf};as=${as};v=v1;g=meta.k8s.io,application/json`,
  ]),
];
const names = [
  "a",
  "b",
  "web-0",
  "constructor",
  "__proto__",
  "toString",
  "%2e",
  "%2e%2e",
  "%00",
  "%ff",
  "a%2Fb",
  "%zz",
  "A",
  "x".repeat(260),
];
const namespaces = ["kube-system", "constructor", "__proto__", "missing", "%20"];
const integers = ["0", "1", "2", "-1", "500", "abc", "9223372036854775808", "", "1.5", "0x1"];
const booleans = ["true", "false", "0", "1", "", "maybe"];
const revisions = ["0", "1", "5", "", "200", "999999999999", "abc", "-1", "00", "18446744073709551615"];
const selectors = [
  "a=b",
  "a",
  "!a",
  "a in (b,c)",
  "a notin (b)",
  "a>1",
  "a>x",
  "a=,b==c",
  ",",
  "a in",
  "(",
  "__proto__",
  "toString=constructor",
  "é",
];
const fields = [
  "metadata.name=a",
  "metadata.namespace=default",
  "spec.nodeName=x",
  "status.phase!=Running",
  "a",
  "=",
  "metadata.name==a,metadata.name!=b",
  "constructor=x",
  "a\\=b=c",
];
const parameters: readonly (readonly [name: string, values: readonly string[]])[] = [
  ["limit", integers],
  [
    "continue",
    [
      "abc",
      "e30",
      token({ v: "meta.k8s.io/v1", rv: 5, start: "default/a\0" }),
      token({ v: "meta.k8s.io/v1", rv: -1, start: "a\0" }),
      token({ v: "meta.k8s.io/v1", rv: 1, start: "../x" }),
      token([]),
      "%",
    ],
  ],
  ["resourceVersion", revisions],
  ["resourceVersionMatch", ["Exact", "NotOlderThan", "", "constructor"]],
  ["watch", booleans],
  ["allowWatchBookmarks", booleans],
  ["sendInitialEvents", booleans],
  ["timeoutSeconds", integers],
  ["labelSelector", selectors],
  ["fieldSelector", fields],
  ["dryRun", ["All", "", "All,All", "constructor"]],
  ["fieldManager", ["me", "", "x".repeat(129), "\u0007", "é"]],
  ["fieldValidation", ["Ignore", "Warn", "Strict", "", "strict"]],
  ["force", booleans],
  ["gracePeriodSeconds", integers],
  ["propagationPolicy", ["Orphan", "Background", "Foreground", "", "constructor"]],
  ["orphanDependents", booleans],
  ["pretty", booleans],
  ["timeout", ["1s", "soon", "", "1h1", "-5m"]],
  ["includeObject", ["None", "Metadata", "Object", "constructor"]],
  ["export", booleans],
  ["__proto__", ["x"]],
  ["a%zz", ["%"]],
];
const otherPaths = [
  "/",
  "/api",
  "/apis",
  "/apis/apps",
  "/api/v1",
  "/apis/apps/v1",
  "/apis/constructor/v1",
  "/version",
  "/healthz",
  "/livez/ping",
  "/readyz?verbose",
  "/openapi/v3",
  "/openapi/v3/api/v1",
  "/openapi/v3/apis/__proto__",
  "/metrics",
  "/logs",
  "//",
  "/api/v1/watch",
  "/api/v1/proxy",
  "/api//v1",
  "/apis///",
  "/%",
  "/api/v1/namespaces//pods",
];
const methods = [
  "GET",
  "GET",
  "GET",
  "POST",
  "POST",
  "POST",
  "POST",
  "PUT",
  "PUT",
  "PUT",
  "PATCH",
  "PATCH",
  "PATCH",
  "DELETE",
];
const oddMethods = ["HEAD", "OPTIONS", "CONNECT", "TRACE", "get", "__proto__", "constructor", ""];

function token(content: object): string {
  return Buffer.from(JSON.stringify(content)).toString("base64url");
}

/** Random requests for real resources, most of them with an error. */
export class RandomRequests {
  readonly #random: Random;
  readonly #catalog: Catalog = catalogOf({ release: "1.32" });
  readonly #resources: readonly ApiResource[];
  /** Recorded bodies of real clients, by resource. */
  readonly #objects = new Map<string, JsonObject[]>();

  constructor(random: Random) {
    this.#random = random;
    const catalog = this.#catalog;
    this.#resources = catalog.groupVersions().flatMap((gv) => [...catalog.resources(gv)]);
    for (const { req } of ["kinds", "crud", "patch"].flatMap(exchangesOf)) {
      if (!isJsonObject(req.body as JsonValue)) continue;
      const resource =
        req.path
          .split("?")[0]
          ?.split("/")
          .findLast((part) => this.#isResource(part)) ?? "";
      const known = this.#objects.get(resource) ?? [];
      this.#objects.set(resource, [...known, req.body as JsonObject]);
    }
  }

  #isResource(part: string): boolean {
    return this.#resources.some(({ resource }) => resource === part);
  }

  next(): RawRequest {
    const random = this.#random;
    const method = random.pick(random.chance(95) ? methods : oddMethods);
    if (random.chance(5))
      return { method, target: random.pick(otherPaths) + this.#query(), headers: this.#headers("") };
    const resource = this.#resource();
    const target = this.#path(resource, method) + this.#query();
    const hasBody = ["POST", "PUT", "PATCH"].includes(method) || random.chance(10);
    if (!hasBody) return { method, target, headers: this.#headers("") };
    const usual = method === "PATCH" ? patchTypes : [json, json, yaml, protobuf];
    const type = random.pick(random.chance(92) ? usual : mediaTypes);
    return { method, target, headers: this.#headers(type), body: this.#body(resource, method, type) };
  }

  /** A resource, more often than not one with examples. */
  #resource(): ApiResource {
    const random = this.#random;
    const resource = random.pick(this.#resources);
    const isKnown = this.#objects.has(resource.resource);
    return isKnown || random.chance(15) ? resource : this.#resource();
  }

  #path({ group, version, resource, namespaced, subresources }: ApiResource, method: string): string {
    const random = this.#random;
    const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
    const isNamespaced = namespaced ? random.chance(95) : random.chance(3);
    const within = isNamespaced
      ? `/namespaces/${random.chance(80) ? "default" : random.pick(namespaces)}`
      : "";
    const collection = `${root}${random.chance(3) ? "/watch" : ""}${within}/${resource}`;
    const isNamed = method === "POST" ? random.chance(8) : random.chance(method === "GET" ? 40 : 92);
    if (!isNamed) return collection;
    const name = random.pick(random.chance(85) ? names.slice(0, 2) : names);
    if (random.chance(85)) return `${collection}/${name}`;
    return `${collection}/${name}/${random.pick([...subresources.keys(), "status", "scale", "constructor", "a/b"])}`;
  }

  #query(): string {
    const random = this.#random;
    if (random.chance(50)) return "";
    const pairs = Array.from({ length: 1 + random.below(3) }, () => {
      const [name, values] = random.pick(parameters);
      const value = random.pick(values);
      return `${name}=${random.chance(95) ? encodeURIComponent(value) : value}`;
    });
    return `?${pairs.join("&")}`;
  }

  #headers(contentType: string): Record<string, string> {
    const random = this.#random;
    const headers: Record<string, string> = {};
    if (contentType !== "") headers["content-type"] = contentType;
    if (random.chance(40)) headers["accept"] = random.pick(accepts);
    if (random.chance(10)) headers["accept-encoding"] = random.pick(["gzip", "br", "gzip;q=0", "__proto__"]);
    if (random.chance(5))
      headers["user-agent"] = random.pick(["curl/8", "Mozilla/5.0", "", "kubectl/v1.32", "\u0001"]);
    if (random.chance(3))
      headers["authorization"] = random.pick(["Bearer x", "Bearer ", "Basic eDp5", "constructor", ""]);
    if (random.chance(2)) headers["audit-id"] = "x".repeat(random.below(10_000));
    return headers;
  }

  #body(resource: ApiResource, method: string, type: string): Uint8Array | string {
    const random = this.#random;
    const object = this.#object(resource);
    const content = method === "PATCH" && random.chance(90) ? patchOf(random, type, object) : object;
    const text = mutatedJson(random, content, random.chance(40) ? 0 : 1 + random.below(3));
    const bytes = this.#encoded(resource, object, text, type);
    if (random.chance(85)) return bytes;
    return mutatedBytes(random, typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes);
  }

  #encoded(resource: ApiResource, object: JsonObject, text: string, type: string): Uint8Array | string {
    const { group, version, kind } = resource;
    const schema = this.#catalog.kind({ group, version, kind });
    if (type === yaml || type === "application/apply-patch+yaml") return yamlOf(text);
    if (type !== protobuf || schema === undefined) return text;
    try {
      return encodeProtobuf(schema, object);
    } catch {
      // Examples of one version are not objects of another.
      return text;
    }
  }

  #object(resource: ApiResource): JsonObject {
    const random = this.#random;
    const known = this.#objects.get(resource.resource) ?? [{ spec: { a: 1 } }];
    const example = random.pick(known);
    const given = isJsonObject(example["metadata"]) ? example["metadata"] : {};
    const metadata: JsonObject = random.chance(80)
      ? { ...given, name: random.pick(names.slice(0, 3)) }
      : given;
    const { namespace: _, ...clusterWide } = metadata;
    return {
      kind: resource.kind,
      apiVersion: formatGroupVersion(resource),
      ...example,
      metadata: random.chance(80) ? clusterWide : metadata,
    };
  }
}
