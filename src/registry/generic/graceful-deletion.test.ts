import { describe, expect, test } from "vitest";
import type { KubeObject, ObjectMeta } from "../../apimachinery/object-meta.ts";
import { defaultStrategy } from "../contract/default-strategy.ts";
import type { DeleteOptions, Preconditions } from "../contract/rest.ts";
import type { StoredResource } from "../contract/stored-resource.ts";
import type { Strategy } from "../contract/strategy.ts";
import { checkPreconditions, decideDeletion, isFinished } from "./graceful-deletion.ts";

const now = Date.UTC(2024, 0, 1);
const before = "2024-01-01T00:00:10Z";
const base = defaultStrategy({
  hasStatus: false,
  allowCreateOnUpdate: false,
  allowUnconditionalUpdate: true,
  deleteReturnsObject: false,
});
const graceful: Partial<Strategy> = { gracePeriodSeconds: (_object, requested) => requested ?? 30 };
const orphaning: Partial<Strategy> = { garbageCollectionPolicy: "orphan" };
const uncollected: Partial<Strategy> = { garbageCollectionPolicy: undefined };
const namespace: Partial<Strategy> = { deletion: "namespace" };
const held: Partial<Strategy> = { hasOtherFinalizers: () => true };

/** Deciding needs the strategy and the names of the resource alone. */
function resourceWith(strategy: Partial<Strategy>): StoredResource {
  const groupResource = { group: "example.com", resource: "things" };
  const definition = { groupResource, gvk: { group: "example.com", version: "v1", kind: "Thing" } };
  return { strategy: { ...base, ...strategy }, definition } as StoredResource;
}

function thing(metadata: ObjectMeta): KubeObject {
  return { apiVersion: "example.com/v1", kind: "Thing", metadata };
}

function decide(strategy: Partial<Strategy>, metadata: ObjectMeta, options: Partial<DeleteOptions>) {
  const all: DeleteOptions = {
    user: { name: "", uid: "", groups: [], extra: {} },
    dryRun: false,
    now,
    warn: () => {},
    gracePeriodSeconds: undefined,
    preconditions: {},
    orphanDependents: undefined,
    propagationPolicy: undefined,
    validateAdmission: () => {},
    ...options,
  };
  const deletion = decideDeletion(resourceWith(strategy), thing(metadata), all);
  return "object" in deletion
    ? { type: deletion.type, ...deletion.object.metadata }
    : { type: deletion.type };
}

describe("a delete of an object", () => {
  const mark = { type: "mark", deletionTimestamp: "2024-01-01T00:00:00Z", deletionGracePeriodSeconds: 0 };
  const waiting = { deletionTimestamp: before, deletionGracePeriodSeconds: 10 };

  test.each<[string, Partial<Strategy>, ObjectMeta, Partial<DeleteOptions>, object]>([
    ["removes it", {}, {}, {}, { type: "remove" }],
    ["with finalizers marks it", {}, { finalizers: ["f"] }, {}, { ...mark, finalizers: ["f"] }],
    ["that something else holds marks it", held, {}, {}, mark],
    ["counts the mark as a change", held, { generation: 3 }, {}, { ...mark, generation: 4 }],
    ["does not begin to count changes", held, { generation: 0 }, {}, { ...mark, generation: 0 }],
    [
      "that is marked already changes nothing",
      {},
      { ...waiting, generation: 3, finalizers: ["f"], deletionGracePeriodSeconds: 0 },
      {},
      { type: "unchanged" },
    ],
    [
      "that is marked already adds a finalizer",
      {},
      { ...waiting, finalizers: ["f"], deletionGracePeriodSeconds: 0 },
      { propagationPolicy: "Orphan" },
      { type: "mark", ...waiting, deletionGracePeriodSeconds: 0, finalizers: ["f", "orphan"] },
    ],
    [
      "with a grace period marks it until then",
      graceful,
      { generation: 1 },
      {},
      {
        type: "mark",
        generation: 2,
        deletionTimestamp: "2024-01-01T00:00:30Z",
        deletionGracePeriodSeconds: 30,
      },
    ],
    [
      "waits for seconds",
      graceful,
      {},
      { gracePeriodSeconds: 7200 },
      { type: "mark", deletionTimestamp: "2024-01-01T02:00:00Z", deletionGracePeriodSeconds: 7200 },
    ],
    [
      "shortens a long grace period by seconds",
      graceful,
      { deletionTimestamp: "2024-01-01T02:00:00Z", deletionGracePeriodSeconds: 7200 },
      { gracePeriodSeconds: 3600 },
      { type: "mark", deletionTimestamp: "2024-01-01T01:00:00Z", deletionGracePeriodSeconds: 3600 },
    ],
    [
      "leaves the end of an object that ends without a grace period",
      {},
      { deletionTimestamp: before, finalizers: ["example.com/f"] },
      {},
      { type: "unchanged" },
    ],
    [
      "leaves no finalizers that it has taken",
      graceful,
      { finalizers: ["orphan"] },
      { propagationPolicy: "Background" },
      { type: "mark", deletionTimestamp: "2024-01-01T00:00:30Z", deletionGracePeriodSeconds: 30 },
    ],
    [
      "with a grace period of zero removes it",
      graceful,
      {},
      { gracePeriodSeconds: 0 },
      { ...mark, type: "markAndRemove" },
    ],
    [
      "with a negative grace period waits for a second",
      graceful,
      {},
      { gracePeriodSeconds: -5 },
      { type: "mark", deletionTimestamp: "2024-01-01T00:00:01Z", deletionGracePeriodSeconds: 1 },
    ],
    [
      "shortens a grace period, which is no further change",
      graceful,
      { ...waiting, generation: 2 },
      { gracePeriodSeconds: 4 },
      {
        type: "mark",
        generation: 2,
        deletionTimestamp: "2024-01-01T00:00:04Z",
        deletionGracePeriodSeconds: 4,
      },
    ],
    ["does not repeat a grace period", graceful, waiting, { gracePeriodSeconds: 10 }, { type: "pending" }],
    ["does not lengthen a grace period", graceful, waiting, { gracePeriodSeconds: 11 }, { type: "pending" }],
    ["without a grace period leaves the pending one", graceful, waiting, {}, { type: "pending" }],
    [
      "ends a pending grace period",
      graceful,
      waiting,
      { gracePeriodSeconds: 0 },
      { type: "markAndRemove", deletionTimestamp: "2024-01-01T00:00:00Z", deletionGracePeriodSeconds: 0 },
    ],
    [
      "leaves an ending namespace",
      { ...namespace, ...held },
      waiting,
      { propagationPolicy: "Orphan" },
      { type: "pending" },
    ],
    ["marks a namespace", { ...namespace, ...held }, {}, {}, mark],
    ["removes a marked namespace that nothing holds", namespace, waiting, {}, { type: "remove", ...waiting }],
  ])("%s", (_title, strategy, metadata, options, expected) => {
    expect(decide(strategy, metadata, options)).toEqual(expected);
  });

  test("begins as the kind says, the first time", () => {
    const begins: Partial<Strategy> = {
      beginDeletion: (object, at) => ({ ...object, metadata: { name: String(at) } }),
    };
    expect(decide(begins, {}, {})).toEqual({ type: "mark", name: String(now) });
    expect(decide(begins, waiting, {})).toEqual({ type: "remove", ...waiting });
  });

  test("prepares the object that it marks, and only that", () => {
    const prepares: Partial<Strategy> = {
      prepareForTermination: ({ metadata }) => {
        metadata.name = "prepared";
      },
    };
    expect(decide({ ...prepares, ...held }, {}, {})).toEqual({ ...mark, name: "prepared" });
    expect(decide(prepares, { name: "a" }, {})).toEqual({ type: "remove", name: "a" });
  });
});

describe("the finalizers of the garbage collector", () => {
  const foreground = "foregroundDeletion";
  const none: readonly string[] | undefined = undefined;
  const kinds = { usual: {}, orphaning, uncollected, namespace };

  test.each<[keyof typeof kinds, readonly string[], Partial<DeleteOptions>, readonly string[] | undefined]>([
    ["usual", [], {}, none],
    ["usual", [], { propagationPolicy: "Background" }, none],
    ["usual", [], { propagationPolicy: "Orphan" }, ["orphan"]],
    ["usual", [], { propagationPolicy: "Foreground" }, [foreground]],
    ["usual", [], { orphanDependents: true }, ["orphan"]],
    ["usual", [], { orphanDependents: false }, none],
    ["orphaning", [], {}, ["orphan"]],
    ["orphaning", [], { orphanDependents: false }, none],
    ["orphaning", [], { propagationPolicy: "Background" }, none],
    ["orphaning", [foreground], {}, [foreground]],
    ["uncollected", [], { propagationPolicy: "Orphan" }, none],
    ["uncollected", ["orphan"], { propagationPolicy: "Background" }, ["orphan"]],
    ["namespace", [], { orphanDependents: false }, [foreground]],
    ["namespace", [], { orphanDependents: true }, ["orphan"]],
    ["usual", ["orphan"], {}, ["orphan"]],
    ["usual", [foreground], {}, [foreground]],
    ["usual", ["orphan", foreground], {}, ["orphan"]],
    ["usual", [foreground, "orphan"], {}, [foreground]],
    ["usual", ["orphan", "f"], { propagationPolicy: "Background" }, ["f"]],
    ["usual", [foreground, "f"], { propagationPolicy: "Foreground" }, [foreground, "f"]],
    ["usual", [foreground, "f"], { propagationPolicy: "Orphan" }, ["f", "orphan"]],
    ["usual", ["f"], { propagationPolicy: "Foreground" }, ["f", foreground]],
  ])(
    "of an object of the kind %s with %j after a delete with %j are %j",
    (kind, finalizers, options, expected) => {
      const deletion = decide(kinds[kind], { ...(finalizers.length > 0 && { finalizers }) }, options);
      expect("finalizers" in deletion ? deletion.finalizers : undefined).toEqual(expected);
    },
  );
});

describe("an update", () => {
  const deletionTimestamp = before;

  test.each<[string, Partial<Strategy>, ObjectMeta, ObjectMeta, boolean]>([
    ["removes a marked object that nothing holds", {}, { deletionTimestamp }, { finalizers: ["f"] }, true],
    ["keeps an object that is not marked", {}, {}, {}, false],
    ["keeps an object with finalizers", {}, { deletionTimestamp, finalizers: ["f"] }, {}, false],
    ["keeps an object that something else holds", held, { deletionTimestamp }, {}, false],
    ["keeps an object that had to wait", {}, { deletionTimestamp }, { deletionGracePeriodSeconds: 1 }, false],
    ["removes one that had not to wait", {}, { deletionTimestamp }, { deletionGracePeriodSeconds: 0 }, true],
  ])("%s", (_title, strategy, metadata, old, expected) => {
    expect(isFinished(resourceWith(strategy), thing(metadata), thing(old))).toBe(expected);
  });
});

describe("the preconditions of a delete", () => {
  const key = { namespace: "n", name: "a" };
  const object = thing({ uid: "live", resourceVersion: "2" });

  test.each<[Preconditions]>([
    [{}],
    [{ uid: "live" }],
    [{ resourceVersion: "2" }],
    [{ uid: "live", resourceVersion: "2" }],
  ])("%j hold", (preconditions) => {
    expect(() => checkPreconditions(resourceWith({}), key, object, preconditions)).not.toThrow();
  });

  const failed = (what: string) => `Operation cannot be fulfilled on ${what} "a": `;

  test.each<[Preconditions, Partial<Strategy>, string]>([
    [
      { uid: "sent" },
      {},
      `${failed("Thing.example.com")}the UID in the precondition (sent) does not match the UID in record (live). The object might have been deleted and then recreated`,
    ],
    [
      { uid: "live", resourceVersion: "1" },
      {},
      `${failed("Thing.example.com")}the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (2). The object might have been modified`,
    ],
    [
      { uid: "sent" },
      namespace,
      `${failed("things.example.com")}Precondition failed: UID in precondition: sent, UID in object meta: live`,
    ],
    [
      { resourceVersion: "1" },
      namespace,
      `${failed("things.example.com")}Precondition failed: ResourceVersion in precondition: 1, ResourceVersion in object meta: 2`,
    ],
  ])("%j fail with a strategy %j", (preconditions, strategy, message) => {
    const check = () => checkPreconditions(resourceWith(strategy), key, object, preconditions);
    expect(check).toThrow(expect.objectContaining({ code: 409, message }));
  });

  test("an object without uid and resourceVersion meets none", () => {
    const check = (preconditions: Preconditions) => () =>
      checkPreconditions(resourceWith({}), key, thing({}), preconditions);
    expect(check({ uid: "" })).not.toThrow();
    expect(check({ resourceVersion: "" })).not.toThrow();
    expect(check({ uid: "x" })).toThrow("does not match the UID in record ()");
  });
});
