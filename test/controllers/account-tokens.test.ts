import { describe, expect, test } from "vitest";
import { listAt, structAt, textAt } from "../../src/apimachinery/fields.ts";
import type { KubeObject } from "../../src/apimachinery/object-meta.ts";
import { releases } from "../../src/apimachinery/release.ts";
import { type Cluster, createCluster } from "../../src/index.ts";

const ofType = { fieldSelector: "type=kubernetes.io/service-account-token" };

/** The names of the Secrets that an account lists. */
async function listedBy(cluster: Cluster, name: string, namespace = "default"): Promise<readonly string[]> {
  const account = await cluster.get("v1", "ServiceAccount", name, { namespace });
  return listAt(account, "secrets").map((reference) => textAt(reference, "name"));
}

async function tokensIn(cluster: Cluster, namespace = "default"): Promise<readonly KubeObject[]> {
  return (await cluster.list("v1", "Secret", { namespace, ...ofType })).items;
}

const account = (name: string, more: object = {}) => ({
  apiVersion: "v1",
  kind: "ServiceAccount",
  metadata: { name, namespace: "default" },
  ...more,
});

test.each(releases)("accounts have tokens in Secrets until 1.23: %s", async (release) => {
  await using cluster = createCluster({ release });
  const { items } = await cluster.list("v1", "ServiceAccount");
  const secrets = (await cluster.list("v1", "Secret", ofType)).items;
  const generates = releases.indexOf(release) < releases.indexOf("1.24");
  expect(secrets).toHaveLength(generates ? 4 : 0);
  expect(items.flatMap((one) => listAt(one, "secrets").map((each) => textAt(each, "name")))).toEqual(
    secrets.map(({ metadata }) => metadata.name),
  );
});

test.each(["1.24", "1.26"] as const)("a gate of %s generates them still", async (release) => {
  const featureGates = { LegacyServiceAccountTokenNoAutoGeneration: false };
  await using cluster = createCluster({ release, featureGates });
  expect(await listedBy(cluster, "default")).toHaveLength(1);
});

describe("in 1.20", () => {
  const release = "1.20";

  test("a new account gets a token that authenticates", async () => {
    await using cluster = createCluster({ release, rootCa: "PEM" });
    await cluster.create(account("ci"));
    await cluster.settle();
    const [name = ""] = await listedBy(cluster, "ci");
    expect(name).toMatch(/^ci-token-[a-z0-9]{5}$/);
    const secret = await cluster.get("v1", "Secret", name, { namespace: "default" });
    const { uid } = (await cluster.get("v1", "ServiceAccount", "ci", { namespace: "default" })).metadata;
    expect(secret).toMatchObject({
      type: "kubernetes.io/service-account-token",
      metadata: {
        annotations: { "kubernetes.io/service-account.name": "ci", "kubernetes.io/service-account.uid": uid },
      },
      data: { "ca.crt": btoa("PEM"), namespace: btoa("default") },
    });
    expect(secret.metadata).not.toHaveProperty("generateName");
    const review = await cluster.create({
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenReview",
      spec: { token: atob(textAt(structAt(secret, "data"), "token")) },
    });
    expect(review).toMatchObject({
      status: { authenticated: true, user: { username: "system:serviceaccount:default:ci" } },
    });
  });

  test("the name of a long account is cut off before the random characters", async () => {
    await using cluster = createCluster({ release });
    const name = "a".repeat(60);
    await cluster.create(account(name));
    await cluster.settle();
    const [token = ""] = await listedBy(cluster, name);
    expect(token).toMatch(/^a{58}[a-z0-9]{5}$/);
  });

  test("a deleted token is removed from its account, which gets another one", async () => {
    await using cluster = createCluster({ release });
    const [before = ""] = await listedBy(cluster, "default");
    await cluster.delete("v1", "Secret", before, { namespace: "default" });
    await cluster.settle();
    const after = await listedBy(cluster, "default");
    expect(after).toHaveLength(1);
    expect(after).not.toEqual([before]);
    expect((await tokensIn(cluster)).map(({ metadata }) => metadata.name)).toEqual(after);
  });

  test("an account that lists other secrets keeps them, and lists the token last", async () => {
    await using cluster = createCluster({ release });
    await cluster.create(account("ci", { secrets: [{ name: "pulling" }] }));
    await cluster.settle();
    expect(await listedBy(cluster, "ci")).toEqual(["pulling", expect.stringMatching(/^ci-token-/)]);
  });

  test("an account that lists a token of its own gets no other one", async () => {
    await using cluster = createCluster({ release });
    const annotations = { "kubernetes.io/service-account.name": "ci" };
    const metadata = { name: "mine", namespace: "default", annotations };
    const type = "kubernetes.io/service-account-token";
    const other = { ...account("ci", { secrets: [{ name: "mine" }] }) };
    await cluster.load([{ apiVersion: "v1", kind: "Secret", metadata, type }, other]);
    await cluster.settle();
    expect(await listedBy(cluster, "ci")).toEqual(["mine"]);
  });

  test("tokens go with their account, and with their namespace", async () => {
    await using cluster = createCluster({ release });
    await cluster.create(account("ci"));
    await cluster.settle();
    await cluster.delete("v1", "ServiceAccount", "ci", { namespace: "default" });
    await cluster.settle();
    expect(await tokensIn(cluster)).toHaveLength(1);
    await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "going" } });
    await cluster.settle();
    expect(await tokensIn(cluster, "going")).toHaveLength(1);
    await cluster.delete("v1", "Namespace", "going");
    await cluster.settle();
    expect(await tokensIn(cluster, "going")).toEqual([]);
    await expect(cluster.get("v1", "Namespace", "going")).rejects.toThrow("not found");
  });
});

test("a deleted token is removed from its account in newer releases, too, and none takes its place", async () => {
  await using cluster = createCluster({ release: "1.32" });
  const annotations = { "kubernetes.io/service-account.name": "ci" };
  const metadata = { name: "mine", namespace: "default", annotations };
  const type = "kubernetes.io/service-account-token";
  await cluster.create(account("ci", { secrets: [{ name: "other" }, { name: "mine" }] }));
  await cluster.create({ apiVersion: "v1", kind: "Secret", metadata, type });
  await cluster.settle();
  await cluster.delete("v1", "Secret", "mine", { namespace: "default" });
  await cluster.settle();
  expect(await listedBy(cluster, "ci")).toEqual(["other"]);
  expect(await tokensIn(cluster)).toEqual([]);
});

test("tokens stay after an upgrade to a release that generates none", async () => {
  await using cluster = createCluster({ release: "1.23" });
  const before = await listedBy(cluster, "default");
  await cluster.upgrade("1.24");
  await cluster.create(account("ci"));
  await cluster.settle();
  expect(await listedBy(cluster, "default")).toEqual(before);
  expect(await listedBy(cluster, "ci")).toEqual([]);
});

test.each([
  ["1.19", {}, false],
  ["1.19", { BoundServiceAccountTokenVolume: true }, true],
  ["1.20", {}, true],
  ["1.20", { RootCAConfigMap: false }, false],
  ["1.21", {}, true],
] as const)(
  "%s with the gates %j publishes kube-root-ca.crt: %s",
  async (release, featureGates, isPublished) => {
    await using cluster = createCluster({ release, featureGates });
    await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "new" } });
    await cluster.settle();
    const { items } = await cluster.list("v1", "ConfigMap");
    const found = items.filter(({ metadata }) => metadata.name === "kube-root-ca.crt");
    expect(found).toHaveLength(isPublished ? 5 : 0);
    for (const { metadata } of found) expect(metadata.annotations).toBeUndefined();
  },
);

test("kube-root-ca.crt has a description from 1.22 on", async () => {
  await using cluster = createCluster({ release: "1.22" });
  const namespace = "default";
  const { metadata } = await cluster.get("v1", "ConfigMap", "kube-root-ca.crt", { namespace });
  expect(Object.keys(metadata.annotations ?? {})).toEqual(["kubernetes.io/description"]);
});
