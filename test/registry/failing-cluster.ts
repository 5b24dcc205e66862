import { VirtualClock } from "../../src/apimachinery/clock.ts";
import { type JsonObject, type JsonValue, jsonEqual } from "../../src/apimachinery/json.ts";
import type { KubeObject } from "../../src/apimachinery/object-meta.ts";
import { ClusterCore } from "../../src/cluster/cluster-core.ts";
import { type ClusterOptions, type Config, completeOptions } from "../../src/cluster/options.ts";
import { Cluster } from "../../src/index.ts";
import { labelsOf } from "../../src/registry/contract/selection-predicate.ts";
import { stampRevision } from "../../src/registry/contract/system-fields.ts";
import type { Snapshot } from "../../src/store/snapshot.ts";
import {
  SteppingStore,
  Steps,
  steppingCatalog,
  steppingGates,
  steppingIdentifiers,
} from "./failing-steps.ts";

/** A request. */
export interface Write {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly type?: string;
}

/** The response to a request. */
export interface Asked {
  readonly code: number;
  // A test reads any field of any kind.
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary fields
  readonly object: any;
  readonly steps: readonly string[];
}

/** A cluster that fails on demand, and its state. */
export class FailingCluster {
  readonly #steps = new Steps();
  readonly #store: SteppingStore;
  readonly #cluster: Cluster;
  readonly #before: ReadonlyMap<string, KubeObject>;

  constructor(config: Config, state?: Snapshot<KubeObject>) {
    const { clock, historyMilliseconds, historyBytes, watchCapacity, identifiers, featureGates, catalog } =
      config;
    const options = {
      clock,
      historyMilliseconds,
      historyBytes,
      watchCapacity,
      stamp: stampRevision,
      labelsOf,
    };
    this.#store = new SteppingStore(options, this.#steps);
    const seed = state ?? new ClusterCore(config).snapshot().state;
    this.#store.restore(seed);
    this.#before = new Map(this.#store.range({ prefix: "" }).items.map(({ key, value }) => [key, value]));
    const stepping = {
      ...config,
      identifiers: { ...identifiers, ...steppingIdentifiers(identifiers, this.#steps) },
      featureGates: steppingGates(featureGates, this.#steps),
      catalog: steppingCatalog(catalog, this.#steps),
    };
    this.#cluster = new Cluster(new ClusterCore(stepping, { state: this.#store }));
  }

  get cluster(): Cluster {
    return this.#cluster;
  }

  snapshot(): Snapshot<KubeObject> {
    return this.#store.snapshot();
  }

  /** The changes in the store, without values that differ between clusters; null for deleted objects. */
  changes(): ReadonlyMap<string, JsonValue> {
    const { items } = this.#store.range({ prefix: "" });
    const changes = new Map<string, JsonValue>();
    const gone = new Set(this.#before.keys());
    for (const { key, value } of items) {
      gone.delete(key);
      const before = this.#before.get(key);
      const isSame = value === before || (before && jsonEqual(masked(value), masked(before)));
      if (!isSame) changes.set(maskedText(key), masked(value));
    }
    for (const key of gone) changes.set(key, null);
    return changes;
  }

  /** Sends a request as administrator; the step with the given number fails. Returns the steps. */
  async ask({ method, path, body, type = "application/json" }: Write, failing?: number): Promise<Asked> {
    const headers = {
      authorization: `Bearer ${this.#cluster.adminToken()}`,
      "content-type": type,
      // Without it, generating the id would be a step of the response, which does not belong to the write.
      "audit-id": "a",
    };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const { result, steps } = await this.#steps.during(async () => {
      const response = await this.#cluster.fetch(`https://cluster.test${path}`, init);
      return { code: response.status, object: await response.json() };
    }, failing);
    return { ...result, steps };
  }
}

/** Kinds whose status is written by other requests as well: the last writer may differ after a rollback. */
const accounts = new Set(["ResourceQuota", "PodDisruptionBudget"]);
const random = /kube-api-access-[a-z0-9]{5}|generated-[a-z0-9]{5}/g;

function masked({ metadata, ...rest }: KubeObject): JsonObject {
  const { uid: _uid, resourceVersion: _version, managedFields = null, ...others } = metadata;
  const isAccount = accounts.has(String(rest.kind));
  return JSON.parse(
    maskedText(JSON.stringify({ ...rest, metadata: { ...others, ...(!isAccount && { managedFields }) } })),
  );
}

function maskedText(text: string): string {
  return text.replace(random, "random");
}

/** A small cluster at one time: five addresses and three ports for services. */
export function smallConfig(options: ClusterOptions = {}): Config {
  return completeOptions({
    controllers: [],
    seed: 1,
    clock: new VirtualClock(Date.parse("2026-01-01T00:00:00Z")),
    serviceClusterIpRange: "10.96.0.0/29",
    serviceNodePortRange: "30000-30002",
    ...options,
  });
}
