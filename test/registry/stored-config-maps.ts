import { VirtualClock } from "../../src/apimachinery/clock.ts";
import type { JsonObject } from "../../src/apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../src/apimachinery/object-meta.ts";
import { featureGates } from "../../src/catalog/feature-gates.ts";
import { changed, defaultStrategy } from "../../src/registry/contract/default-strategy.ts";
import { RepeatedErrors } from "../../src/registry/contract/repeated-errors.ts";
import { definitionOf } from "../../src/registry/contract/resource-definition.ts";
import type { DeleteOptions, UpdateOptions } from "../../src/registry/contract/rest.ts";
import { labelsOf } from "../../src/registry/contract/selection-predicate.ts";
import type { StoredResource } from "../../src/registry/contract/stored-resource.ts";
import type { Strategy } from "../../src/registry/contract/strategy.ts";
import { stampRevision } from "../../src/registry/contract/system-fields.ts";
import { LatestObject } from "../../src/sharing/latest-object.ts";
import { Store } from "../../src/store/store.ts";
import { viewOf } from "../api-view.ts";

const release = "1.32";
const view = viewOf({ release });
const gvr = { group: "", version: "v1", resource: "configmaps" };

/** The time of every write. */
export const writtenAt = Date.UTC(2024, 0, 1);

/**
 * ConfigMaps without a server, with a strategy that differs in these points from that of most kinds. Their `data` counts
 * generations.
 */
export function storedConfigMaps(strategy: Partial<Strategy> = {}): StoredResource {
  const entry = view.resource(gvr);
  if (entry === undefined) throw new Error("there are no ConfigMaps");
  const clock = new VirtualClock(writtenAt);
  let count = 0;
  const next = () => String(++count);
  return {
    definition: definitionOf(entry, view),
    strategy: {
      ...defaultStrategy({
        hasStatus: false,
        allowCreateOnUpdate: false,
        allowUnconditionalUpdate: true,
        deleteReturnsObject: false,
      }),
      countsGeneration: changed("data"),
      ...strategy,
    },
    space: { prefix: "/registry/configmaps/", namespaced: true },
    fieldOf: () => "",
    store: new Store<KubeObject>({
      clock,
      historyMilliseconds: 300_000,
      historyBytes: Number.POSITIVE_INFINITY,
      watchCapacity: 100,
      stamp: stampRevision,
      labelsOf,
    }),
    clock,
    identifiers: {
      uid: () => `uid-${next()}`,
      suffix: (length) => next().padStart(length, "x"),
      number: () => 0,
    },
    gates: featureGates(release),
    latest: new LatestObject(),
    repeatedErrors: new RepeatedErrors(),
    codec: undefined,
  };
}

/** A ConfigMap in the namespace `n`. */
export function configMap(metadata: JsonObject, data: JsonObject = {}): MutableKubeObject {
  return { kind: "ConfigMap", apiVersion: "v1", metadata: { namespace: "n", ...metadata }, data };
}

/** Options that suit each of the writes. */
export interface WriteOptions
  extends Omit<UpdateOptions, "validateAdmission">,
    Omit<DeleteOptions, "validateAdmission"> {
  readonly validateAdmission: () => void;
}

/** Options of a write that admission lets pass; warnings are appended to `warnings`. */
export function writeOptions(warnings: string[] = []): WriteOptions {
  return {
    user: { name: "alice", uid: "", groups: [], extra: {} },
    dryRun: false,
    now: writtenAt,
    warn: (text) => warnings.push(text),
    validateAdmission: () => {},
    validateCreation: () => {},
    uid: undefined,
    forceCreate: false,
    keepsManagedFields: false,
    gracePeriodSeconds: undefined,
    preconditions: {},
    orphanDependents: undefined,
    propagationPolicy: undefined,
  };
}
