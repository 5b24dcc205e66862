import { afterAll, beforeAll, expect, test } from "vitest";
import type { Cluster, JsonObject } from "../../src/index.ts";
import { describeKubectl, describeKubectlInOrder, ended, testSince } from "./kubectl.ts";
import { type Kubelet, startKubelet } from "./kubelet.ts";

const podSpec = { containers: [{ name: "c", image: "c" }] };

const deployment = (name: string): JsonObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: podSpec },
  },
});

/** A deployment with the replica set and the pod that its controllers would create. */
async function withDependents(cluster: Cluster, name: string): Promise<void> {
  const owned = async (owner: JsonObject, apiVersion: string, kind: string): Promise<JsonObject> => {
    const { uid = "" } = (await cluster.create(owner)).metadata;
    return {
      name: `${name}-${kind.toLowerCase()}`,
      labels: { app: name },
      ownerReferences: [{ apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }],
    };
  };
  const replicaSet = await owned(deployment(name), "apps/v1", "Deployment");
  const pod = await owned(
    { ...deployment(name), kind: "ReplicaSet", metadata: { ...replicaSet, name } },
    "apps/v1",
    "ReplicaSet",
  );
  await cluster.create({ apiVersion: "v1", kind: "Pod", metadata: { ...pod, name }, spec: podSpec });
}

describeKubectl("kubectl delete", ({ cluster, kubectl, run, start }) => {
  const left = async (name: string): Promise<readonly string[]> => {
    const kinds = [
      ["apps/v1", "Deployment"],
      ["apps/v1", "ReplicaSet"],
      ["v1", "Pod"],
    ] as const;
    const lists = kinds.map(async ([apiVersion, kind]) => {
      const { items } = await cluster.list(apiVersion, kind, { fieldSelector: `metadata.name=${name}` });
      return items.length === 0 ? [] : [kind];
    });
    return (await Promise.all(lists)).flat();
  };

  const cascade = testSince(20, "kubectl delete --cascade with a policy");

  cascade("--cascade=foreground waits until the dependents are deleted", async () => {
    await withDependents(cluster, "front");
    expect(await kubectl("delete deployment front --cascade=foreground")).toBe(
      'deployment.apps "front" deleted\n',
    );
    expect(await left("front")).toEqual([]);
  });

  cascade("--cascade=background deletes the dependents afterwards", async () => {
    await withDependents(cluster, "back");
    expect(await kubectl("delete deployment back --cascade=background")).toBe(
      'deployment.apps "back" deleted\n',
    );
    await cluster.settle();
    expect(await left("back")).toEqual([]);
  });

  cascade("--cascade=orphan keeps the dependents without an owner", async () => {
    await withDependents(cluster, "orphan");
    expect(await kubectl("delete deployment orphan --cascade=orphan")).toBe(
      'deployment.apps "orphan" deleted\n',
    );
    await cluster.settle();
    expect(await left("orphan")).toEqual(["ReplicaSet", "Pod"]);
    const { metadata } = await cluster.get("apps/v1", "ReplicaSet", "orphan");
    expect(metadata).not.toHaveProperty("ownerReferences");
  });

  test("a pod on a node exists until the kubelet has ended it", async () => {
    await cluster.create({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "bound" },
      spec: { ...podSpec, nodeName: "n" },
    });
    expect(await kubectl("delete pod bound --wait=false")).toMatch(/^pod "bound" deleted/);
    expect((await cluster.get("v1", "Pod", "bound")).metadata).toMatchObject({
      deletionTimestamp: expect.any(String),
      deletionGracePeriodSeconds: 30,
    });
    await kubectl("delete pod bound --now --wait=false");
    expect((await cluster.get("v1", "Pod", "bound")).metadata.deletionGracePeriodSeconds).toBe(1);
    const forced = await run("delete pod bound --force");
    expect(forced).toMatchObject({ status: 0, stdout: expect.stringMatching(/^pod "bound" force deleted/) });
    expect(forced.stderr).toMatch(/^[Ww]arning: Immediate deletion does not wait for confirmation/);
    expect(await left("bound")).toEqual([]);
  });

  test("--wait waits for the kubelet", async () => {
    await cluster.create({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "waited" },
      spec: { ...podSpec, nodeName: "n" },
    });
    const child = start("delete pod waited --grace-period=5");
    const end = ended(child);
    let kubelet: Kubelet | undefined;
    try {
      kubelet = await startKubelet(cluster);
      expect(await end).toMatchObject({ status: 0, stderr: "" });
    } finally {
      kubelet?.stop();
    }
    expect(await left("waited")).toEqual([]);
  });

  test("waits for finalizers, and gives up after --timeout", async () => {
    await cluster.create({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "kept", finalizers: ["example.com/keep"] },
    });
    const { status, stdout, stderr } = await run("delete configmap kept --timeout=2s");
    // On a busy machine, kubectl also logs that its watch ended with the time.
    const said = stderr.replace(/^E.*Failed to watch.*context deadline exceeded"\n/m, "");
    expect({ status, stdout, said }).toEqual({
      status: 1,
      stdout: 'configmap "kept" deleted\n',
      said: "error: timed out waiting for the condition on configmaps/kept\n",
    });
    await cluster.patch("v1", "ConfigMap", "kept", { metadata: { finalizers: null } });
    expect(await kubectl("delete configmap kept --ignore-not-found")).toBe("");
  });

  test("--dry-run=server deletes nothing", async () => {
    await cluster.load([deployment("stays")]);
    expect(await kubectl("delete deployment stays --dry-run=server")).toBe(
      'deployment.apps "stays" deleted (server dry run)\n',
    );
    expect(await left("stays")).toEqual(["Deployment"]);
  });

  test("deletes selected objects, all objects, and a namespace with its content", async () => {
    await kubectl("create namespace emptied");
    const configMap = (name: string) => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name, namespace: "emptied", labels: { app: name } },
    });
    await cluster.load(["a", "b", "c"].map(configMap));
    expect(await kubectl("delete configmaps -n emptied -l app=a")).toMatch(/^configmap "a" deleted/);
    expect(await kubectl("delete configmaps -n emptied --field-selector=metadata.name=b")).toMatch(
      /^configmap "b" deleted/,
    );
    expect(await kubectl("delete configmaps -n emptied -l app=none")).toBe("No resources found\n");
    await kubectl("delete configmaps -n emptied --all");
    expect(await kubectl("delete namespace emptied")).toBe('namespace "emptied" deleted\n');
    expect(await kubectl("get configmaps,serviceaccounts -n emptied --ignore-not-found -o name")).toBe("");
    expect(await kubectl("delete namespace emptied --ignore-not-found")).toBe("");
  });

  test("reports each result for several objects", async () => {
    await cluster.load([deployment("a"), deployment("b")]);
    expect(await run("delete deployment a missing b")).toEqual({
      status: 1,
      stdout: 'deployment.apps "a" deleted\ndeployment.apps "b" deleted\n',
      stderr: 'Error from server (NotFound): deployments.apps "missing" not found\n',
    });
  });
});

describeKubectlInOrder("kubectl wait", ({ cluster, server, kubectl, refusal, run, start }) => {
  let kubelet: Kubelet;
  beforeAll(async () => {
    await cluster.load([deployment("web"), deployment("api")]);
    kubelet = await startKubelet(cluster);
  });
  afterAll(() => kubelet.stop());

  const available = (name: string) =>
    cluster.patch(
      "apps/v1",
      "Deployment",
      name,
      {
        status: {
          observedGeneration: 1,
          readyReplicas: 1,
          replicas: 1,
          conditions: [{ type: "Available", status: "True" }],
        },
      },
      { subresource: "status" },
    );

  test("--for=condition handles a condition that is met, is met later, or is never met", async () => {
    const child = start("wait deployment web --for=condition=Available --timeout=20s");
    const waiting = ended(child);
    await available("web");
    expect(await waiting).toEqual({ status: 0, stdout: "deployment.apps/web condition met\n", stderr: "" });
    expect(await kubectl("wait deployment web --for=condition=available")).toBe(
      "deployment.apps/web condition met\n",
    );
    expect(await refusal("wait deployment api --for=condition=Available --timeout=2s")).toBe(
      "error: timed out waiting for the condition on deployments/api\n",
    );
  });

  const jsonpath = testSince(23, "kubectl wait --for=jsonpath");

  jsonpath("--for=jsonpath", async () => {
    expect(await kubectl("wait deployment web --for=jsonpath={.status.readyReplicas}=1")).toBe(
      "deployment.apps/web condition met\n",
    );
    const child = start("wait deployment api --for=jsonpath={.status.readyReplicas}=1 --timeout=20s");
    const waiting = ended(child);
    await available("api");
    expect(await waiting).toMatchObject({ status: 0, stdout: "deployment.apps/api condition met\n" });
  });

  testSince(22, "kubectl wait --for=delete for missing objects")(
    "--for=delete handles an object that is deleted later or already",
    async () => {
      await cluster.create({
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "going", finalizers: ["example.com/wait"] },
      });
      await cluster.delete("v1", "ConfigMap", "going");
      const { openStreams } = server;
      const waiting = ended(start("wait configmap going --for=delete --timeout=20s"));
      while (server.openStreams === openStreams) await new Promise((resolve) => setTimeout(resolve, 5));
      await cluster.patch("v1", "ConfigMap", "going", { metadata: { finalizers: null } });
      expect((await waiting).status).toBe(0);
      expect((await run("wait configmap/going --for=delete")).status).toBe(0);
    },
  );

  testSince(31, "kubectl wait --for=create")("--for=create", async () => {
    const waiting = ended(start("wait configmap/coming --for=create --timeout=20s"));
    await cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "coming" } });
    expect(await waiting).toMatchObject({ status: 0, stdout: "configmap/coming condition met\n" });
  });

  test("is refused without objects", async () => {
    expect(await refusal("wait deployment -l app=none --for=condition=Available")).toBe(
      "error: no matching resources found\n",
    );
    expect((await run("wait deployment missing --for=condition=Available")).stderr).toBe(
      'Error from server (NotFound): deployments.apps "missing" not found\n',
    );
  });
});
