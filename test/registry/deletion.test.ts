import { describe, expect, test } from "vitest";
import { type Ask, asking, quietCluster } from "./asked.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";

interface Made {
  readonly ask: Ask;
  readonly uid: string;
  readonly version: string;
}

/** A ConfigMap `m` in a cluster without controllers. */
async function made(metadata: object = {}): Promise<Made> {
  const ask = asking(quietCluster());
  const { object } = await ask("POST", configMaps, { metadata: { name: "m", ...metadata } });
  return { ask, uid: object.metadata.uid, version: object.metadata.resourceVersion };
}

/** The metadata of the ConfigMap; undefined if it does not exist. */
async function left(ask: Ask) {
  const { code, object } = await ask("GET", `${configMaps}/m`);
  return code === 404 ? undefined : object.metadata;
}

describe("what a deletion does with dependents", () => {
  test.each<[string, readonly string[], string, readonly string[] | undefined]>([
    ["is nothing that the object has to wait for", [], "", undefined],
    ["may be left to the background", [], "?propagationPolicy=Background", undefined],
    ["may be that they are left alone", [], "?propagationPolicy=Orphan", ["orphan"]],
    ["may be that they go first", [], "?propagationPolicy=Foreground", ["foregroundDeletion"]],
    ["may be said in the old words: to leave them alone", [], "?orphanDependents=true", ["orphan"]],
    ["may be said in the old words: not to leave them alone", [], "?orphanDependents=false", undefined],
    ["is what the finalizers say if nothing else does", ["orphan"], "", ["orphan"]],
    ["is what the finalizers say, foreground as well", ["foregroundDeletion"], "", ["foregroundDeletion"]],
    ["overrides the finalizers", ["orphan"], "?propagationPolicy=Foreground", ["foregroundDeletion"]],
    [
      "takes finalizers away that stand for something else",
      ["orphan"],
      "?propagationPolicy=Background",
      undefined,
    ],
    ["is done after other finalizers", ["x.io/f"], "?propagationPolicy=Orphan", ["x.io/f", "orphan"]],
    ["leaves other finalizers alone", ["x.io/f", "orphan"], "?orphanDependents=false", ["x.io/f"]],
  ])("%s", async (_title, finalizers, query, remaining) => {
    const { ask } = await made({ finalizers });
    const { code, object } = await ask("DELETE", `${configMaps}/m${query}`);
    const metadata = await left(ask);
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

  test("is answered 202 when it goes on and was asked for in the old words", async () => {
    const { ask } = await made({ finalizers: ["x.io/f"] });
    expect((await ask("DELETE", `${configMaps}/m?orphanDependents=false`)).code).toBe(202);
    expect((await ask("DELETE", `${configMaps}/m?propagationPolicy=Background`)).code).toBe(200);
  });

  test.each<[string, object, readonly string[]]>([
    [
      "may not be said twice",
      { orphanDependents: true, propagationPolicy: "Orphan" },
      [
        'propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set',
      ],
    ],
    [
      "is one of three things",
      { propagationPolicy: "Zed" },
      [
        'propagationPolicy: Unsupported value: "Zed": supported values: "Foreground", "Background", "Orphan", "nil"',
      ],
    ],
    [
      "may be wrong in every way",
      { orphanDependents: false, propagationPolicy: "Zed", dryRun: ["Some"] },
      [
        'propagationPolicy: Invalid value: "Zed": orphanDependents and deletionPropagation cannot be both set',
        'propagationPolicy: Unsupported value: "Zed": supported values: "Foreground", "Background", "Orphan", "nil"',
        'dryRun: Unsupported value: []string{"Some"}: supported values: "All"',
      ],
    ],
  ])("%s", async (_title, body, findings) => {
    const { ask, version } = await made();
    const refused = await ask("DELETE", `${configMaps}/m`, body);
    expect(refused.code).toBe(422);
    expect(refused.findings).toEqual(findings);
    expect((await left(ask)).resourceVersion).toBe(version);
  });

  test("is to leave them alone for a Job of which nothing is said, with a warning", async () => {
    const ask = asking(quietCluster());
    const jobs = "/apis/batch/v1/namespaces/default/jobs";
    const template = { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } };
    for (const name of ["a", "b"]) await ask("POST", jobs, { metadata: { name }, spec: { template } });
    const { object, warnings } = await ask("DELETE", `${jobs}/a`);
    expect(object.metadata.finalizers).toEqual(["orphan"]);
    expect(warnings).toEqual([
      "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning",
    ]);
    expect((await ask("DELETE", `${jobs}/b?propagationPolicy=Background`)).warnings).toEqual([]);
    expect((await ask("GET", `${jobs}/b`)).code).toBe(404);
  });
});

describe("a deletion that has a condition", () => {
  test.each<[string, (made: Made) => object, boolean]>([
    ["on the uid", ({ uid }) => ({ uid }), true],
    ["on the version", ({ version }) => ({ resourceVersion: version }), true],
    ["on both", ({ uid, version }) => ({ uid, resourceVersion: version }), true],
    ["on another uid", () => ({ uid: "other" }), false],
    ["on another version", () => ({ resourceVersion: "1" }), false],
    ["on another version of the same object", ({ uid }) => ({ uid, resourceVersion: "1" }), false],
  ])("%s", async (_title, preconditions, isMet) => {
    const object = await made();
    const { code } = await object.ask("DELETE", `${configMaps}/m`, { preconditions: preconditions(object) });
    expect(code).toBe(isMet ? 200 : 409);
    expect(await left(object.ask)).toEqual(isMet ? undefined : expect.anything());
  });

  test("tells by its kind what is not as it should be", async () => {
    const { ask, uid, version } = await made();
    const refusal = async (preconditions: object) =>
      (await ask("DELETE", `${configMaps}/m`, { preconditions })).object.message;
    expect(await refusal({ uid: "other" })).toBe(
      `Operation cannot be fulfilled on ConfigMap "m": the UID in the precondition (other) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
    );
    expect(await refusal({ resourceVersion: "1" })).toBe(
      `Operation cannot be fulfilled on ConfigMap "m": the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (${version}). The object might have been modified`,
    );
  });

  test("is held against every version of the object, also of one that goes already", async () => {
    const { ask } = await made({ finalizers: ["x.io/f"] });
    const { object } = await ask("DELETE", `${configMaps}/m`);
    const again = (resourceVersion: string) =>
      ask("DELETE", `${configMaps}/m`, { preconditions: { resourceVersion } });
    expect((await again("1")).code).toBe(409);
    expect((await again(object.metadata.resourceVersion)).code).toBe(200);
  });
});

describe("an object that is going", () => {
  test("goes with its last finalizer, whoever takes it", async () => {
    const { ask } = await made({ finalizers: ["x.io/f", "x.io/g"] });
    await ask("DELETE", `${configMaps}/m`);
    expect((await ask("PATCH", `${configMaps}/m`, { metadata: { finalizers: ["x.io/g"] } })).code).toBe(200);
    const { object } = await ask("PATCH", `${configMaps}/m`, { metadata: { finalizers: null } });
    expect(object.metadata.finalizers).toBeUndefined();
    expect(await left(ask)).toBeUndefined();
  });

  test("gets no new finalizers", async () => {
    const { ask } = await made({ finalizers: ["x.io/f"] });
    await ask("DELETE", `${configMaps}/m`);
    const { code, findings } = await ask("PATCH", `${configMaps}/m`, {
      metadata: { finalizers: ["x.io/f", "x.io/g"] },
    });
    expect(code).toBe(422);
    const finding =
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"x.io/g"}';
    expect(new Set(findings)).toEqual(new Set([finding]));
  });

  test.each<[string, string | null]>([
    ["does not come back", null],
    ["keeps its time", "2020-01-01T00:00:00Z"],
  ])("%s by an update", async (_title, deletionTimestamp) => {
    const { ask } = await made({ finalizers: ["x.io/f"] });
    const { object: going } = await ask("DELETE", `${configMaps}/m`);
    const { metadata } = going;
    const updated = await ask("PUT", `${configMaps}/m`, {
      metadata: { ...metadata, deletionTimestamp, deletionGracePeriodSeconds: null },
      data: { a: "b" },
    });
    expect(updated.code).toBe(200);
    expect(await left(ask)).toMatchObject({
      deletionTimestamp: metadata.deletionTimestamp,
      deletionGracePeriodSeconds: 0,
    });
  });

  test("keeps its grace period, and says so", async () => {
    const { ask } = await made({ finalizers: ["x.io/f"] });
    await ask("DELETE", `${configMaps}/m`);
    const { code, findings } = await ask("PATCH", `${configMaps}/m`, {
      metadata: { deletionGracePeriodSeconds: 7 },
    });
    expect(code).toBe(422);
    expect(findings).toContain("metadata.deletionGracePeriodSeconds: Invalid value: 7: field is immutable");
  });

  test("is not gone for a rehearsal", async () => {
    const { ask, version } = await made();
    expect((await ask("DELETE", `${configMaps}/m?dryRun=All`)).code).toBe(200);
    expect((await ask("DELETE", configMaps, { dryRun: ["All"] })).code).toBe(200);
    expect((await left(ask)).resourceVersion).toBe(version);
  });
});

describe("a namespace that is deleted", () => {
  const going = async (query = ""): Promise<Ask> => {
    const ask = asking(quietCluster());
    await ask("POST", "/api/v1/namespaces", { metadata: { name: "n" } });
    await ask("DELETE", `/api/v1/namespaces/n${query}`);
    return ask;
  };

  test("is not told twice what becomes of its dependents", async () => {
    const ask = await going();
    const { code, object } = await ask("DELETE", "/api/v1/namespaces/n?propagationPolicy=Orphan");
    expect(code).toBe(200);
    expect(object.metadata.finalizers).toBeUndefined();
  });

  test("understands the old words in its own way", async () => {
    const ask = await going("?orphanDependents=false");
    const { object } = await ask("GET", "/api/v1/namespaces/n");
    expect(object.metadata.finalizers).toEqual(["foregroundDeletion"]);
  });

  test("tells in its own words what is not as it should be", async () => {
    const ask = asking(quietCluster());
    const { object } = await ask("POST", "/api/v1/namespaces", { metadata: { name: "n" } });
    const { uid, resourceVersion } = object.metadata;
    const refusal = async (preconditions: object) =>
      (await ask("DELETE", "/api/v1/namespaces/n", { preconditions })).object.message;
    const conflict = 'Operation cannot be fulfilled on namespaces "n": Precondition failed:';
    expect(await refusal({ uid: "other" })).toBe(
      `${conflict} UID in precondition: other, UID in object meta: ${uid}`,
    );
    expect(await refusal({ resourceVersion: "1" })).toBe(
      `${conflict} ResourceVersion in precondition: 1, ResourceVersion in object meta: ${resourceVersion}`,
    );
  });
});

describe("a collection that is deleted", () => {
  const names = async (ask: Ask): Promise<readonly string[]> =>
    (await ask("GET", configMaps)).object.items.map(
      ({ metadata }: { metadata: { name: string } }) => metadata.name,
    );
  const filled = async (): Promise<Ask> => {
    const ask = asking(quietCluster());
    for (const [name, l] of Object.entries({ a: "x", b: "x", c: "y", d: "y" })) {
      const finalizers = name === "b" ? ["x.io/f"] : [];
      await ask("POST", configMaps, { metadata: { name, labels: { l }, finalizers } });
    }
    return ask;
  };

  test.each<[string, string, readonly string[], readonly string[]]>([
    ["is all there is", "", ["a", "b", "c", "d"], ["b"]],
    ["is what has a label", "?labelSelector=l%3Dy", ["c", "d"], ["a", "b"]],
    ["is what has a name", "?fieldSelector=metadata.name%3Da", ["a"], ["b", "c", "d"]],
    ["is what has both", "?labelSelector=l%3Dx&fieldSelector=metadata.name%21%3Db", ["a"], ["b", "c", "d"]],
    ["is no more than a page", "?limit=1", ["a"], ["b", "c", "d"]],
    ["is nothing for who selects nothing", "?labelSelector=l%3Dz", [], ["a", "b", "c", "d"]],
  ])("%s", async (_title, query, deleted, kept) => {
    const ask = await filled();
    const { code, object } = await ask("DELETE", `${configMaps}${query}`);
    expect(code).toBe(200);
    expect(object.kind).toBe("ConfigMapList");
    expect(object.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual(
      deleted,
    );
    const remaining = (await names(ask)).filter((name) => !deleted.includes(name) || name === "b");
    expect(remaining).toEqual([...new Set([...kept, ...(deleted.includes("b") ? ["b"] : [])])].sort());
  });

  test("is deleted in the way that its options say", async () => {
    const ask = await filled();
    await ask("DELETE", configMaps, { propagationPolicy: "Orphan" });
    const { object } = await ask("GET", configMaps);
    const finalizers = object.items.map(
      ({ metadata }: { metadata: { finalizers: object } }) => metadata.finalizers,
    );
    expect(finalizers).toEqual([["orphan"], ["x.io/f", "orphan"], ["orphan"], ["orphan"]]);
  });

  test.each<[string, string, object | undefined, number]>([
    ["a wrong selector", "?labelSelector=%3D", undefined, 400],
    ["a wrong policy", "?propagationPolicy=Zed", undefined, 422],
    ["a condition that nothing meets", "", { preconditions: { uid: "other" } }, 409],
  ])("is left whole for %s", async (_title, query, body, code) => {
    const ask = await filled();
    expect((await ask("DELETE", `${configMaps}${query}`, body)).code).toBe(code);
    expect(await names(ask)).toEqual(["a", "b", "c", "d"]);
  });
});
