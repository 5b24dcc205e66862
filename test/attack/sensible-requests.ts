import { isJsonObject, type JsonObject } from "../../src/apimachinery/json.ts";
import { type Catalog, catalogOf } from "../../src/catalog/catalog.ts";
import { encodeCbor } from "../../src/codec/cbor/cbor.ts";
import { encodeProtobuf } from "../../src/codec/protobuf/protobuf.ts";
import { encodeYaml } from "../../src/codec/yaml/yaml.ts";
import type { RawAnswer, RawRequest } from "../conformance/quiet-server.ts";
import type { Random } from "../conformance/random.ts";

/** A resource that clients use, with a valid object. */
interface Used {
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly object: (random: Random) => JsonObject;
  /** A field that a client may change, as a merge patch. */
  readonly change: (random: Random) => JsonObject;
}

const container = { name: "main", image: "nginx" };
const data = (random: Random): JsonObject => ({
  data: { [`key-${random.below(5)}`]: "v".repeat(random.below(50)) },
});
const labels = (random: Random): JsonObject => ({ metadata: { labels: { tier: `t-${random.below(9)}` } } });

const resources: readonly Used[] = [
  {
    path: "/api/v1/namespaces/default/configmaps",
    group: "",
    version: "v1",
    kind: "ConfigMap",
    object: data,
    change: data,
  },
  {
    path: "/api/v1/namespaces/default/secrets",
    group: "",
    version: "v1",
    kind: "Secret",
    object: (random) => ({ type: "Opaque", data: { a: btoa("x".repeat(random.below(30))) } }),
    change: labels,
  },
  {
    path: "/api/v1/namespaces/default/pods",
    group: "",
    version: "v1",
    kind: "Pod",
    object: (random) => ({ spec: { containers: [{ ...container, image: `nginx:${random.below(9)}` }] } }),
    change: labels,
  },
  {
    path: "/apis/apps/v1/namespaces/default/deployments",
    group: "apps",
    version: "v1",
    kind: "Deployment",
    object: (random) => ({
      spec: {
        replicas: random.below(5),
        selector: { matchLabels: { app: "a" } },
        template: { metadata: { labels: { app: "a" } }, spec: { containers: [container] } },
      },
    }),
    change: (random) => ({ spec: { replicas: random.below(9) } }),
  },
  {
    path: "/apis/coordination.k8s.io/v1/namespaces/default/leases",
    group: "coordination.k8s.io",
    version: "v1",
    kind: "Lease",
    object: (random) => ({ spec: { holderIdentity: `h-${random.below(9)}`, leaseDurationSeconds: 15 } }),
    change: (random) => ({ spec: { leaseTransitions: random.below(100) } }),
  },
];

const json = "application/json";
const formats = [
  json,
  "application/yaml",
  "application/cbor",
  "application/vnd.kubernetes.protobuf",
] as const;
const selectors = ["tier=t-1", "tier in (t-1,t-2)", "!tier", "tier"];

/** An object that a client has seen. */
interface Known {
  readonly used: Used;
  readonly path: string;
  readonly object: JsonObject;
}

/** Requests of clients that know what they do: they create, read, change and delete their own objects. */
export class SensibleRequests {
  readonly #random: Random;
  readonly #catalog: Catalog = catalogOf({ release: "1.32" });
  readonly #known = new Map<string, Known>();
  #names = 0;
  /** The resource of the last request, if its answer is an object. */
  #asked: { readonly used: Used; readonly path: string } | undefined;

  constructor(random: Random) {
    this.#random = random;
  }

  next(): RawRequest {
    const random = this.#random;
    this.#asked = undefined;
    if (this.#known.size < 5 || (this.#known.size < 200 && random.chance(25))) return this.#create();
    if (random.chance(20)) return this.#list();
    const known = random.pick([...this.#known.values()]);
    this.#asked = known;
    const action = random.below(100);
    if (action < 30) return this.#get(known);
    if (action < 50) return this.#update(known);
    if (action < 85) return this.#patch(known);
    return this.#delete(known);
  }

  learn({ method }: RawRequest, { status, text }: RawAnswer): void {
    const asked = this.#asked;
    if (asked === undefined) return;
    if (method === "DELETE" || status === 404) {
      this.#known.delete(asked.path);
      return;
    }
    if (status >= 300 || !text.startsWith("{")) return;
    const object: unknown = JSON.parse(text);
    // Just parsed.
    if (isJsonObject(object as JsonObject))
      this.#known.set(asked.path, { ...asked, object: object as JsonObject });
  }

  #create(): RawRequest {
    const used = this.#random.pick(resources);
    this.#names += 1;
    const name = `${used.kind.toLowerCase()}-${this.#names}`;
    const { group, version, kind } = used;
    const apiVersion = group === "" ? version : `${group}/${version}`;
    const object = {
      kind,
      apiVersion,
      metadata: { name, namespace: "default" },
      ...used.object(this.#random),
    };
    this.#asked = { used, path: `${used.path}/${name}` };
    const dryRun = this.#random.chance(5) ? "?dryRun=All" : "";
    if (dryRun !== "") this.#asked = undefined;
    return this.#sent("POST", used.path + dryRun, used, object);
  }

  #list(): RawRequest {
    const random = this.#random;
    const { path } = random.pick(resources);
    const query = random.pick([
      "",
      `?limit=${1 + random.below(50)}`,
      `?labelSelector=${encodeURIComponent(random.pick(selectors))}`,
      "?resourceVersion=0",
      "?watch=true",
      "?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true",
    ]);
    const accept = random.pick([
      ...formats.filter((format) => format !== "application/cbor"),
      `${json};as=Table;v=v1;g=meta.k8s.io`,
    ]);
    // A watch has no YAML.
    return {
      method: "GET",
      target: path + query,
      headers: { accept: query.includes("watch") ? json : accept },
    };
  }

  #get({ path }: Known): RawRequest {
    return { method: "GET", target: path, headers: { accept: json } };
  }

  #update({ used, path, object }: Known): RawRequest {
    const changed = { ...object, ...(used.change === data ? data(this.#random) : {}) };
    return this.#sent("PUT", path, used, changed);
  }

  #patch({ used, path }: Known): RawRequest {
    const random = this.#random;
    const change = used.change(random);
    const headers = (type: string) => ({ "content-type": type, accept: json });
    switch (random.below(4)) {
      case 0:
        return {
          method: "PATCH",
          target: path,
          headers: headers("application/merge-patch+json"),
          body: JSON.stringify(change),
        };
      case 1:
        return {
          method: "PATCH",
          target: path,
          headers: headers("application/strategic-merge-patch+json"),
          body: JSON.stringify(change),
        };
      case 2: {
        const body = [
          { op: "add", path: "/metadata/annotations", value: { at: String(random.below(1000)) } },
        ];
        return {
          method: "PATCH",
          target: path,
          headers: headers("application/json-patch+json"),
          body: JSON.stringify(body),
        };
      }
      default: {
        const { group, version, kind } = used;
        const applied = {
          kind,
          apiVersion: group === "" ? version : `${group}/${version}`,
          ...labels(random),
        };
        const target = `${path}?fieldManager=attack-${random.below(3)}&force=true`;
        return {
          method: "PATCH",
          target,
          headers: headers("application/apply-patch+yaml"),
          body: encodeYaml(applied),
        };
      }
    }
  }

  #delete({ path }: Known): RawRequest {
    return { method: "DELETE", target: `${path}?gracePeriodSeconds=0`, headers: { accept: json } };
  }

  #sent(method: string, target: string, used: Used, object: JsonObject): RawRequest {
    const type = this.#random.pick(formats);
    return {
      method,
      target,
      headers: { "content-type": type, accept: json },
      body: this.#encoded(type, used, object),
    };
  }

  #encoded(type: (typeof formats)[number], used: Used, object: JsonObject): Uint8Array | string {
    const schema = this.#catalog.kind(used);
    switch (type) {
      case "application/yaml":
        return encodeYaml(object);
      case "application/cbor":
        return encodeCbor(object);
      case "application/vnd.kubernetes.protobuf":
        return schema === undefined ? "" : encodeProtobuf(schema, object);
      default:
        return JSON.stringify(object);
    }
  }
}
