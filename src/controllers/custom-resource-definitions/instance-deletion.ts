import type { Clock } from "../../apimachinery/clock.ts";
import { messageOf } from "../../apimachinery/errors/message-of.ts";
import { textAt } from "../../apimachinery/fields.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { UserInfo } from "../../apimachinery/user-info.ts";
import type { DeleteOptions, Rest } from "../../registry/contract/rest.ts";
import { everything } from "../../registry/contract/selection-predicate.ts";
import type { Kinds } from "../../registry/kinds.ts";
import type { ResourceRegistry } from "../../registry/resource-registry.ts";
import type { ServedApi } from "../../served/served-api.ts";

/** The storage of instances. */
export interface InstanceStorage {
  readonly registry: ResourceRegistry;
  readonly kinds: Kinds;
  readonly served: Pick<ServedApi, "current" | "loading">;
  readonly clock: Clock;
}

/** Why instances could not be deleted, in the words of a condition. */
export class InstanceDeletionError extends Error {}

const noUser: UserInfo = { name: "", uid: "", groups: [], extra: {} };

/**
 * Deletes what is left of a definition, in its storage: without admission, and whether or not a version is served. Returns how
 * many instances remain, because of their finalizers. Upstream: `deleteInstances` (apiextensions-apiserver,
 * pkg/controller/finalizer/crd_finalizer.go).
 * @throws {InstanceDeletionError} if instances cannot be read or deleted
 */
export async function deleteInstances(definition: KubeObject, storage: InstanceStorage): Promise<number> {
  const { registry, kinds, served, clock } = storage;
  const gr = {
    group: textAt(definition, "spec", "group"),
    resource: textAt(definition, "spec", "names", "plural"),
  };
  await kinds.load(gr);
  const resource = served.current.storedResource(gr);
  const rest = resource && registry.rest(resource, "");
  if (rest === undefined) return 0;
  await checkReadable(rest);
  const live = registry.list(gr, "").filter(({ metadata }) => !metadata.deletionTimestamp);
  for (const namespace of new Set(live.map(({ metadata }) => metadata.namespace ?? ""))) {
    await failingWith("could not issue all deletes", rest.deleteCollection?.(all(namespace), options(clock)));
  }
  return registry.list(gr, "").length;
}

/** Upstream lists the instances in the storage version, for which a webhook may have to convert them. */
async function checkReadable({ list, codec }: Rest): Promise<void> {
  await failingWith(
    "could not list instances",
    (async () => {
      for (const { value } of list?.(all("")).items ?? []) await codec?.decode([value]);
    })(),
  );
}

function all(namespace: string): Parameters<NonNullable<Rest["list"]>>[0] {
  return { namespace, predicate: everything, limit: 0, continueToken: "", freshness: { at: "newest" } };
}

function options(clock: Clock): DeleteOptions {
  return {
    user: noUser,
    dryRun: false,
    now: clock.now(),
    warn: () => {},
    gracePeriodSeconds: undefined,
    preconditions: {},
    orphanDependents: undefined,
    propagationPolicy: undefined,
    validateAdmission: () => {},
  };
}

async function failingWith(what: string, work: Promise<unknown> | undefined): Promise<void> {
  try {
    await work;
  } catch (error) {
    throw new InstanceDeletionError(`${what}: ${messageOf(error)}`);
  }
}
