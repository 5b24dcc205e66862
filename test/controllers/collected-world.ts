import type { ObjectMeta } from "../../src/apimachinery/object-meta.ts";
import { CollectorMemory } from "../../src/controllers/garbage-collector/collector-memory.ts";
import { garbageCollector } from "../../src/controllers/garbage-collector/garbage-collector.ts";
import { ObjectWorld, referenceTo } from "./object-world.ts";

const now = Date.UTC(2026, 0, 2);

/** A world in which the garbage collector runs. */
export function collected(absentOwners: readonly string[] = []) {
  const world = new ObjectWorld();
  const loads = { isAbsentOwner: (uid: string) => absentOwners.includes(uid) };
  const collector = garbageCollector({
    lister: world.lister,
    client: world.client,
    served: { current: { resourceOfKind: world.resourceOf, groupVersions: () => [] } },
    loads,
    now: () => now,
    memory: new CollectorMemory(),
    since: () => true,
  });
  world.run(collector);
  return { world, collector };
}

export function ownedBy(...owners: readonly string[]): ObjectMeta {
  return { ownerReferences: owners.map((uid) => referenceTo(uid)) };
}

export function ownersOf(world: ObjectWorld, place: string): readonly string[] | undefined {
  return world.metadataOf(place)?.ownerReferences?.map(({ uid }) => uid);
}
