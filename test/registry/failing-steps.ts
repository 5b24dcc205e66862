import type { GroupVersion } from "../../src/apimachinery/group-version.ts";
import type { KubeObject } from "../../src/apimachinery/object-meta.ts";
import type { FeatureGates } from "../../src/catalog/feature-gates.ts";
import type { Identifiers } from "../../src/registry/contract/system-fields.ts";
import type { RangeOptions, RangePage } from "../../src/store/keyspace.ts";
import type { Revision } from "../../src/store/revision.ts";
import {
  type Change,
  Store,
  type StoreOptions,
  type UpdateResult,
  type WatchOptions,
} from "../../src/store/store.ts";
import type { StoredValue } from "../../src/store/stored-value.ts";
import type { WatchFeed } from "../../src/store/watch-feed.ts";

/** The unexpected error that a failing step throws. */
export const fault = "a fault of the test";

/**
 * The steps of a request that depend on its environment: reads and writes of the store, names and uids, feature
 * gates, types. One of them can be made to fail.
 */
export class Steps {
  #isCounting = false;
  #passed: string[] = [];
  #failing: number | undefined;

  /** Runs a request and returns its steps; the one with the given number fails. */
  async during<T>(
    run: () => Promise<T>,
    failing?: number,
  ): Promise<{ readonly result: T; readonly steps: readonly string[] }> {
    this.#passed = [];
    this.#failing = failing;
    this.#isCounting = true;
    try {
      return { result: await run(), steps: this.#passed };
    } finally {
      this.#isCounting = false;
    }
  }

  /** Called by every step before it takes effect. */
  pass(step: string): void {
    if (!this.#isCounting) return;
    this.#passed.push(step);
    if (this.#passed.length - 1 === this.#failing) throw new Error(fault);
  }
}

/** A store in which every use is a step. */
export class SteppingStore extends Store<KubeObject> {
  readonly #steps: Steps;

  constructor(options: StoreOptions<KubeObject>, steps: Steps) {
    super(options);
    this.#steps = steps;
  }

  override get(key: string, at?: Revision): StoredValue<KubeObject> | undefined {
    this.#steps.pass(`get ${key}`);
    return super.get(key, at);
  }

  override range(options: RangeOptions<KubeObject>): RangePage<KubeObject> {
    this.#steps.pass(`range ${options.prefix}`);
    return super.range(options);
  }

  override count(prefix: string): number {
    this.#steps.pass(`count ${prefix}`);
    return super.count(prefix);
  }

  override watch(options: WatchOptions<KubeObject>): WatchFeed<KubeObject> {
    this.#steps.pass(`watch ${options.prefix}`);
    return super.watch(options);
  }

  override guaranteedUpdate(
    key: string,
    change: (current: StoredValue<KubeObject> | undefined, revision: Revision) => Change<KubeObject>,
  ): Promise<UpdateResult<KubeObject>> {
    return super.guaranteedUpdate(key, (current, revision) => {
      this.#steps.pass(`change ${key}`);
      const wanted = change(current, revision);
      this.#steps.pass(`${wanted.type} ${key}`);
      return wanted;
    });
  }
}

/** Identifiers in which every use is a step. */
export function steppingIdentifiers({ uid, suffix, number }: Identifiers, steps: Steps): Identifiers {
  return {
    uid: () => {
      steps.pass("uid");
      return uid();
    },
    suffix: (length) => {
      steps.pass("suffix");
      return suffix(length);
    },
    number: (bound) => {
      steps.pass("number");
      return number(bound);
    },
  };
}

/** Gates in which every use is a step. */
export function steppingGates({ since, isEnabled }: FeatureGates, steps: Steps): FeatureGates {
  return {
    since,
    isEnabled: (name) => {
      steps.pass(`gate ${name}`);
      return isEnabled(name);
    },
  };
}

/** A catalog in which every use is a step. */
export function steppingCatalog<C extends { kind(gvk: GroupVersion): unknown }>(catalog: C, steps: Steps): C {
  return new Proxy(catalog, {
    get: (target, property) => {
      const value = Reflect.get(target, property, target);
      if (typeof value !== "function") return value;
      return (...parameters: unknown[]) => {
        steps.pass(`catalog ${String(property)}`);
        return value.apply(target, parameters);
      };
    },
  });
}
