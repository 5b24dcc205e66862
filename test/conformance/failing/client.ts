import type { Clock, Cluster } from "../../../src/index.ts";

/** What the clients know of an object. */
export interface Known {
  readonly name: string;
  readonly value: string;
  readonly resourceVersion: string;
}

/** The JSON of an object, of a list or of a Status, as far as the clients look. */
export interface Json {
  readonly kind?: string;
  readonly code?: number;
  readonly reason?: string;
  readonly metadata: {
    readonly name: string;
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly annotations?: { readonly [key: string]: string };
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

/** What a client is given: a way to the cluster, somebody to be, and the time. */
export interface Surroundings {
  readonly fetch: Cluster["fetch"];
  /** A token that authenticates now. */
  readonly newToken: () => string;
  readonly clock: Clock;
}

/** How a client watches. */
export interface RunOptions {
  /** The server streams what there is, instead of a list. Default: false. */
  readonly streaming?: boolean;
  /** Whether bookmarks are wanted, which a careful client always wants. Default: false. */
  readonly bookmarks?: boolean;
}

/** A client that keeps what config maps there are, and changes them. */
export interface Client {
  /** What it believes. */
  readonly cache: ReadonlyMap<string, Known>;
  /** Whether it believes to know all there is. */
  readonly isSynced: boolean;
  /** Whether an object has been older than it was before. */
  readonly hasGoneBack: boolean;
  /** Begins to watch, and never ends by itself; rejects when it dies. */
  run(options?: RunOptions): Promise<void>;
  create(name: string, kind?: "ConfigMap" | "Lease"): Promise<void>;
  update(name: string, value: string): Promise<void>;
  /** Resolves to the value that is gone, if the server says. */
  remove(name: string): Promise<string | undefined>;
  /** The names of all resources that can be found. */
  discover(): Promise<readonly string[]>;
  stop(): void;
}

export const origin = "https://cluster.test";
export const collection = "/api/v1/namespaces/default/configmaps";
/** Where each kind is created, and what is. */
const places = {
  ConfigMap: { path: collection, apiVersion: "v1" },
  Lease: {
    path: "/apis/coordination.k8s.io/v1/namespaces/default/leases",
    apiVersion: "coordination.k8s.io/v1",
  },
};

/** Where a new object goes, and what it is. */
export function newObject(name: string, kind: "ConfigMap" | "Lease"): readonly [path: string, body: string] {
  const { path, apiVersion } = places[kind];
  return [path, JSON.stringify({ apiVersion, kind, metadata: { name } })];
}

/** An object that both send. */
export function configMap(name: string, value: string, resourceVersion?: string): string {
  const metadata = { name, ...(resourceVersion !== undefined && { resourceVersion }) };
  return JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata, data: { value } });
}

/** What there is, as a client keeps it, and whether anything in it was ever older than before. */
export class Cache extends Map<string, Known> {
  hasGoneBack = false;

  put(known: Known): void {
    const before = this.get(known.name);
    if (Number(before?.resourceVersion) > Number(known.resourceVersion)) this.hasGoneBack = true;
    this.set(known.name, known);
  }
}
