import { describe, expect, test } from "vitest";
import { type Cluster, type ClusterOptions, StatusError } from "../../src/index.ts";
import { quietCluster, type SendRequest, testClient } from "./test-client.ts";

const secrets = "/api/v1/namespaces/default/secrets";
const gateOpen = { featureGates: new Map([["AllowUnsafeMalformedObjectDeletion", true]]) };
const option = "ignoreStoreReadErrorWithClusterBreakingPotential";
const unreadable = "identity transformer tried to read encrypted data";
const untransformable = `data from the storage is not transformable revision=0: ${unreadable}`;
const corruptObject = (key: string) =>
  `StorageError: corrupt object, Code: 7, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${untransformable}`;

interface Damaged {
  readonly cluster: Cluster;
  readonly send: SendRequest;
}

/** A cluster with secrets of these names, some of them corrupt. */
async function damaged(
  options: ClusterOptions,
  corrupt: readonly string[] = ["b"],
  names: readonly string[] = ["a", "b", "c"],
): Promise<Damaged> {
  const cluster = quietCluster(options);
  const send = testClient(cluster);
  for (const name of names) {
    await cluster.create({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name, labels: { l: name }, finalizers: ["example.com/f"] },
    });
  }
  for (const name of corrupt) await cluster.corrupt("v1", "Secret", name);
  return { cluster, send };
}

const body = (name: string, more: object = {}) => ({ metadata: { name, ...more } });

describe("without the feature gate, a corrupt object", () => {
  test.each<[string, string, string, object | undefined]>([
    ["cannot be read", "GET", `${secrets}/b`, undefined],
    ["cannot be read from any version", "GET", `${secrets}/b?resourceVersion=0`, undefined],
    ["cannot be replaced", "PUT", `${secrets}/b`, body("b")],
    [
      "cannot be replaced with its resourceVersion",
      "PUT",
      `${secrets}/b`,
      body("b", { resourceVersion: "1" }),
    ],
    ["cannot be patched", "PATCH", `${secrets}/b`, {}],
    ["cannot be deleted", "DELETE", `${secrets}/b`, undefined],
    [
      "cannot be deleted with the option of the feature gate",
      "DELETE",
      `${secrets}/b?${option}=true`,
      undefined,
    ],
    ["cannot be deleted in a dry run", "DELETE", `${secrets}/b?dryRun=All`, undefined],
  ])("%s", async (_title, method, path, sent) => {
    const { send } = await damaged({});
    const { code, object } = await send(method, path, sent);
    expect(code).toBe(500);
    expect(object).toMatchObject({
      reason: "InternalError",
      message: `Internal error occurred: ${unreadable}`,
      details: { causes: [{ message: unreadable }] },
    });
  });

  test("makes lists fail with the key of the first corrupt object, when they reach it", async () => {
    const { send } = await damaged({}, ["c", "b"]);
    const page = await send("GET", `${secrets}?limit=1`);
    expect(page.object.items).toHaveLength(1);
    const message = `Internal error occurred: unable to transform key "/registry/secrets/default/b": ${unreadable}`;
    for (const query of [
      `limit=1&continue=${page.object.metadata.continue}`,
      "limit=500",
      "limit=500&resourceVersion=0",
    ]) {
      const { code, object } = await send("GET", `${secrets}?${query}`);
      expect(code).toBe(500);
      expect(object).toMatchObject({ reason: "InternalError", message });
    }
  });
});

describe("with the feature gate, a corrupt object", () => {
  test.each<[string, string, string, object | undefined, string]>([
    ["cannot be read", "GET", `${secrets}/b`, undefined, corruptObject("/secrets/default/b")],
    ["cannot be replaced", "PUT", `${secrets}/b`, body("b"), untransformable],
    ["cannot be patched", "PATCH", `${secrets}/b`, {}, untransformable],
    ["cannot be deleted", "DELETE", `${secrets}/b`, undefined, corruptObject("/secrets/default/b")],
    [
      "is not deleted if the option is false",
      "DELETE",
      `${secrets}/b?${option}=false`,
      undefined,
      corruptObject("/secrets/default/b"),
    ],
  ])("%s", async (_title, method, path, sent, text) => {
    const { send } = await damaged(gateOpen);
    const { code, object } = await send(method, path, sent);
    expect(code).toBe(500);
    expect(object).toMatchObject({ reason: "InternalError", message: `Internal error occurred: ${text}` });
  });

  test("is listed in the error of a list with all others", async () => {
    const { send } = await damaged(gateOpen, ["c", "b"]);
    const { code, object } = await send("GET", `${secrets}?limit=500`);
    expect(code).toBe(500);
    expect(object).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: "failed to read one or more secrets from the storage",
      reason: "StorageReadError",
      details: {
        name: "list",
        kind: "secrets",
        causes: ["b", "c"].map((name) => ({
          reason: "UnexpectedServerResponse",
          message: corruptObject(`/registry/secrets/default/${name}`),
          field: `/registry/secrets/default/${name}`,
        })),
      },
      code: 500,
    });
  });

  test("is one of at most a hundred in the error of a list", async () => {
    const names = Array.from({ length: 101 }, (_, i) => `s${String(i).padStart(3, "0")}`);
    const { cluster, send } = await damaged(gateOpen, names.slice(1), names);
    const causes = async () => (await send("GET", `${secrets}?limit=500`)).object.details.causes;
    expect((await causes()).map(({ reason }: { reason: string }) => reason)).toEqual(
      Array(100).fill("UnexpectedServerResponse"),
    );
    await cluster.corrupt("v1", "Secret", "s000");
    expect(await causes()).toHaveLength(101);
    expect((await causes())[100]).toEqual({
      reason: "FieldValueTooMany",
      message: "too many errors, the list is truncated",
    });
  });

  test.each<[string, string, object | undefined]>([
    ["in the query", `${secrets}/b?${option}=true`, undefined],
    ["in the body", `${secrets}/b`, { [option]: true }],
  ])("is deleted immediately despite finalizers with the option %s", async (_title, path, sent) => {
    const { send } = await damaged(gateOpen);
    const { code, object } = await send("DELETE", path, sent);
    expect(code).toBe(200);
    expect(object).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Success",
      details: { name: "b", kind: "Secret" },
      code: 200,
    });
    expect((await send("GET", `${secrets}/b`)).code).toBe(404);
    const { object: list } = await send("GET", secrets);
    expect(list.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual([
      "a",
      "c",
    ]);
    expect((await send("POST", secrets, body("b"))).code).toBe(201);
  });

  test("is not deleted with a collection", async () => {
    const { send } = await damaged(gateOpen);
    const { code, findings, object } = await send("DELETE", `${secrets}?${option}=true`);
    expect(code).toBe(422);
    expect(object.message).toMatch(/^DeleteOptions\.meta\.k8s\.io "" is invalid: /);
    expect(findings).toEqual([
      `${option}: Invalid value: true: is not allowed with DELETECOLLECTION, try again after removing the option`,
    ]);
    expect((await send("DELETE", secrets)).object.reason).toBe("StorageReadError");
    expect((await send("GET", `${secrets}/a`)).object.metadata.deletionTimestamp).toBeUndefined();
  });

  test("is deleted only with an additional permission", async () => {
    const { cluster } = await damaged({ ...gateOpen, authorizationMode: "RBAC" });
    const rbac = { apiVersion: "rbac.authorization.k8s.io/v1" };
    const grant = (verbs: readonly string[]) =>
      cluster.apply({
        ...rbac,
        kind: "Role",
        metadata: { name: "r" },
        rules: [{ apiGroups: [""], resources: ["secrets"], verbs }],
      });
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "r" };
    const subjects = [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: "bob" }];
    await cluster.create({ ...rbac, kind: "RoleBinding", metadata: { name: "b" }, roleRef, subjects });
    const bob = testClient(cluster, "bob", []);
    await grant(["delete"]);
    const { code, findings } = await bob("DELETE", `${secrets}/b?${option}=true`);
    expect(code).toBe(403);
    expect(findings).toEqual([
      'secrets "b" is forbidden: not permitted to do "unsafe-delete-ignore-read-errors", reason: ',
    ]);
    await grant(["delete", "unsafe-delete-ignore-read-errors"]);
    expect((await bob("DELETE", `${secrets}/b?${option}=true`)).code).toBe(200);
  });
});

describe("the option to delete unreadable objects", () => {
  const exclusive = (name: string) => `${option}: Invalid value: true: cannot be set together with .${name}`;

  test("excludes other options", async () => {
    const { send } = await damaged(gateOpen);
    const { code, findings } = await send("DELETE", `${secrets}/b`, {
      [option]: true,
      dryRun: ["All"],
      propagationPolicy: "Orphan",
      gracePeriodSeconds: 0,
      preconditions: {},
    });
    expect(code).toBe(422);
    expect(findings).toEqual(
      ["dryRun", "propagationPolicy", "gracePeriodSeconds", "preconditions"].map(exclusive),
    );
    const orphaning = await send("DELETE", `${secrets}/b?${option}=true&orphanDependents=false`);
    expect(orphaning.findings).toEqual([exclusive("orphanDependents")]);
  });

  test.each(["a", "nothing"])("is refused for readable or missing objects: %s", async (name) => {
    const { send } = await damaged(gateOpen);
    const { code, object, findings } = await send("DELETE", `${secrets}/${name}?${option}=true`);
    expect(code).toBe(422);
    expect(object.message).toMatch(new RegExp(`^secrets "${name}" is invalid: `));
    expect(findings).toEqual([
      `${option}: Invalid value: true: is exclusively used to delete corrupt object(s), try again by removing this option`,
    ]);
    expect((await send("GET", `${secrets}/a`)).code).toBe(200);
  });
});

describe("while an object is corrupt", () => {
  test("other objects of its resource can be read, written and deleted", async () => {
    const { send } = await damaged({});
    expect((await send("GET", `${secrets}/a`)).code).toBe(200);
    expect((await send("PATCH", `${secrets}/a`, { metadata: { finalizers: null } })).code).toBe(200);
    expect((await send("DELETE", `${secrets}/a`)).code).toBe(200);
    expect((await send("POST", secrets, body("d"))).code).toBe(201);
  });

  test("its name exists, but not for a dry run", async () => {
    const { send } = await damaged({});
    const { code, findings } = await send("POST", secrets, body("b"));
    expect(code).toBe(409);
    expect(findings).toEqual(['secrets "b" already exists']);
    expect((await send("POST", `${secrets}?dryRun=All`, body("b"))).code).toBe(201);
  });

  test.each<[string, string]>([
    ["a list", secrets],
    ["a list at any version", `${secrets}?resourceVersion=0`],
    ["a list with selectors", `${secrets}?labelSelector=l%3Da&limit=500`],
    ["a list of another namespace", "/api/v1/namespaces/kube-system/secrets"],
    ["changes", `${secrets}?watch=true`],
    ["a watch with the legacy path", "/api/v1/watch/secrets"],
  ])("%s answers 429, because the watch cache cannot initialize", async (_title, path) => {
    const { send } = await damaged(gateOpen);
    const { code, object } = await send("GET", path);
    expect(code).toBe(429);
    expect(object).toMatchObject({
      message: "storage is (re)initializing",
      reason: "TooManyRequests",
      details: { retryAfterSeconds: 1 },
    });
  });

  test("other resources are not affected", async () => {
    const { send } = await damaged({});
    expect((await send("GET", "/api/v1/namespaces/default/configmaps")).code).toBe(200);
  });

  test("lists at an earlier revision succeed", async () => {
    const { cluster, send } = await damaged({}, []);
    const before = (await send("GET", secrets)).object.metadata.resourceVersion;
    await cluster.corrupt("v1", "Secret", "b");
    const exact = `${secrets}?resourceVersionMatch=Exact&resourceVersion=${before}`;
    expect((await send("GET", exact)).object.items).toHaveLength(3);
  });
});

/** Opens a watch. Each call returns the events that have arrived, and undefined at its end. */
async function opened(
  cluster: Cluster,
  query: string,
): Promise<() => Promise<readonly object[] | undefined>> {
  const headers = { authorization: `Bearer ${cluster.adminToken()}` };
  const response = await cluster.fetch(`https://cluster.test${secrets}?watch=true${query}`, { headers });
  const reader = response.body?.getReader();
  return async () => {
    const { value } = (await reader?.read()) ?? {};
    const lines = value && new TextDecoder().decode(value).trim().split("\n");
    return lines?.map((line: string) => JSON.parse(line));
  };
}

describe("watches", () => {
  test("of the resource end without an event when an object becomes corrupt", async () => {
    const { cluster } = await damaged({}, []);
    const next = await opened(cluster, "&resourceVersion=0");
    const added = (name: string) => ({ type: "ADDED", object: { metadata: { name } } });
    expect(await next()).toMatchObject(["a", "b", "c"].map(added));
    await cluster.corrupt("v1", "Secret", "b");
    expect(await next()).toBeUndefined();
  });

  test("that have just started end immediately", async () => {
    const { cluster } = await damaged({}, []);
    const next = await opened(cluster, "");
    await cluster.corrupt("v1", "Secret", "b");
    await cluster.patch("v1", "Secret", "a", { metadata: { labels: { x: "y" } } });
    const ends = [await next(), await next()];
    expect(ends).toContain(undefined);
    expect(ends.flat()).not.toContainEqual(expect.objectContaining({ type: "MODIFIED" }));
  });

  test("from before its removal expire, and can continue from the current revision", async () => {
    const { cluster, send } = await damaged(gateOpen);
    const { resourceVersion } = (await send("GET", `${secrets}/c`)).object.metadata;
    await send("DELETE", `${secrets}/b?${option}=true`);
    const now = Number((await send("GET", secrets)).object.metadata.resourceVersion);
    const old = await opened(cluster, `&resourceVersion=${resourceVersion}`);
    const message = `too old resource version: ${resourceVersion} (${now})`;
    expect(await old()).toMatchObject([{ type: "ERROR", object: { code: 410, reason: "Expired", message } }]);
    const next = await opened(cluster, `&resourceVersion=${now}`);
    await send("POST", secrets, body("d"));
    expect(await next()).toMatchObject([{ type: "ADDED", object: { metadata: { name: "d" } } }]);
    await cluster.close();
  });
});

describe("typed access", () => {
  test("throws for an unreadable object, and removes it", async () => {
    const { cluster } = await damaged(gateOpen);
    const read = cluster.get("v1", "Secret", "b").catch((error: unknown) => error);
    expect(await read).toBeInstanceOf(StatusError);
    await cluster.delete("v1", "Secret", "b", { [option]: true });
    await expect(cluster.get("v1", "Secret", "b")).rejects.toMatchObject({ code: 404 });
  });

  test("refuses to corrupt a missing object", async () => {
    const cluster = quietCluster();
    await expect(cluster.corrupt("v1", "Secret", "b")).rejects.toMatchObject({ code: 404 });
    await expect(cluster.corrupt("v1", "Nothing", "b")).rejects.toThrow("does not serve Nothing in v1");
  });

  test("restores a corrupt object with a snapshot, and forks it unchanged", async () => {
    const { cluster } = await damaged({}, []);
    const saved = cluster.snapshot();
    await cluster.corrupt("v1", "Secret", "b");
    const fork = cluster.fork();
    cluster.restore(saved);
    expect((await cluster.list("v1", "Secret")).items).toHaveLength(3);
    await expect(fork.get("v1", "Secret", "b")).rejects.toMatchObject({ code: 500 });
  });

  test("corrupts cluster-scoped objects as well", async () => {
    const cluster = quietCluster({ objects: [{ apiVersion: "v1", kind: "Node", metadata: { name: "n" } }] });
    await cluster.corrupt("v1", "Node", "n");
    await expect(cluster.get("v1", "Node", "n")).rejects.toMatchObject({ code: 500 });
  });
});
