import { VirtualClock } from "../apimachinery/clock.ts";
import { listAt } from "../apimachinery/fields.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { labelsOf } from "../registry/contract/selection-predicate.ts";
import { stampRevision } from "../registry/contract/system-fields.ts";
import { StoredObjects } from "../registry/stored-objects.ts";
import { ApiView } from "../served/api-view.ts";
import { ServedApi } from "../served/served-api.ts";
import type { Snapshot } from "../store/snapshot.ts";
import { Store, type StoreOptions } from "../store/store.ts";
import {
  type BootstrapOptions,
  builtInSeeds,
  completeSeed,
  declaredSeeds,
  type SeedingFacts,
  seedingControllers,
} from "./bootstrap.ts";
import type { Config } from "./options.ts";

/** What the new clusters of a catalog share. */
interface SeededState {
  /** The seeds with placeholders for what differs between clusters. */
  readonly state: Snapshot<KubeObject>;
  /** The same seeds in the order of their revisions. They are not frozen, because copying a frozen object takes ten times longer. */
  readonly seeds: readonly KubeObject[];
}

/** The state of a new cluster: the objects that a server without controllers creates when it starts. */
export function newState(config: Config & Pick<BootstrapOptions, "published">): Store<KubeObject> {
  const { clock, historyMilliseconds, historyBytes, watchCapacity, catalog } = config;
  const store = emptyStore({ clock, historyMilliseconds, historyBytes, watchCapacity });
  const seeded = catalog.derived(seededStates)(config);
  const values = seeded.seeds.map((object) => completeSeed({ object }, config));
  store.restore(seeded.state.rewritten(values, clock.now()));
  const declared = declaredSeeds(config);
  if (declared.length > 0) {
    const objects = storedIn(store, catalog);
    for (const seed of declared) objects.put(seed, completeSeed(seed, config));
  }
  return store;
}

/** The definitions of the kinds are loaded with the server. No object of a fresh cluster has a kind of two groups. */
function storedIn(store: Store<KubeObject>, catalog: Catalog): StoredObjects {
  return new StoredObjects(new ServedApi(catalog.derived(withoutDefinitions), store, []), store);
}

/** The seeds of a catalog in the state of a new cluster, by the controllers that are enabled. */
function seededStates(catalog: Catalog): (facts: SeedingFacts) => SeededState {
  // There are eight combinations at most.
  const known = new Map<string, SeededState>();
  return (facts) => {
    const seeding = seedingControllers(facts).join();
    const state = known.get(seeding) ?? seededState(catalog, facts);
    known.set(seeding, state);
    return state;
  };
}

function seededState(catalog: Catalog, facts: SeedingFacts): SeededState {
  const clock = new VirtualClock("1970-01-01T00:00:00Z");
  const historyBytes = Number.POSITIVE_INFINITY;
  const store = emptyStore({ clock, historyMilliseconds: 1, historyBytes, watchCapacity: 1 });
  const objects = storedIn(store, catalog);
  for (const seed of builtInSeeds({ ...facts, catalog })) objects.put(seed, seed.object);
  const events = store.watch({ prefix: "", from: store.compactRevision }).drain();
  return { state: store.snapshot(), seeds: events.map(({ value }) => copyOf(value.value)) };
}

/** A copy of what `completeSeed` copies. */
function copyOf(seed: KubeObject): KubeObject {
  const entries = listAt(seed, "metadata", "managedFields").map((entry) => ({ ...entry }));
  return { ...seed, metadata: { ...seed.metadata, ...(entries.length > 0 && { managedFields: entries }) } };
}

function emptyStore(options: Omit<StoreOptions<KubeObject>, "stamp" | "labelsOf">): Store<KubeObject> {
  return new Store<KubeObject>({ ...options, stamp: stampRevision, labelsOf });
}

/** The API of a release without the definitions of its kinds. */
function withoutDefinitions(catalog: Catalog): ApiView {
  return ApiView.ofRelease(catalog, []);
}
