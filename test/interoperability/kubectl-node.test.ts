import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../src/index.ts";
import { describeKubectlInOrder, kubectlMinor, testSince } from "./kubectl.ts";
import { type Kubelet, startKubelet } from "./kubelet.ts";

const containers = [{ name: "c", image: "c" }];
const replicaSet: JsonObject = {
  apiVersion: "apps/v1",
  kind: "ReplicaSet",
  metadata: { name: "rs" },
  spec: {
    selector: { matchLabels: { set: "rs" } },
    template: { metadata: { labels: { set: "rs" } }, spec: { containers } },
  },
};

/** Reads standard error of a command until it contains these words. */
async function said({ stderr }: ChildProcess, words: string): Promise<string> {
  if (stderr === null) throw new Error("standard error is not a pipe");
  let text = "";
  stderr.on("data", (piece) => {
    text += piece;
  });
  while (!text.includes(words)) await once(stderr, "data");
  return text;
}

const node = (name: string): JsonObject => ({ apiVersion: "v1", kind: "Node", metadata: { name } });

describeKubectlInOrder("kubectl", ({ cluster, kubectl, run, refusal, start }) => {
  const spec = async (name: string) => (await cluster.get("v1", "Node", name))["spec"] as JsonObject;
  const pods = async () => (await cluster.list("v1", "Pod")).items.map(({ metadata }) => metadata.name);
  let kubelet: Kubelet;
  let uid = "";

  /** A pod on a node, as created by the replica set controller. */
  const pod = (name: string, nodeName: string): JsonObject => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      labels: { app: name },
      ownerReferences: [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: "rs", uid, controller: true }],
    },
    spec: { nodeName, containers },
  });

  beforeAll(async () => {
    uid = (await cluster.create(replicaSet)).metadata.uid ?? "";
    await cluster.load(["one", "two", "three"].map(node));
    await cluster.load([pod("a", "one"), pod("b", "one"), pod("elsewhere", "two")]);
    kubelet = await startKubelet(cluster);
  });
  afterAll(() => kubelet.stop());

  test("taint adds, replaces and removes", async () => {
    expect(await kubectl("taint node one use=web:NoSchedule full:NoExecute")).toBe("node/one tainted\n");
    expect((await spec("one"))["taints"]).toEqual(
      expect.arrayContaining([
        { key: "use", value: "web", effect: "NoSchedule" },
        expect.objectContaining({ key: "full", effect: "NoExecute" }),
      ]),
    );
    expect(await refusal("taint node one use=db:NoSchedule")).toBe(
      "error: node one already has use taint(s) with same effect(s) and --overwrite is false\n",
    );
    expect(await kubectl("taint node one use=db:NoSchedule --overwrite")).toBe("node/one modified\n");
    expect((await spec("one"))["taints"]).toContainEqual({ key: "use", value: "db", effect: "NoSchedule" });
    expect(await kubectl("taint node one use- full:NoExecute-")).toBe("node/one untainted\n");
    expect(await spec("one")).not.toHaveProperty("taints.0.key", "use");
  });

  test("cordon and uncordon, twice", async () => {
    expect(await kubectl("cordon one")).toBe("node/one cordoned\n");
    expect(await spec("one")).toMatchObject({ unschedulable: true });
    expect(await kubectl("cordon one")).toBe("node/one already cordoned\n");
    expect(await kubectl("uncordon one")).toBe("node/one uncordoned\n");
    expect(await spec("one")).not.toHaveProperty("unschedulable");
    expect(await kubectl("uncordon one")).toBe("node/one already uncordoned\n");
    expect(await kubectl("cordon one --dry-run=server")).toBe("node/one cordoned (server dry run)\n");
    expect(await spec("one")).not.toHaveProperty("unschedulable");
  });

  test("a missing node is refused", async () => {
    expect(await refusal("cordon four")).toBe('Error from server (NotFound): nodes "four" not found\n');
    expect(await refusal("taint node four a:NoSchedule")).toBe(
      'Error from server (NotFound): nodes "four" not found\n',
    );
  });

  testSince(22, "kubectl drain --dry-run=server with policy/v1")(
    "drain --dry-run=server requests every eviction without deleting pods",
    async () => {
      const { status, stdout, stderr } = await run("drain one --dry-run=server");
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      expect(stdout.split("\n").sort()).toEqual([
        "",
        "evicting pod default/a (server dry run)",
        "evicting pod default/b (server dry run)",
        "node/one cordoned (server dry run)",
        "node/one drained (server dry run)",
      ]);
      expect(await pods()).toEqual(["a", "b", "elsewhere"]);
      expect(await spec("one")).not.toHaveProperty("unschedulable");
    },
  );

  test("drain evicts the pods of the node, and waits until they have ended", async () => {
    const { status, stdout } = await run("drain one --pod-selector=app=a");
    expect(status).toBe(0);
    const evicted = kubectlMinor === 20 ? [] : ["pod/a evicted"];
    expect(stdout.split("\n").slice(0, -1)).toEqual(
      expect.arrayContaining(["node/one cordoned", "evicting pod default/a", ...evicted]),
    );
    expect(stdout).toMatch(/node\/one (drained|evicted)\n$/);
    expect(await pods()).toEqual(["b", "elsewhere"]);
    expect(await spec("one")).toMatchObject({ unschedulable: true });
  });

  test("drain evicts pods without a controller only with --force", async () => {
    await kubectl(["run", "bare", "--image=c", '--overrides={"spec":{"nodeName":"two"}}']);
    const { status, stdout, stderr } = await run("drain two");
    expect({ status, stdout }).toEqual({ status: 1, stdout: "node/two cordoned\n" });
    expect(stderr).toContain("(use --force to override): default/bare");
    const forced = await run("drain two --force --pod-selector=run=bare");
    expect(forced.status).toBe(0);
    expect(forced.stdout).toContain("pod/bare evicted\n");
  });

  test("drain reports an eviction that a disruption budget forbids", async () => {
    await cluster.create({
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata: { name: "all" },
      spec: { minAvailable: 1, selector: { matchLabels: { app: "guarded" } } },
    });
    await cluster.load([pod("guarded", "three")]);
    await cluster.patch(
      "v1",
      "Pod",
      "guarded",
      { status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] } },
      { subresource: "status" },
    );
    await cluster.patch(
      "policy/v1",
      "PodDisruptionBudget",
      "all",
      {
        status: {
          disruptionsAllowed: 0,
          currentHealthy: 1,
          desiredHealthy: 1,
          expectedPods: 1,
          observedGeneration: 1,
        },
      },
      { subresource: "status" },
    );
    // It would retry every five seconds.
    const child = start("drain three");
    const stderr = await said(child, "disruption budget.");
    child.kill();
    expect(stderr).toContain(
      'error when evicting pods/"guarded" -n "default" (will retry after 5s): Cannot evict pod as it would violate the pod\'s disruption budget.\n',
    );
    expect(await pods()).toContain("guarded");
  });

  test("drain --disable-eviction deletes pods regardless of the budget", async () => {
    const { status, stdout } = await run("drain three --disable-eviction");
    expect(status).toBe(0);
    expect(stdout).toContain("pod/guarded deleted\n");
    expect(await pods()).not.toContain("guarded");
  });
});
