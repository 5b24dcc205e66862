import type { Clock } from "../apimachinery/clock.ts";
import type { Lister } from "../apimachinery/lister.ts";
import type { Address } from "./address.ts";
import type { ScriptTarget } from "./pod-script.ts";
import type { ScriptedMetric } from "./scripted-metric.ts";
import type { ReviewFunction } from "./webhook-target.ts";

/** Takes back what a test gave. */
export interface TargetHandle {
  /** Another server answers again: the one that was given before, or the one that the object names. */
  remove(): void;
  [Symbol.dispose](): void;
}

/** The cluster for which a server answers: a fork has the servers of its source. */
export interface ServingCluster {
  readonly lister: Lister;
  readonly clock: Clock;
  readonly targets: OutgoingTargets;
}

/** A server behind an APIService that answers for the cluster that calls it, such as those of metrics. */
export type OwnApiServer = (request: Request, cluster: ServingCluster) => Response | Promise<Response>;

/** What the owner of a cluster lets answer for servers that objects of the cluster name. */
export class OutgoingTargets {
  /** The functions in place of webhooks, by the names of webhooks and of definitions. */
  readonly webhooks: Targets<ReviewFunction>;
  /** The functions in place of the servers behind APIServices, by the names of the APIServices. */
  readonly apiServers: Targets<OwnApiServer>;
  /** Where Services and other machines are, by `namespace/name` and by origins such as `https://hooks.example.com`. */
  readonly addresses: Targets<Address>;
  /** What answers in place of kubelets, and what containers log. */
  readonly pods: Targets<ScriptTarget>;
  /** What tests say about metrics, by the group that serves them. */
  readonly metrics: Targets<ScriptedMetric>;

  constructor(source?: OutgoingTargets) {
    this.webhooks = new Targets(source?.webhooks);
    this.apiServers = new Targets(source?.apiServers);
    this.addresses = new Targets(source?.addresses);
    this.pods = new Targets(source?.pods);
    this.metrics = new Targets(source?.metrics);
  }

  /** The same targets for a fork of the cluster. */
  fork(): OutgoingTargets {
    return new OutgoingTargets(this);
  }
}

/** Where webhooks are that objects name. */
export interface WebhookTargets {
  readonly webhooks: Pick<Targets<ReviewFunction>, "get">;
  readonly addresses: Pick<Targets<Address>, "get">;
}

/** Targets in which webhooks never answer: those of a name, or all without one. `called` is called for each call. */
export function silentTargets(
  { addresses, webhooks }: WebhookTargets,
  name: string | undefined,
  called: () => void,
): WebhookTargets {
  const silent: ReviewFunction = () => {
    called();
    return new Promise(() => {});
  };
  const get = (webhook: string) => (name === undefined || webhook === name ? silent : webhooks.get(webhook));
  return { addresses, webhooks: { get } };
}

/** Targets by name. The last one given counts. */
export class Targets<T> {
  readonly #entries: { readonly name: string; readonly target: T }[];
  readonly #listeners = new Set<(name: string) => void>();

  constructor(source?: Targets<T>) {
    this.#entries = source === undefined ? [] : [...source.#entries];
  }

  get(name: string): T | undefined {
    return this.#entries.findLast((entry) => entry.name === name)?.target;
  }

  /** All of them, in the order in which they were given. */
  all(): readonly T[] {
    return this.#entries.map(({ target }) => target);
  }

  add(name: string, target: T): TargetHandle {
    const entry = { name, target };
    this.#entries.push(entry);
    this.#announce(name);
    const remove = () => {
      const at = this.#entries.indexOf(entry);
      if (at < 0) return;
      this.#entries.splice(at, 1);
      this.#announce(name);
    };
    return { remove, [Symbol.dispose]: remove };
  }

  /** Calls back after each change, until the result is called. */
  onChange(listener: (name: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #announce(name: string): void {
    for (const listener of this.#listeners) listener(name);
  }
}
