import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Cluster, createCluster, type JsonObject, type KubeObject } from "../../src/index.ts";
import {
  completes,
  crashLoop,
  drainBlocked,
  imagePullBackOff,
  imageUnavailable,
  nodeDown,
  podWebhookDown,
  quotaUsedUp,
  slowTermination,
} from "../../src/scenario/presets.ts";
import { type Serving, serve } from "../../src/transports/node/serve.ts";
import { installedHelm } from "./helm.ts";
import { type Ended, ended } from "./kubectl.ts";
import { installedKubectls } from "./kubectl-versions.ts";
import { hasTerminal, Terminal } from "./terminal.ts";

const [oldest, ...newer] = installedKubectls();
const kubectls = [oldest, newer.at(-1)].filter((one) => one !== undefined);
const helmPath = installedHelm();

let cluster: Cluster;
let server: Serving;
let directory: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "kubedouble-simulation-"));
  cluster = createCluster({ simulate: true, seed: 5 });
  server = await serve(cluster);
  writeFileSync(join(directory, "kubeconfig"), server.kubeconfig(), { mode: 0o600 });
}, 60_000);

afterAll(async () => {
  await server.close();
  await cluster.close();
  rmSync(directory, { recursive: true, force: true });
});

function start(path: string, words: readonly string[], input = ""): ChildProcess {
  const child = spawn(path, words, {
    cwd: directory,
    env: { ...process.env, HOME: directory, KUBECONFIG: join(directory, "kubeconfig") },
  });
  child.stdin?.end(input);
  return child;
}

function run(path: string, words: readonly string[]): Promise<Ended> {
  return ended(start(path, words));
}

/** Resolves when a program has printed a text on standard error, or its end. */
function printed(child: ChildProcess, text: string): Promise<void> {
  let output = "";
  return new Promise((resolve) => {
    child.once("close", resolve);
    child.stderr?.on("data", (piece: string | Uint8Array) => {
      output += piece.toString();
      if (output.includes(text)) resolve();
    });
  });
}

/** The pods of a namespace, after the simulation has nothing left to do. */
async function pods(namespace: string, labelSelector = "") {
  await cluster.settle();
  return (await cluster.list("v1", "Pod", { namespace, labelSelector })).items;
}

describe.each(kubectls)(
  "kubectl 1.$minor in a simulated cluster",
  { timeout: 120_000 },
  ({ path, minor }) => {
    const namespace = `shop-${minor}`;
    /** The output of a command that succeeds. */
    const kubectl = async (words: string) => {
      const args = [...words.split(" "), `--namespace=${namespace}`];
      const { status, stdout, stderr } = await run(path, args);
      expect({ words, status, stderr }).toMatchObject({ words, status: 0 });
      return stdout;
    };

    const names = async () => (await pods(namespace)).map(({ metadata }) => metadata.name);

    beforeAll(async () => {
      await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    });
    afterEach(async () => {
      await kubectl("delete deployments,poddisruptionbudgets,pods --all --force --grace-period=0");
      await cluster.settle();
    });

    test("a deployment rolls out, goes back, pauses, resumes and restarts", async () => {
      await kubectl("create deployment web --image=nginx:1.25 --replicas=3");
      expect(await kubectl("rollout status deployment/web --timeout=60s")).toContain(
        'deployment "web" successfully rolled out\n',
      );
      const images = async () =>
        new Set((await pods(namespace)).map(({ spec }) => spec?.containers[0]?.image));
      await kubectl("set image deployment/web nginx=nginx:1.26");
      await kubectl("rollout status deployment/web --timeout=60s");
      expect(await images()).toEqual(new Set(["nginx:1.26"]));
      expect(await kubectl("rollout history deployment/web")).toMatch(/\n1 +<none>\n2 +<none>\n/);
      expect(await kubectl("rollout history deployment/web --revision=1")).toContain("nginx:1.25");

      await kubectl("rollout undo deployment/web");
      await kubectl("rollout status deployment/web --timeout=60s");
      expect(await images()).toEqual(new Set(["nginx:1.25"]));
      expect(await kubectl("rollout history deployment/web")).toMatch(/\n2 +<none>\n3 +<none>\n/);

      await kubectl("rollout pause deployment/web");
      await kubectl("set image deployment/web nginx=nginx:1.27");
      expect(await images()).toEqual(new Set(["nginx:1.25"]));
      await kubectl("rollout resume deployment/web");
      await kubectl("rollout status deployment/web --timeout=60s");
      expect(await images()).toEqual(new Set(["nginx:1.27"]));

      const before = await names();
      await kubectl("rollout restart deployment/web");
      await kubectl("rollout status deployment/web --timeout=60s");
      const after = await names();
      expect(after).toHaveLength(3);
      expect(after.filter((name) => before.includes(name))).toEqual([]);
    });

    test("autoscale keeps the CPU of a deployment at its target", async () => {
      const labels = { app: "busy" };
      const container = { name: "main", image: "nginx", resources: { requests: { cpu: "1" } } };
      const template = { metadata: { labels }, spec: { containers: [container] } };
      const spec = { replicas: 2, selector: { matchLabels: labels }, template };
      const metadata = { name: "busy", namespace };
      await cluster.create({ apiVersion: "apps/v1", kind: "Deployment", metadata, spec });
      await cluster.settle();
      await kubectl("autoscale deployment busy --min=2 --max=4 --cpu-percent=50");
      await cluster.pod({ namespace, labels }).usage({ cpu: "800m", memory: "1Gi" });
      // The API of metrics answers before the clock goes on.
      await cluster.settle();
      await kubectl("top pods");
      // The autoscaler does not count the first metrics of pods that have just started.
      for (let look = 0; look < 8; look++) {
        await cluster.clock.advance("15s");
        await cluster.settle();
      }
      expect(await kubectl("get hpa busy")).toMatch(/busy +Deployment\/busy +cpu: 80%\/50% +2 +4 +\d /);
      expect(await kubectl("describe hpa busy")).toContain("New size: 4; reason: cpu resource utilization");
      expect(await pods(namespace, "app=busy")).toHaveLength(4);
      await cluster.delete("autoscaling/v2", "HorizontalPodAutoscaler", "busy", { namespace });
    });

    test("a deployment scales, and its pods become ready", async () => {
      await kubectl("create deployment api --image=nginx");
      await kubectl("scale deployment/api --replicas=4 --timeout=60s");
      expect(await kubectl("wait --for=condition=Ready pod -l app=api --timeout=60s")).toMatch(
        /^(pod\/api-\S+ condition met\n){4}$/,
      );
      expect(await kubectl("get deployment api")).toMatch(/\napi +4\/4 +4 +4 /);
      expect(await kubectl("get pods --field-selector=status.phase=Running --output=name")).toMatch(
        /^(pod\/api-\S+\n){4}$/,
      );
      await kubectl("scale deployment/api --replicas=0");
      expect(await kubectl("wait --for=delete pod -l app=api --timeout=60s")).toMatch(
        /^(pod\/api-\S+ condition met\n)*$/,
      );
      expect(await pods(namespace)).toEqual([]);
    });

    test("a deleted pod terminates when its grace period is over, and at once by force", async () => {
      using _slow = cluster.pods.script({ name: /^slow/ }, slowTermination({ takes: "1h" }));
      for (const name of ["slow-1", "slow-2"]) await kubectl(`run ${name} --image=nginx`);
      await kubectl("wait --for=condition=Ready pod/slow-1 pod/slow-2 --timeout=60s");
      await kubectl("delete pod slow-1 slow-2 --wait=false");
      expect(await kubectl("get pod slow-1")).toMatch(/\nslow-1 +1\/1 +Terminating /);
      await kubectl("delete pod slow-1 --grace-period=5 --wait=false");
      await cluster.clock.advance("4s");
      expect(await names()).toEqual(["slow-1", "slow-2"]);
      await cluster.clock.advance("1s");
      expect(await names()).toEqual(["slow-2"]);
      await kubectl("delete pod slow-2 --grace-period=0 --force");
      expect(await names()).toEqual([]);
    });

    /** Ends the process to which a client is attached, when it has read a line, and lets its container complete. */
    const processes = (images: RegExp) => {
      const attached = cluster
        .pod({ namespace, image: images })
        .onAttach(async ({ container, stdin, stdout }) => {
          await stdout.write(`in ${container}\n`);
          for await (const line of stdin) {
            await stdout.write(`read ${new TextDecoder().decode(line).trim()}\n`);
            break;
          }
          cluster.pods.script({ namespace, container }, completes());
        });
      return attached;
    };

    const debug = async (words: string) => {
      const args = [...words.split(" "), `--namespace=${namespace}`];
      const child = start(path, args, "hello\n");
      const { status, stdout, stderr } = await ended(child);
      expect({ words, status, stderr }).toMatchObject({ words, status: 0 });
      return stdout;
    };

    test("debug adds a container to a pod, to a copy of it, and to a node", async () => {
      await kubectl("run web --image=nginx");
      await kubectl("wait --for=condition=Ready pod/web --timeout=60s");
      using _process = processes(/nginx|busybox/);
      expect(await debug("debug web --image=busybox --container=tools -i -q")).toContain("read hello");
      const [web] = await pods(namespace);
      expect(web?.status?.ephemeralContainerStatuses).toMatchObject([
        { name: "tools", image: expect.stringContaining("busybox"), state: { terminated: { exitCode: 0 } } },
      ]);
      expect(await debug("debug web --image=busybox --container=side --copy-to=web-copy -i -q")).toContain(
        "in side",
      );
      const copy = (await pods(namespace)).find(({ metadata }) => metadata.name === "web-copy");
      expect(copy?.spec?.containers.map(({ name }) => name)).toEqual(["web", "side"]);
      expect(await debug("debug node/node-1 --image=busybox -i -q")).toContain("in debugger");
      const onNode = (await names()).find((name) => name?.startsWith("node-debugger-node-1-"));
      expect(onNode).toBeDefined();
    });

    test.skipIf(!hasTerminal)("run has a terminal, and removes its pod", async () => {
      using _process = processes(/busybox/);
      const words = `run once -it --rm --image=busybox --restart=Never --namespace=${namespace}`;
      const env = { ...process.env, HOME: directory, KUBECONFIG: join(directory, "kubeconfig") };
      const terminal = new Terminal(path, words.split(" "), env);
      await terminal.shows("in once");
      terminal.type("hello\r");
      const { status, output } = await terminal.ended();
      expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining("read hello") });
      expect(output).toContain('pod "once" deleted');
      expect(await names()).toEqual([]);
    });

    test("the cluster itself fails on demand", async () => {
      const fails = async (words: string) => {
        const { stderr } = await run(path, [...words.split(" "), `--namespace=${namespace}`]);
        return stderr;
      };
      {
        using _quota = cluster.inject(quotaUsedUp({ namespace }));
        await cluster.settle();
        expect(await fails("run more --image=nginx")).toContain(
          'pods "more" is forbidden: exceeded quota: quota-used-up, requested: pods=1, used: pods=0, limited: pods=0',
        );
      }
      {
        using _webhook = cluster.inject(podWebhookDown());
        await cluster.settle();
        expect(await fails("run more --image=nginx")).toContain(
          'failed calling webhook "pod-webhook-down.example.com": failed to call webhook: Post "https://pod-webhook-down.default.svc:443/?timeout=10s": service "pod-webhook-down" not found',
        );
      }
      using image = cluster.inject(imageUnavailable({ image: "nginx:gone" }));
      await cluster.settle();
      await kubectl("run broken --image=nginx:gone");
      await cluster.settle();
      expect(await kubectl("get pod broken")).toMatch(/\nbroken +0\/1 +ImagePullBackOff /);
      image.remove();
      {
        using _drain = cluster.inject(drainBlocked({ namespace }));
        await cluster.settle();
        const [pod] = await pods(namespace);
        const { nodeName = "" } = pod?.spec ?? {};
        expect(
          await fails(`drain ${nodeName} --ignore-daemonsets --force --pod-selector=run=broken --timeout=1s`),
        ).toContain("Cannot evict pod as it would violate the pod's disruption budget.");
        await kubectl(`uncordon ${nodeName}`);
      }
      {
        using _node = cluster.inject(nodeDown({ node: "node-3" }));
        await cluster.settle();
        await cluster.clock.advance("50s");
        await cluster.settle();
        expect(await kubectl("get node node-3")).toMatch(/\nnode-3 +NotReady /);
      }
      await cluster.settle();
      expect(await kubectl("get node node-3")).toMatch(/\nnode-3 +Ready /);
    });

    test("a drain evicts what a budget allows, and waits for the rest", async () => {
      await kubectl("create deployment db --image=postgres --replicas=2");
      await kubectl("rollout status deployment/db --timeout=60s");
      await kubectl("create poddisruptionbudget db --selector=app=db --min-available=2");
      await cluster.settle();
      const [pod] = await pods(namespace);
      const { nodeName = "" } = pod?.spec ?? {};
      const drain = `drain ${nodeName} --ignore-daemonsets --pod-selector=app=db --timeout=60s`;
      const child = start(path, drain.split(" "));
      const result = ended(child);
      const refusal = "Cannot evict pod as it would violate the pod's disruption budget.";
      await printed(child, refusal);
      await kubectl("scale deployment/db --replicas=3");
      expect(await result).toMatchObject({ status: 0, stderr: expect.stringContaining(refusal) });
      await kubectl("rollout status deployment/db --timeout=60s");
      const left = await pods(namespace);
      expect(left).toHaveLength(3);
      expect(left.filter(({ spec }) => spec?.nodeName === nodeName)).toEqual([]);
      expect(await kubectl(`get node ${nodeName}`)).toContain("Ready,SchedulingDisabled");
      await kubectl(`uncordon ${nodeName}`);
    });
  },
);

describe.skipIf(helmPath === undefined)("Helm in a simulated cluster", { timeout: 120_000 }, () => {
  /** Writes a chart with a Deployment, hooks that check the release, and a test. */
  beforeAll(() => {
    mkdirSync(join(directory, "chart/templates"), { recursive: true });
    const file = (name: string, content: JsonObject) =>
      writeFileSync(join(directory, "chart", name), JSON.stringify(content));
    const labels = { app: "{{ .Release.Name }}" };
    const containers = [{ name: "web", image: "{{ .Values.image }}" }];
    const template = { metadata: { labels }, spec: { containers } };
    const hook = (when: string, name: string): JsonObject => ({
      name: `{{ .Release.Name }}-${name}`,
      annotations: { "helm.sh/hook": when, "helm.sh/hook-delete-policy": "before-hook-creation" },
    });
    const once = { restartPolicy: "Never", containers: [{ name: "once", image: "busybox" }] };
    file("Chart.yaml", { apiVersion: "v2", name: "web", version: "0.1.0" });
    file("values.yaml", { image: "nginx:1.25" });
    file("templates/deployment.yaml", {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "{{ .Release.Name }}" },
      spec: { replicas: 2, selector: { matchLabels: labels }, template },
    });
    file("templates/service.yaml", {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "{{ .Release.Name }}" },
      spec: { selector: labels, ports: [{ port: 80 }] },
    });
    file("templates/check.yaml", {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: hook("pre-install,post-upgrade", "check"),
      spec: { backoffLimit: 0, template: { spec: once } },
    });
    file("templates/test.yaml", {
      apiVersion: "v1",
      kind: "Pod",
      metadata: hook("test", "test"),
      spec: once,
    });
  });

  const helm = (words: string) => run(helmPath ?? "", words.split(" "));
  const succeeds = async (words: string) => {
    const { status, stdout, stderr } = await helm(words);
    expect({ words, status, stderr }).toEqual({ words, status: 0, stderr: "" });
    return stdout;
  };
  const images = async () =>
    (await pods("default", "app=site")).map(({ spec }) => spec?.containers[0]?.image);
  const deployment = () => cluster.get<KubeObject>("apps/v1", "Deployment", "site");

  test("waits for pods, runs hooks and tests, and rolls back upgrades that fail", async () => {
    await succeeds("install site chart --wait --timeout=60s");
    expect(await deployment()).toMatchObject({ status: { availableReplicas: 2 } });
    expect(await cluster.get("batch/v1", "Job", "site-check")).toMatchObject({
      status: { succeeded: 1 },
    });
    expect(await succeeds("test site --timeout=60s")).toMatch(
      /TEST SUITE: +site-test\n(.*\n)*Phase: +Succeeded\n/,
    );

    using broken = cluster.pods.script({ image: "nginx:broken" }, imagePullBackOff());
    expect(await helm("upgrade site chart --wait --timeout=1s --set image=nginx:broken")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("UPGRADE FAILED"),
    });
    broken.remove();
    await succeeds("rollback site 1 --wait --timeout=60s");
    expect(await images()).toEqual(["nginx:1.25", "nginx:1.25"]);

    using failing = cluster.pods.script({ container: "once" }, crashLoop({ exitCode: 1 }));
    expect(await helm("upgrade site chart --atomic --timeout=60s --set image=nginx:1.26")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(
        "release site failed, and has been rolled back due to atomic being set: post-upgrade hooks failed: 1 error occurred:\n\t* job site-check failed: BackoffLimitExceeded",
      ),
    });
    failing.remove();
    expect(JSON.parse(await succeeds("history site --output=json"))).toMatchObject([
      { revision: 1, status: "superseded" },
      { revision: 2, status: "failed" },
      { revision: 3, status: "superseded", description: "Rollback to 1" },
      { revision: 4, status: "failed" },
      { revision: 5, status: "deployed", description: "Rollback to 3" },
    ]);
    expect(await images()).toEqual(["nginx:1.25", "nginx:1.25"]);

    await succeeds("uninstall site --wait --timeout=60s");
    expect(await pods("default", "app=site")).toEqual([]);
  });
});
