import { beforeAll, expect, test } from "vitest";
import type { Cluster, JsonObject } from "../../src/index.ts";
import { fieldOwners } from "./field-owners.ts";
import { describeKubectlInOrder, ended } from "./kubectl.ts";

const revisionAnnotation = "deployment.kubernetes.io/revision";
const causeAnnotation = "kubernetes.io/change-cause";
const hashLabel = "pod-template-hash";

const template = (app: string, image: string, labels: JsonObject = {}): JsonObject => ({
  metadata: { labels: { app, ...labels } },
  spec: { containers: [{ name: "c", image }] },
});

const workload = (kind: string, name: string, image: string): JsonObject => ({
  apiVersion: "apps/v1",
  kind,
  metadata: { name },
  spec: { selector: { matchLabels: { app: name } }, template: template(name, image) },
});

interface Templated {
  readonly spec: { readonly template: { readonly spec: { readonly containers: readonly JsonObject[] } } };
}

/** The image of the first container of a workload's template. */
function imageOf(object: object): string {
  // Every workload in these tests has one.
  const { spec } = object as Templated;
  return String(spec.template.spec.containers[0]?.["image"]);
}

/** Does the work of the deployment controller for a revision: a replica set of the template, with its number on both. */
async function rollOut(cluster: Cluster, name: string, revision: number, cause: string): Promise<void> {
  const deployment = await cluster.get("apps/v1", "Deployment", name);
  const hash = `hash${revision}`;
  const annotations = { [revisionAnnotation]: `${revision}`, [causeAnnotation]: cause };
  await cluster.create({
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: {
      name: `${name}-${hash}`,
      labels: { app: name, [hashLabel]: hash },
      annotations,
      ownerReferences: [
        {
          apiVersion: "apps/v1",
          kind: "Deployment",
          name,
          uid: deployment.metadata.uid ?? "",
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      selector: { matchLabels: { app: name, [hashLabel]: hash } },
      template: template(name, imageOf(deployment), { [hashLabel]: hash }),
    },
  });
  await cluster.patch("apps/v1", "Deployment", name, { metadata: { annotations } });
}

describeKubectlInOrder("kubectl rollout of a deployment", ({ cluster, kubectl, run, refusal, start }) => {
  const get = () => cluster.get("apps/v1", "Deployment", "web");
  const image = async () => imageOf(await get());
  const status = (change: JsonObject) =>
    cluster.patch("apps/v1", "Deployment", "web", { status: change }, { subresource: "status" });

  beforeAll(async () => {
    await cluster.load([workload("Deployment", "web", "v:1"), workload("Deployment", "new", "v:1")]);
    await rollOut(cluster, "web", 1, "first");
  });

  test("status follows the status of the controllers", async () => {
    const lines: string[] = [];
    const child = start("rollout status deployment web --timeout=30s");
    const end = ended(child);
    let wake = () => {};
    child.stdout?.on("data", (text: string) => {
      lines.push(...String(text).split("\n").slice(0, -1));
      wake();
    });
    const says = async (line: string) => {
      while (lines.at(-1) !== line) await new Promise<void>((resolve) => (wake = resolve));
    };
    await says("Waiting for deployment spec update to be observed...");
    const { generation = 0 } = (await get()).metadata;
    await status({ observedGeneration: generation });
    await says(
      'Waiting for deployment "web" rollout to finish: 0 out of 1 new replicas have been updated...',
    );
    await status({ replicas: 2, updatedReplicas: 1 });
    await says('Waiting for deployment "web" rollout to finish: 1 old replicas are pending termination...');
    await status({ replicas: 1 });
    await says('Waiting for deployment "web" rollout to finish: 0 of 1 updated replicas are available...');
    await status({ readyReplicas: 1, availableReplicas: 1 });
    expect(await end).toMatchObject({ status: 0, stderr: "" });
    expect(lines.at(-1)).toBe('deployment "web" successfully rolled out');
  });

  test("status fails after the progress deadline", async () => {
    const { generation = 0 } = (await get()).metadata;
    const conditions = [{ type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded" }];
    await status({ observedGeneration: generation, conditions });
    expect(await refusal("rollout status deployment web")).toBe(
      'error: deployment "web" exceeded its progress deadline\n',
    );
    await status({ conditions: null });
  });

  test("history lists the replica sets, and shows one of them", async () => {
    await kubectl("set image deployment/web c=v:2");
    await rollOut(cluster, "web", 2, "second");
    expect(await kubectl("rollout history deployment web")).toBe(
      "deployment.apps/web \nREVISION  CHANGE-CAUSE\n1         first\n2         second\n\n",
    );
    expect(await kubectl("rollout history deployment web --revision=1")).toMatch(
      /^deployment\.apps\/web with revision #1\nPod Template:\n {2}Labels:\tapp=web\n\tpod-template-hash=hash1\n {2}Annotations:\tkubernetes\.io\/change-cause: first\n {2}Containers:\n {3}c:\n {4}Image:\tv:1\n/,
    );
    expect(await refusal("rollout history deployment web --revision=7")).toBe(
      "error: unable to find the specified revision\n",
    );
  });

  test("undo restores the template of the previous revision, without its hash", async () => {
    expect(await kubectl("rollout undo deployment web --dry-run=server")).toBe(
      "deployment.apps/web rolled back (server dry run)\n",
    );
    expect(await image()).toBe("v:2");
    expect(await kubectl("rollout undo deployment web")).toBe("deployment.apps/web rolled back\n");
    expect(await image()).toBe("v:1");
    expect(await get()).toMatchObject({
      metadata: { annotations: { [revisionAnnotation]: "2", [causeAnnotation]: "first" } },
      spec: { template: { metadata: { labels: { app: "web" } } } },
    });
    expect(fieldOwners(await get())).toHaveProperty(["kubectl Update"]);
  });

  test("undo accepts a revision, and refuses a missing one", async () => {
    expect(await kubectl("rollout undo deployment web --to-revision=2")).toBe(
      "deployment.apps/web rolled back\n",
    );
    expect(await image()).toBe("v:2");
    expect(await kubectl("rollout undo deployment web --to-revision=2")).toBe(
      "deployment.apps/web skipped rollback (current template already matches revision 2)\n",
    );
    expect(await refusal("rollout undo deployment web --to-revision=9")).toBe(
      "error: unable to find specified revision 9 in history\n",
    );
    expect(await refusal("rollout undo deployment new")).toBe(
      'error: no rollout history found for deployment "new"\n',
    );
  });

  test("restart annotates the template", async () => {
    const { generation = 0 } = (await get()).metadata;
    expect(await kubectl("rollout restart deployment web")).toBe("deployment.apps/web restarted\n");
    expect(await get()).toMatchObject({
      metadata: { generation: generation + 1 },
      spec: {
        template: {
          metadata: { annotations: { "kubectl.kubernetes.io/restartedAt": expect.stringMatching(/^2/) } },
        },
      },
    });
  });

  test("pause and resume, twice", async () => {
    expect(await kubectl("rollout pause deployment web")).toBe("deployment.apps/web paused\n");
    expect(await get()).toMatchObject({ spec: { paused: true } });
    expect(await refusal("rollout pause deployment web")).toMatch(
      /^error: deployments\.apps "web" is already paused\n$/,
    );
    expect(await refusal("rollout restart deployment web")).toContain(
      "can't restart paused deployment (run rollout resume first)",
    );
    expect(await refusal("rollout undo deployment web")).toContain("cannot rollback a paused deployment");
    expect(await kubectl("rollout resume deployment web")).toBe("deployment.apps/web resumed\n");
    expect((await get())["spec"]).not.toHaveProperty("paused");
    expect(await refusal("rollout resume deployment web")).toMatch(
      /^error: deployments\.apps "web" is not paused\n$/,
    );
  });

  test("restart reports each result for several objects", async () => {
    const { status: code, stdout, stderr } = await run("rollout restart deployment new missing");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "deployment.apps/new restarted\n" });
    expect(stderr).toContain('deployments.apps "missing" not found');
  });
});

describeKubectlInOrder("kubectl rollout with controller revisions", ({ cluster, kubectl }) => {
  const revision = async (kind: string, name: string, number: number, image: string) => {
    const { uid = "" } = (await cluster.get("apps/v1", kind, name)).metadata;
    await cluster.create({
      apiVersion: "apps/v1",
      kind: "ControllerRevision",
      metadata: {
        name: `${name}-${number}`,
        labels: { app: name },
        ownerReferences: [
          { apiVersion: "apps/v1", kind, name, uid, controller: true, blockOwnerDeletion: true },
        ],
      },
      revision: number,
      data: { spec: { template: { ...template(name, image), $patch: "replace" } } },
    });
  };

  test.each([
    ["DaemonSet", "daemonset.apps"],
    ["StatefulSet", "statefulset.apps"],
  ])("a %s", async (kind, printed) => {
    const name = kind.toLowerCase();
    await cluster.load([workload(kind, name, "v:2")]);
    await revision(kind, name, 1, "v:1");
    await revision(kind, name, 2, "v:2");
    expect(await kubectl(`rollout history ${name} ${name}`)).toBe(
      `${printed}/${name} \nREVISION  CHANGE-CAUSE\n1         <none>\n2         <none>\n\n`,
    );
    expect(await kubectl(`rollout undo ${name} ${name}`)).toBe(`${printed}/${name} rolled back\n`);
    expect(await cluster.get("apps/v1", kind, name)).toMatchObject({
      spec: { template: { spec: { containers: [{ image: "v:1" }] } } },
    });
    await kubectl(`rollout restart ${name} ${name}`);
    expect(await cluster.get("apps/v1", kind, name)).toMatchObject({ metadata: { generation: 3 } });
  });

  test("status of a stateful set", async () => {
    const status = {
      observedGeneration: 3,
      replicas: 1,
      readyReplicas: 1,
      currentReplicas: 1,
      updatedReplicas: 1,
      currentRevision: "statefulset-2",
      updateRevision: "statefulset-2",
    };
    await cluster.patch("apps/v1", "StatefulSet", "statefulset", { status }, { subresource: "status" });
    expect(await kubectl("rollout status statefulset statefulset")).toMatch(
      /^(partitioned roll out complete: 1 new pods have been updated|statefulset rolling update complete 1 pods at revision statefulset-2)\.\.\.\n$/,
    );
  });

  test("status of a daemon set", async () => {
    await cluster.patch(
      "apps/v1",
      "DaemonSet",
      "daemonset",
      {
        status: {
          observedGeneration: 3,
          desiredNumberScheduled: 2,
          currentNumberScheduled: 2,
          updatedNumberScheduled: 2,
          numberAvailable: 2,
          numberReady: 2,
        },
      },
      { subresource: "status" },
    );
    expect(await kubectl("rollout status daemonset daemonset")).toBe(
      'daemon set "daemonset" successfully rolled out\n',
    );
  });
});
