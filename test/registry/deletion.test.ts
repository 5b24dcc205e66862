import { describe, expect, test } from "vitest";
import { quietCluster, type SendRequest, testClient } from "./test-client.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";

interface Made {
  readonly send: SendRequest;
  readonly uid: string;
  readonly version: string;
}

/** A ConfigMap `m` in a cluster without controllers. */
async function made(metadata: object = {}): Promise<Made> {
  const send = testClient(quietCluster());
  const { object } = await send("POST", configMaps, { metadata: { name: "m", ...metadata } });
  return { send, uid: object.metadata.uid, version: object.metadata.resourceVersion };
}

/** The metadata of the ConfigMap, or undefined when it is gone. */
async function left(send: SendRequest) {
  const { code, object } = await send("GET", `${configMaps}/m`);
  return code === 404 ? undefined : object.metadata;
}

describe("the propagation policy of a deletion", () => {
  test.each<[string, readonly string[], string, readonly string[] | undefined]>([
    ["is background by default", [], "", undefined],
    ["can be background", [], "?propagationPolicy=Background", undefined],
    ["can be orphan", [], "?propagationPolicy=Orphan", ["orphan"]],
    ["can be foreground", [], "?propagationPolicy=Foreground", ["foregroundDeletion"]],
    ["can be set by orphanDependents: true", [], "?orphanDependents=true", ["orphan"]],
    ["can be set by orphanDependents: false", [], "?orphanDependents=false", undefined],
    ["is taken from the finalizer orphan by default", ["orphan"], "", ["orphan"]],
    [
      "is taken from the finalizer foregroundDeletion by default",
      ["foregroundDeletion"],
      "",
      ["foregroundDeletion"],
    ],
    ["overrides the finalizers", ["orphan"], "?propagationPolicy=Foreground", ["foregroundDeletion"]],
    ["removes finalizers of another policy", ["orphan"], "?propagationPolicy=Background", undefined],
    ["is added after other finalizers", ["x.io/f"], "?propagationPolicy=Orphan", ["x.io/f", "orphan"]],
    ["keeps the order of the same finalizers", ["orphan", "x.io/f"], "", ["orphan", "x.io/f"]],
    [
      "keeps the order of the finalizers it asks for",
      ["x.io/e", "foregroundDeletion", "x.io/f"],
      "?propagationPolicy=Foreground",
      ["x.io/e", "foregroundDeletion", "x.io/f"],
    ],
    [
      "moves no other finalizer when it exchanges its own",
      ["orphan", "x.io/f", "x.io/e"],
      "?propagationPolicy=Foreground",
      ["x.io/f", "x.io/e", "foregroundDeletion"],
    ],
    ["keeps other finalizers", ["x.io/f", "orphan"], "?orphanDependents=false", ["x.io/f"]],
  ])("%s", async (_title, finalizers, query, remaining) => {
    const { send } = await made({ finalizers });
    const { code, object } = await send("DELETE", `${configMaps}/m${query}`);
    const metadata = await left(send);
    expect(metadata?.finalizers).toEqual(remaining);
    if (remaining === undefined) {
      expect(code).toBe(200);
      expect(object).toMatchObject({
        kind: "Status",
        status: "Success",
        details: { name: "m", kind: "configmaps" },
      });
    } else {
      expect(object).toMatchObject({ kind: "ConfigMap", metadata: { finalizers: remaining } });
      expect(metadata).toMatchObject({
        deletionGracePeriodSeconds: 0,
        deletionTimestamp: expect.any(String),
      });
    }
  });

  test("returns 202 for an unfinished deletion with orphanDependents", async () => {
    const { send } = await made({ finalizers: ["x.io/f"] });
    expect((await send("DELETE", `${configMaps}/m?orphanDependents=false`)).code).toBe(202);
    expect((await send("DELETE", `${configMaps}/m?propagationPolicy=Background`)).code).toBe(200);
  });

  test.each<[string, object, readonly string[]]>([
    [
      "must not be set twice",
      { orphanDependents: true, propagationPolicy: "Orphan" },
      [
        'propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set',
      ],
    ],
    [
      "must be one of three values",
      { propagationPolicy: "Zed" },
      [
        'propagationPolicy: Unsupported value: "Zed": supported values: "Foreground", "Background", "Orphan", "nil"',
      ],
    ],
    [
      "is reported with all its errors",
      { orphanDependents: false, propagationPolicy: "Zed", dryRun: ["Some"] },
      [
        'propagationPolicy: Invalid value: "Zed": orphanDependents and deletionPropagation cannot be both set',
        'propagationPolicy: Unsupported value: "Zed": supported values: "Foreground", "Background", "Orphan", "nil"',
        'dryRun: Unsupported value: []string{"Some"}: supported values: "All"',
      ],
    ],
  ])("%s", async (_title, body, findings) => {
    const { send, version } = await made();
    const refused = await send("DELETE", `${configMaps}/m`, body);
    expect(refused.code).toBe(422);
    expect(refused.findings).toEqual(findings);
    expect((await left(send)).resourceVersion).toBe(version);
  });

  test("is orphan for a Job by default, with a warning", async () => {
    const send = testClient(quietCluster());
    const jobs = "/apis/batch/v1/namespaces/default/jobs";
    const template = { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } };
    for (const name of ["a", "b"]) await send("POST", jobs, { metadata: { name }, spec: { template } });
    const { object, warnings } = await send("DELETE", `${jobs}/a`);
    expect(object.metadata.finalizers).toEqual(["orphan"]);
    expect(warnings).toEqual([
      "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning",
    ]);
    expect((await send("DELETE", `${jobs}/b?propagationPolicy=Background`)).warnings).toEqual([]);
    expect((await send("GET", `${jobs}/b`)).code).toBe(404);
  });
});

describe("a deletion with preconditions", () => {
  test.each<[string, (made: Made) => object, boolean]>([
    ["on the uid", ({ uid }) => ({ uid }), true],
    ["on the version", ({ version }) => ({ resourceVersion: version }), true],
    ["on both", ({ uid, version }) => ({ uid, resourceVersion: version }), true],
    ["on another uid", () => ({ uid: "other" }), false],
    ["on another version", () => ({ resourceVersion: "1" }), false],
    ["on another version of the same object", ({ uid }) => ({ uid, resourceVersion: "1" }), false],
  ])("%s", async (_title, preconditions, isMet) => {
    const object = await made();
    const { code } = await object.send("DELETE", `${configMaps}/m`, { preconditions: preconditions(object) });
    expect(code).toBe(isMet ? 200 : 409);
    expect(await left(object.send)).toEqual(isMet ? undefined : expect.anything());
  });

  test.each<[string, (made: Made) => string, boolean]>([
    ["the uid", ({ uid }) => `uid=${uid}`, true],
    ["the version", ({ version }) => `resourceVersion=${version}`, true],
    ["the first of several values", ({ uid }) => `uid=${uid}&uid=other`, true],
    ["empty values", () => "uid=&resourceVersion=", true],
    ["another uid", () => "uid=other", false],
    ["another version", () => "resourceVersion=1", false],
    ["one that is met and one that is not", ({ uid }) => `uid=${uid}&resourceVersion=1`, false],
  ])("takes %s from the query", async (_title, query, isMet) => {
    const object = await made();
    const { code } = await object.send("DELETE", `${configMaps}/m?${query(object)}`);
    expect(code).toBe(isMet ? 200 : 409);
    expect(await left(object.send)).toEqual(isMet ? undefined : expect.anything());
  });

  test("takes nothing from the query of a request with a body, or before 1.17", async () => {
    const { send } = await made();
    expect((await send("DELETE", `${configMaps}/m?uid=other`, {})).code).toBe(200);
    const old = testClient(quietCluster({ release: "1.16" }));
    await old("POST", configMaps, { metadata: { name: "m" } });
    expect((await old("DELETE", `${configMaps}/m?uid=other`)).code).toBe(200);
  });

  test("applies to every object of a collection", async () => {
    const { send, uid } = await made();
    expect((await send("DELETE", `${configMaps}?uid=other`)).code).toBe(409);
    expect(await left(send)).toBeDefined();
    expect((await send("DELETE", `${configMaps}?uid=${uid}`)).code).toBe(200);
    expect(await left(send)).toBeUndefined();
  });

  test("reports a failed precondition with the kind", async () => {
    const { send, uid, version } = await made();
    const refusal = async (preconditions: object) =>
      (await send("DELETE", `${configMaps}/m`, { preconditions })).object.message;
    expect(await refusal({ uid: "other" })).toBe(
      `Operation cannot be fulfilled on ConfigMap "m": the UID in the precondition (other) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
    );
    expect(await refusal({ resourceVersion: "1" })).toBe(
      `Operation cannot be fulfilled on ConfigMap "m": the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (${version}). The object might have been modified`,
    );
  });

  test("is checked against the current object, even if it is already being deleted", async () => {
    const { send } = await made({ finalizers: ["x.io/f"] });
    const { object } = await send("DELETE", `${configMaps}/m`);
    const again = (resourceVersion: string) =>
      send("DELETE", `${configMaps}/m`, { preconditions: { resourceVersion } });
    expect((await again("1")).code).toBe(409);
    expect((await again(object.metadata.resourceVersion)).code).toBe(200);
  });
});

describe("an object that is being deleted", () => {
  test("is removed with its last finalizer", async () => {
    const { send } = await made({ finalizers: ["x.io/f", "x.io/g"] });
    await send("DELETE", `${configMaps}/m`);
    expect((await send("PATCH", `${configMaps}/m`, { metadata: { finalizers: ["x.io/g"] } })).code).toBe(200);
    const { object } = await send("PATCH", `${configMaps}/m`, { metadata: { finalizers: null } });
    expect(object.metadata.finalizers).toBeUndefined();
    expect(await left(send)).toBeUndefined();
  });

  test("has one generation more, once", async () => {
    const send = testClient(quietCluster());
    const deployments = "/apis/apps/v1/namespaces/default/deployments";
    const labels = { app: "a" };
    await send("POST", deployments, {
      metadata: { name: "m", finalizers: ["x.io/f"] },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } },
      },
    });
    for (let times = 0; times < 2; times++) {
      const { object } = await send("DELETE", `${deployments}/m`);
      expect(object.metadata.generation).toBe(2);
    }
  });

  test("accepts no new finalizers", async () => {
    const { send } = await made({ finalizers: ["x.io/f"] });
    await send("DELETE", `${configMaps}/m`);
    const { code, findings } = await send("PATCH", `${configMaps}/m`, {
      metadata: { finalizers: ["x.io/f", "x.io/g"] },
    });
    expect(code).toBe(422);
    const finding =
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"x.io/g"}';
    expect(new Set(findings)).toEqual(new Set([finding]));
  });

  test.each<[string, string | null]>([
    ["is not restored", null],
    ["keeps its deletion timestamp", "2020-01-01T00:00:00Z"],
  ])("%s by an update", async (_title, deletionTimestamp) => {
    const { send } = await made({ finalizers: ["x.io/f"] });
    const { object: going } = await send("DELETE", `${configMaps}/m`);
    const { metadata } = going;
    const updated = await send("PUT", `${configMaps}/m`, {
      metadata: { ...metadata, deletionTimestamp, deletionGracePeriodSeconds: null },
      data: { a: "b" },
    });
    expect(updated.code).toBe(200);
    expect(await left(send)).toMatchObject({
      deletionTimestamp: metadata.deletionTimestamp,
      deletionGracePeriodSeconds: 0,
    });
  });

  test("refuses a change of its grace period", async () => {
    const { send } = await made({ finalizers: ["x.io/f"] });
    await send("DELETE", `${configMaps}/m`);
    const { code, findings } = await send("PATCH", `${configMaps}/m`, {
      metadata: { deletionGracePeriodSeconds: 7 },
    });
    expect(code).toBe(422);
    expect(findings).toContain("metadata.deletionGracePeriodSeconds: Invalid value: 7: field is immutable");
  });

  test("is not removed by a dry run", async () => {
    const { send, version } = await made();
    expect((await send("DELETE", `${configMaps}/m?dryRun=All`)).code).toBe(200);
    expect((await send("DELETE", configMaps, { dryRun: ["All"] })).code).toBe(200);
    expect((await left(send)).resourceVersion).toBe(version);
  });
});

describe("a namespace that is being deleted", () => {
  const going = async (query = ""): Promise<SendRequest> => {
    const send = testClient(quietCluster());
    await send("POST", "/api/v1/namespaces", { metadata: { name: "n" } });
    await send("DELETE", `/api/v1/namespaces/n${query}`);
    return send;
  };

  test("ignores the policy of a second deletion", async () => {
    const send = await going();
    const { code, object } = await send("DELETE", "/api/v1/namespaces/n?propagationPolicy=Orphan");
    expect(code).toBe(200);
    expect(object.metadata.finalizers).toBeUndefined();
  });

  test("treats orphanDependents: false as foreground deletion", async () => {
    const send = await going("?orphanDependents=false");
    const { object } = await send("GET", "/api/v1/namespaces/n");
    expect(object.metadata.finalizers).toEqual(["foregroundDeletion"]);
  });

  test("reports failed preconditions with its own message", async () => {
    const send = testClient(quietCluster());
    const { object } = await send("POST", "/api/v1/namespaces", { metadata: { name: "n" } });
    const { uid, resourceVersion } = object.metadata;
    const refusal = async (preconditions: object) =>
      (await send("DELETE", "/api/v1/namespaces/n", { preconditions })).object.message;
    const conflict = 'Operation cannot be fulfilled on namespaces "n": Precondition failed:';
    expect(await refusal({ uid: "other" })).toBe(
      `${conflict} UID in precondition: other, UID in object meta: ${uid}`,
    );
    expect(await refusal({ resourceVersion: "1" })).toBe(
      `${conflict} ResourceVersion in precondition: 1, ResourceVersion in object meta: ${resourceVersion}`,
    );
  });
});

describe("the deletion of a collection", () => {
  const names = async (send: SendRequest): Promise<readonly string[]> =>
    (await send("GET", configMaps)).object.items.map(
      ({ metadata }: { metadata: { name: string } }) => metadata.name,
    );
  const filled = async (): Promise<SendRequest> => {
    const send = testClient(quietCluster());
    for (const [name, l] of Object.entries({ a: "x", b: "x", c: "y", d: "y" })) {
      const finalizers = name === "b" ? ["x.io/f"] : [];
      await send("POST", configMaps, { metadata: { name, labels: { l }, finalizers } });
    }
    return send;
  };

  test.each<[string, string, readonly string[], readonly string[]]>([
    ["deletes everything", "", ["a", "b", "c", "d"], ["b"]],
    ["deletes objects with a label", "?labelSelector=l%3Dy", ["c", "d"], ["a", "b"]],
    ["deletes objects with a name", "?fieldSelector=metadata.name%3Da", ["a"], ["b", "c", "d"]],
    [
      "deletes objects that match both selectors",
      "?labelSelector=l%3Dx&fieldSelector=metadata.name%21%3Db",
      ["a"],
      ["b", "c", "d"],
    ],
    ["deletes one page", "?limit=1", ["a"], ["b", "c", "d"]],
    ["deletes nothing if nothing matches", "?labelSelector=l%3Dz", [], ["a", "b", "c", "d"]],
  ])("%s", async (_title, query, deleted, kept) => {
    const send = await filled();
    const { code, object } = await send("DELETE", `${configMaps}${query}`);
    expect(code).toBe(200);
    expect(object.kind).toBe("ConfigMapList");
    expect(object.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual(
      deleted,
    );
    const remaining = (await names(send)).filter((name) => !deleted.includes(name) || name === "b");
    expect(remaining).toEqual([...new Set([...kept, ...(deleted.includes("b") ? ["b"] : [])])].sort());
  });

  test("applies the propagation policy to each object", async () => {
    const send = await filled();
    await send("DELETE", configMaps, { propagationPolicy: "Orphan" });
    const { object } = await send("GET", configMaps);
    const finalizers = object.items.map(
      ({ metadata }: { metadata: { finalizers: object } }) => metadata.finalizers,
    );
    expect(finalizers).toEqual([["orphan"], ["x.io/f", "orphan"], ["orphan"], ["orphan"]]);
  });

  test.each<[string, string, object | undefined, number]>([
    ["a wrong selector", "?labelSelector=%3D", undefined, 400],
    ["a wrong policy", "?propagationPolicy=Zed", undefined, 422],
    ["a failed precondition", "", { preconditions: { uid: "other" } }, 409],
  ])("deletes nothing for %s", async (_title, query, body, code) => {
    const send = await filled();
    expect((await send("DELETE", `${configMaps}${query}`, body)).code).toBe(code);
    expect(await names(send)).toEqual(["a", "b", "c", "d"]);
  });
});
