import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/apimachinery/json.ts";
import { type Cluster, createCluster, type FaultHandle, VirtualClock } from "../../src/index.ts";
import { type FailureName, namedScenario } from "../../src/scenario/named-scenarios.ts";
import type { Scenario } from "../../src/scenario/presets.ts";
import type { clusterFailures } from "./cluster-failures.ts";
import { FaultClient, type Felt, policy, type Style, type Verb, verbs } from "./fault-clients.ts";
import { identifiers } from "./masked-names.ts";
import type { streamFailures } from "./stream-failures.ts";

/** A failure of the table: its options besides the verb, and the requests that it can affect. */
interface Row {
  readonly options?: JsonObject;
  readonly affects: readonly Verb[];
  /** Whether a near miss holds back what has not yet become a hit. */
  readonly holdsBack?: true;
  /** Why a plain request is not affected, by verb. */
  readonly plain?: { readonly [verb in Verb]?: string };
}

const watches: readonly Verb[] = ["watch"];
const reads: readonly Verb[] = ["get", "list", "watch"];
const writes: readonly Verb[] = ["create", "update", "patch", "delete"];
const needsEvents = "the watch is open after 1 event; the fault waits for 2";
const needsInitialEvents = "it needs sendInitialEvents=true and allowWatchBookmarks=true in its query";
const needsCachedRead =
  "it needs resourceVersion=0 in its query, because other reads ask for the newest state";
const needsOwnWatch = "it needs an open watch of the same user that receives the event";

/** The failures of requests for objects; streams of pods and the cluster itself have tests of their own. */
type OtherFailure = keyof typeof streamFailures | keyof typeof clusterFailures;
const rows: { readonly [name in Exclude<FailureName, OtherFailure>]: Row } = {
  bareStatus: { affects: watches },
  bookmarks: { affects: watches },
  closeWatch: { affects: watches },
  conflict: {
    affects: ["update", "patch", "delete"],
    plain: {
      update: "it needs metadata.resourceVersion in its body",
      patch: "it needs metadata.resourceVersion in its body",
      delete: "it needs preconditions.resourceVersion in its body",
    },
  },
  continueExpired: { affects: ["list"], plain: { list: "it needs the continue token of page 1 of a list" } },
  crdNotReady: { options: { group: "networking.k8s.io", version: "v1" }, affects: verbs },
  delayUntilWatched: {
    affects: writes,
    plain: {
      create: needsOwnWatch,
      update: "it needs to change an object",
      patch: needsOwnWatch,
      delete: needsOwnWatch,
    },
  },
  deleteReturns: { options: { returns: "object" }, affects: ["delete"] },
  disconnected: { affects: verbs },
  doubledInitialEventsEnd: { affects: watches, plain: { watch: needsInitialEvents } },
  down: { affects: verbs },
  emptyAsNull: {
    options: { fields: ["items", "status"] },
    affects: ["get", "list", "create", "update", "patch"],
  },
  etcdLeaderChange: { affects: verbs },
  freeze: { affects: verbs },
  goAway: { affects: verbs },
  groupDown: { options: { group: "networking.k8s.io", version: "v1" }, affects: verbs },
  laggingReplica: { affects: reads, plain: { get: needsCachedRead, list: needsCachedRead } },
  largeEvent: { options: { bytes: 1000 }, affects: watches },
  lateInitialEventsEnd: { affects: watches, plain: { watch: needsInitialEvents } },
  latency: { options: { milliseconds: 1000 }, affects: verbs },
  namespaceTerminating: { affects: ["create"] },
  noInitialEventsEnd: { affects: watches, plain: { watch: needsInitialEvents } },
  notReady: { affects: verbs },
  pairEvents: { affects: watches, holdsBack: true, plain: { watch: needsEvents } },
  permissionRevoked: { affects: verbs },
  refuseInitialEvents: { affects: watches, plain: { watch: "it needs sendInitialEvents in its query" } },
  reset: { affects: verbs },
  slice: { affects: verbs },
  slowConsumer: {
    affects: watches,
    plain: {
      watch: "the watch is open after 1 event; the fault waits until more than 1 wait for the client",
    },
  },
  staleRead: { affects: ["get", "list"], plain: { get: needsCachedRead, list: needsCachedRead } },
  storageInitializing: { affects: reads },
  streamError: { affects: watches },
  throttle: { affects: verbs },
  tokenExpired: { affects: verbs },
  tooLargeResourceVersion: { affects: reads },
  truncate: { options: { afterBytes: 10 }, affects: verbs },
  unauthorizedOnce: { affects: verbs },
  unknownEvent: { affects: watches },
  watchGone: { affects: watches },
  webhookTimeout: { affects: [...writes, "deletecollection"] },
};

let original: Cluster;
beforeAll(async () => {
  original = createCluster({ controllers: [], seed: 1, identifiers });
  for (const name of ["a", "b", "c"]) await original.create(policy(name));
});
afterAll(() => original.close());

interface Run {
  readonly felt: Felt;
  readonly fault: FaultHandle | undefined;
  /** The faults in the log of requests. */
  readonly logged: readonly string[];
  /** The message of the check at the end of a test. */
  readonly complaint: string;
}

/** A client sends the requests of a verb to a fork of the cluster, with a fault or without. */
async function run(verb: Verb, style: Style, scenario: Scenario | undefined): Promise<Run> {
  const cluster = original.fork();
  const { clock } = cluster;
  if (!(clock instanceof VirtualClock)) throw new Error("the clock of a cluster with a seed is virtual");
  let fault: FaultHandle | undefined;
  const felt = await new FaultClient(cluster, clock).send(verb, style, () => {
    fault = scenario && cluster.inject(scenario);
  });
  const hits = fault?.hits ?? 0;
  const logged = cluster.requests.all.flatMap((request) => request.fault ?? []);
  let complaint = "";
  try {
    cluster.faults.check();
  } catch (error) {
    complaint = error instanceof Error ? error.message : "";
  }
  await cluster.close();
  expect(complaint === "").toBe(scenario === undefined || hits > 0);
  return { felt, fault, logged, complaint };
}

const cells = Object.entries(rows).flatMap(([name, row]) => verbs.map((verb) => [name, verb, row] as const));

/** `down` has no scope. */
function scenarioFor(name: string, verb: Verb, { options = {} }: Row): Scenario {
  return namedScenario(name, name === "down" ? options : { ...options, verb });
}

const refused = cells.filter(([, verb, { affects }]) => !affects.includes(verb));
const possible = cells.filter(([, verb, { affects }]) => affects.includes(verb));

test.each(refused)("%s refuses the verb %s", (name, verb, row) => {
  expect(() => scenarioFor(name, verb, row)).toThrow(
    `${name} cannot affect requests with the verb ${verb}, only `,
  );
});

describe("a complete request is affected and counted:", () => {
  test.each(possible)("%s of %s", async (name, verb, row) => {
    const [without, struck] = [
      await run(verb, "complete", undefined),
      await run(verb, "complete", scenarioFor(name, verb, row)),
    ];
    expect(struck.felt.chunks).not.toBe(without.felt.chunks);
    expect(struck.fault?.hits).toBeGreaterThan(0);
    // Requests that reach no server are not logged.
    expect(new Set(struck.logged)).toEqual(new Set(name === "down" ? [] : [name]));
  });
});

describe("a plain request is affected and counted, or a near miss with its reason:", () => {
  test.each(possible)("%s of %s", async (name, verb, row) => {
    const [without, struck] = [
      await run(verb, "plain", undefined),
      await run(verb, "plain", scenarioFor(name, verb, row)),
    ];
    const reason = row.plain?.[verb];
    if (reason === undefined) {
      expect(struck.felt.chunks).not.toBe(without.felt.chunks);
      expect(struck.fault?.hits).toBeGreaterThan(0);
      return;
    }
    if (row.holdsBack) expect(without.felt.text).not.toBe(struck.felt.text);
    else expect(struck.felt.text).toBe(without.felt.text);
    expect([struck.fault?.hits, struck.logged]).toEqual([0, []]);
    expect(struck.complaint).toContain(`was not affected: ${reason}`);
  });
});
