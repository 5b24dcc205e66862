import { beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../src/index.ts";
import { fieldOwners } from "./field-owners.ts";
import { describeKubectl, describeKubectlInOrder, testSince } from "./kubectl.ts";

const podTemplate = (app: string): JsonObject => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: "c", image: "c" }] },
});

const workload = (apiVersion: string, kind: string, name: string): JsonObject => ({
  apiVersion,
  kind,
  metadata: { name },
  spec: {
    selector: apiVersion === "v1" ? { app: name } : { matchLabels: { app: name } },
    template: podTemplate(name),
  },
});

describeKubectl("kubectl scale", ({ cluster, kubectl, run, refusal }) => {
  const replicas = async (kind: string, name: string, apiVersion = "apps/v1") => {
    const { spec } = await cluster.get(apiVersion, kind, name);
    return (spec as JsonObject)["replicas"];
  };

  beforeAll(() =>
    cluster.load([
      workload("apps/v1", "Deployment", "a"),
      workload("apps/v1", "Deployment", "b"),
      workload("apps/v1", "StatefulSet", "set"),
      workload("apps/v1", "ReplicaSet", "rs"),
      workload("v1", "ReplicationController", "rc"),
      workload("apps/v1", "DaemonSet", "everywhere"),
    ]),
  );

  test.each([
    ["deployment", "a", "Deployment", "apps/v1", "deployment.apps"],
    ["statefulset", "set", "StatefulSet", "apps/v1", "statefulset.apps"],
    ["rs", "rs", "ReplicaSet", "apps/v1", "replicaset.apps"],
    ["rc", "rc", "ReplicationController", "v1", "replicationcontroller"],
  ])("of a %s", async (resource, name, kind, apiVersion, printed) => {
    expect(await kubectl(`scale ${resource} ${name} --replicas=3`)).toBe(`${printed}/${name} scaled\n`);
    expect(await replicas(kind, name, apiVersion)).toBe(3);
  });

  test("scales several workloads at once, except for a missing one", async () => {
    const ended = await run("scale deployment/a deployment/b deployment/missing --replicas=4");
    expect(ended).toEqual({
      status: 1,
      stdout: "deployment.apps/a scaled\ndeployment.apps/b scaled\n",
      stderr: 'Error from server (NotFound): deployments.apps "missing" not found\n',
    });
    expect(await Promise.all([replicas("Deployment", "a"), replicas("Deployment", "b")])).toEqual([4, 4]);
  });

  test("--current-replicas and --resource-version are preconditions", async () => {
    await kubectl("scale deployment a --replicas=2");
    expect(await refusal("scale deployment a --current-replicas=1 --replicas=5")).toBe(
      "error: Expected replicas to be 1, was 2\n",
    );
    expect(await kubectl("scale deployment a --current-replicas=2 --replicas=5")).toBe(
      "deployment.apps/a scaled\n",
    );
    const { metadata } = await cluster.get("apps/v1", "Deployment", "a");
    expect(await refusal("scale deployment a --resource-version=1 --replicas=6")).toBe(
      `error: Expected resource version to be 1, was ${metadata.resourceVersion}\n`,
    );
    await kubectl(`scale deployment a --resource-version=${metadata.resourceVersion} --replicas=6`);
    expect(await replicas("Deployment", "a")).toBe(6);
  });

  testSince(27, "the dry-run output of kubectl scale")("--dry-run=server changes nothing", async () => {
    await kubectl("scale deployment b --replicas=1");
    expect(await kubectl("scale deployment b --replicas=9 --dry-run=server")).toBe(
      "deployment.apps/b scaled (server dry run)\n",
    );
    expect(await replicas("Deployment", "b")).toBe(1);
  });

  test("refuses kinds without a scale", async () => {
    expect(await refusal("scale daemonset everywhere --replicas=2")).toBe(
      "Error from server (NotFound): the server could not find the requested resource\n",
    );
  });

  test("writes as kubectl, with an Update of the scale", async () => {
    await kubectl("scale deployment b --replicas=7");
    expect(fieldOwners(await cluster.get("apps/v1", "Deployment", "b"))).toMatchObject({
      "kubectl Update scale": { "f:spec": { "f:replicas": {} } },
    });
  });
});

describeKubectlInOrder("kubectl autoscale", ({ cluster, kubectl, refusal }) => {
  beforeAll(() => cluster.load([workload("apps/v1", "Deployment", "web")]));

  test("creates an autoscaler with the deployment's name", async () => {
    expect(await kubectl("autoscale deployment web --min=2 --max=5 --cpu-percent=80")).toBe(
      "horizontalpodautoscaler.autoscaling/web autoscaled\n",
    );
    expect(await cluster.get("autoscaling/v2", "HorizontalPodAutoscaler", "web")).toMatchObject({
      spec: {
        minReplicas: 2,
        maxReplicas: 5,
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
        metrics: [
          {
            type: "Resource",
            resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } },
          },
        ],
      },
    });
  });

  test("leaves unset fields to the server's defaults", async () => {
    await kubectl("autoscale deployment web --name=other --max=3");
    expect(await cluster.get("autoscaling/v2", "HorizontalPodAutoscaler", "other")).toMatchObject({
      spec: {
        minReplicas: 1,
        maxReplicas: 3,
        metrics: [{ resource: { name: "cpu", target: { averageUtilization: 80 } } }],
      },
    });
  });

  test("is refused for an existing autoscaler, and for a missing deployment", async () => {
    expect(await refusal("autoscale deployment web --max=3")).toBe(
      'Error from server (AlreadyExists): horizontalpodautoscalers.autoscaling "web" already exists\n',
    );
    expect(await refusal("autoscale deployment missing --max=3")).toBe(
      'Error from server (NotFound): deployments.apps "missing" not found\n',
    );
  });
});
