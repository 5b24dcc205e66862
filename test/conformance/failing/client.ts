import type { Clock, Cluster } from "../../../src/index.ts";

/** An object as the clients store it. */
export interface Known {
  readonly name: string;
  readonly value: string;
  readonly resourceVersion: string;
}

/** The JSON of an object, of a list or of a Status, as far as the clients read it. */
export interface Json {
  readonly kind?: string;
  readonly code?: number;
  readonly reason?: string;
  readonly metadata: {
    readonly name: string;
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly annotations?: { readonly [key: string]: string };
    readonly labels: { readonly value: string };
  };
  readonly details?: {
    readonly retryAfterSeconds?: number;
    readonly causes?: readonly { reason?: string }[];
  };
  readonly data: { readonly value: string };
  readonly items: readonly Json[];
  readonly groups: readonly { readonly preferredVersion: { readonly groupVersion: string } }[];
  readonly resources: readonly { readonly name: string }[];
}

/** One event of a watch. */
export interface JsonEvent {
  readonly type?: string;
  readonly object?: Json;
}

/** The environment of a client: access to the cluster, credentials and a clock. */
export interface Surroundings {
  readonly fetch: Cluster["fetch"];
  /** A token that is valid now. */
  readonly newToken: () => string;
  readonly clock: Clock;
}

/** How a client watches. */
export interface RunOptions {
  /** The server streams the initial state instead of a list. Default: false. */
  readonly streaming?: boolean;
  /** Whether bookmarks are requested, which a careful client always does. Default: false. */
  readonly bookmarks?: boolean;
}

/** A client that caches config maps and changes objects. */
export interface Client {
  /** The cached state. */
  readonly cache: ReadonlyMap<string, Known>;
  /** Whether the client considers its cache complete. */
  readonly isSynced: boolean;
  /** Whether an object was ever replaced by an older one. */
  readonly hasGoneBack: boolean;
  /** Starts to watch, and never ends by itself; rejects when the client dies. */
  run(options?: RunOptions): Promise<void>;
  create(name: string, kind?: "ConfigMap" | "Lease"): Promise<void>;
  update(name: string, value: string): Promise<void>;
  /** Deletes a service account, and resolves to the value in its labels if the server returns it. */
  remove(name: string): Promise<string | undefined>;
  /** The names of all discovered resources. */
  discover(): Promise<readonly string[]>;
  stop(): void;
}

export const origin = "https://cluster.test";
export const collection = "/api/v1/namespaces/default/configmaps";
export const accounts = "/api/v1/namespaces/default/serviceaccounts";
/** The path and the version of each kind. */
const places = {
  ConfigMap: { path: collection, apiVersion: "v1" },
  Lease: {
    path: "/apis/coordination.k8s.io/v1/namespaces/default/leases",
    apiVersion: "coordination.k8s.io/v1",
  },
};

/** The path and the body of a new object. */
export function newObject(name: string, kind: "ConfigMap" | "Lease"): readonly [path: string, body: string] {
  const { path, apiVersion } = places[kind];
  return [path, JSON.stringify({ apiVersion, kind, metadata: { name } })];
}

/** A config map that both clients send. */
export function configMap(name: string, value: string, resourceVersion?: string): string {
  const metadata = { name, ...(resourceVersion !== undefined && { resourceVersion }) };
  return JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata, data: { value } });
}

/** The cache of a client, which records whether an object was ever replaced by an older one. */
export class Cache extends Map<string, Known> {
  hasGoneBack = false;

  put(known: Known): void {
    const before = this.get(known.name);
    if (Number(before?.resourceVersion) > Number(known.resourceVersion)) this.hasGoneBack = true;
    this.set(known.name, known);
  }
}
