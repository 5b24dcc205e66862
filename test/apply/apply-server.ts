import type { Cluster, ClusterOptions } from "../../src/index.ts";
import { createCluster, type JsonObject, type KubeObject, VirtualClock } from "../../src/index.ts";
import { type Owners, ownersOf } from "../arbitraries/owned-object.ts";

/** The response. */
export interface Answer {
  readonly code: number;
  /** The object, or the Status of an error. */
  readonly object: KubeObject;
  /** The message of an error; empty for a success. */
  readonly message: string;
  readonly warnings: readonly string[];
}

/** How a request is sent. */
export interface Sending {
  /** The parameter `fieldManager`. */
  readonly manager?: string;
  /** The header User-Agent. */
  readonly agent?: string;
  /** Other parameters: `force=true`. */
  readonly query?: string;
  readonly contentType?: string;
  /** The user; default: the administrator. */
  readonly token?: string;
}

/** An object or a JSON patch, sent as JSON; text and bytes are sent unchanged. */
export type Body = JsonObject | readonly JsonObject[] | string | Uint8Array<ArrayBuffer>;

export type WriteMethod = "POST" | "PUT" | "PATCH" | "DELETE";

/** The four kinds of patches by their short names. */
export const patchTypes = {
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  json: "application/json-patch+json",
  apply: "application/apply-patch+yaml",
} as const;

export const configMaps = "/api/v1/namespaces/default/configmaps";
export const services = "/api/v1/namespaces/default/services";
export const deployments = "/apis/apps/v1/namespaces/default/deployments";

/** A cluster that receives one write after another. A second passes before each, so that their times differ. */
export class ApplyServer {
  readonly cluster: Cluster;

  constructor(options: ClusterOptions = {}, original?: ApplyServer) {
    const clock = new VirtualClock(Date.UTC(2026, 10, 20));
    this.cluster = original?.cluster.fork() ?? createCluster({ clock, controllers: [], ...options });
  }

  /** An independent fork with the same state. */
  fork(): ApplyServer {
    return new ApplyServer({}, this);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.cluster.close();
  }

  async get(path: string): Promise<KubeObject> {
    return (await this.send("GET", path)).object;
  }

  async owners(path: string): Promise<Owners> {
    return ownersOf(await this.get(path));
  }

  /** Applies as a manager; returns errors as responses. */
  apply(path: string, config: JsonObject | string, manager: string, query = ""): Promise<Answer> {
    return this.send("PATCH", path, config, { manager, query, contentType: patchTypes.apply });
  }

  async send(
    method: WriteMethod | "GET",
    path: string,
    body?: Body,
    { manager, agent, query = "", contentType = "application/json", token }: Sending = {},
  ): Promise<Answer> {
    if (method !== "GET") await this.cluster.clock.advance(1000);
    const url = new URL(`https://cluster.test${path}`);
    if (query !== "") url.search = url.search === "" ? query : `${url.search}&${query}`;
    if (manager !== undefined) url.searchParams.set("fieldManager", manager);
    const response = await this.cluster.fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${token ?? this.cluster.adminToken()}`,
        "content-type": contentType,
        ...(agent !== undefined && { "user-agent": agent }),
      },
      ...(body !== undefined && { body: bodyOf(body) }),
    });
    // An object, or the Status of an error.
    const object = (await response.json()) as KubeObject;
    return {
      code: response.status,
      object,
      message: response.ok ? "" : String(object["message"]),
      warnings: [...(response.headers.get("warning") ?? "").matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(
        ([, text = ""]) => text.replace(/\\(.)/g, "$1"),
      ),
    };
  }
}

function bodyOf(body: Body): string | Uint8Array<ArrayBuffer> {
  return typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
}

/** A configuration of the object at a path, which names it. */
export function configOf(apiVersion: string, kind: string, path: string, config: JsonObject): JsonObject {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const { metadata = {}, ...others } = config;
  return { apiVersion, kind, ...others, metadata: { name, ...(metadata as JsonObject) } };
}
