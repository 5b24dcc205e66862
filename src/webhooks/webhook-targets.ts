import type { ReviewFunction } from "./webhook-target.ts";

/** Where the server connects to. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Takes back what a test gave. */
export interface TargetHandle {
  /** The webhook or the Service has its own target again. */
  remove(): void;
  [Symbol.dispose](): void;
}

/** What tests give in place of the targets of admission webhooks. The last one given counts. */
export class WebhookTargets {
  readonly #functions: Targets<ReviewFunction>;
  readonly #addresses: Targets<Address>;

  constructor(functions?: Targets<ReviewFunction>, addresses?: Targets<Address>) {
    this.#functions = new Targets(functions);
    this.#addresses = new Targets(addresses);
  }

  /** The function that answers for the webhook of this name. */
  functionOf(webhook: string): ReviewFunction | undefined {
    return this.#functions.get(webhook);
  }

  /** Where the Service `namespace/name` is. */
  addressOf(service: string): Address | undefined {
    return this.#addresses.get(service);
  }

  answer(webhook: string, review: ReviewFunction): TargetHandle {
    return this.#functions.add(webhook, review);
  }

  reach(service: string, address: Address): TargetHandle {
    return this.#addresses.add(service, address);
  }

  /** The same targets for a fork of the cluster. */
  fork(): WebhookTargets {
    return new WebhookTargets(this.#functions, this.#addresses);
  }
}

/** Targets by name. */
class Targets<T> {
  readonly #entries: { readonly name: string; readonly target: T }[];

  constructor(source?: Targets<T>) {
    this.#entries = source === undefined ? [] : [...source.#entries];
  }

  get(name: string): T | undefined {
    return this.#entries.findLast((entry) => entry.name === name)?.target;
  }

  add(name: string, target: T): TargetHandle {
    const entry = { name, target };
    this.#entries.push(entry);
    const remove = () => {
      const at = this.#entries.indexOf(entry);
      if (at >= 0) this.#entries.splice(at, 1);
    };
    return { remove, [Symbol.dispose]: remove };
  }
}
