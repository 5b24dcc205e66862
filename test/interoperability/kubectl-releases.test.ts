import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createCluster } from "../../src/index.ts";
import { serve } from "../../src/transports/node/serve.ts";
import { type Ended, ended, kubectlMinor } from "./kubectl.ts";

/** A kind whose version a later release removed, and the version that replaces it. */
interface Replaced {
  readonly resource: string;
  /** Undefined from the release on that does not serve it. */
  readonly removed: string | undefined;
  readonly replacement: string | undefined;
  readonly spec: object;
}

const schedule = {
  schedule: "* * * * *",
  jobTemplate: {
    spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } } },
  },
};
const flow = { priorityLevelConfiguration: { name: "global-default" } };
const scaler = { maxReplicas: 2, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" } };

/** What each release serves of three kinds whose versions came and went, as upstream's deprecation guide has it. */
const cronJobs = (removed: string | undefined, replacement: string | undefined): Replaced => ({
  resource: "cronjobs",
  removed,
  replacement,
  spec: schedule,
});
const scalers = (removed: string | undefined, replacement: string | undefined): Replaced => ({
  resource: "horizontalpodautoscalers",
  removed,
  replacement,
  spec: scaler,
});
const flows = (removed: string | undefined, replacement: string | undefined): Replaced => ({
  resource: "flowschemas",
  removed,
  replacement,
  spec: flow,
});

const flowcontrol = "flowcontrol.apiserver.k8s.io";
const kinds: { readonly [resource: string]: string } = {
  cronjobs: "CronJob",
  horizontalpodautoscalers: "HorizontalPodAutoscaler",
  flowschemas: "FlowSchema",
};

/** kubectl of one release works with servers of others; it warns that they are far apart, which is not what this is about. */
test.skipIf(kubectlMinor === undefined).each([
  [
    "1.20",
    [
      cronJobs("batch/v1beta1", undefined),
      scalers("autoscaling/v2beta2", undefined),
      flows(`${flowcontrol}/v1beta1`, undefined),
    ],
  ],
  [
    "1.25",
    [
      cronJobs(undefined, "batch/v1"),
      scalers("autoscaling/v2beta2", "autoscaling/v2"),
      flows(`${flowcontrol}/v1beta1`, `${flowcontrol}/v1beta2`),
    ],
  ],
  [
    "1.29",
    [
      cronJobs(undefined, "batch/v1"),
      scalers(undefined, "autoscaling/v2"),
      flows(`${flowcontrol}/v1beta3`, `${flowcontrol}/v1`),
    ],
  ],
  ["1.32", [flows(undefined, `${flowcontrol}/v1`)]],
  ["1.36", [cronJobs(undefined, "batch/v1"), flows(undefined, `${flowcontrol}/v1`)]],
] as const)(
  "kubectl lists, explains, applies and gets through every version that %s serves",
  { timeout: 120_000 },
  async (release, rows) => {
    const directory = mkdtempSync(join(tmpdir(), "kubedouble-releases-"));
    const cluster = createCluster({ release });
    const serving = await serve(cluster);
    const env = { ...process.env, HOME: directory, KUBECONFIG: join(directory, "config") };
    writeFileSync(env.KUBECONFIG, serving.kubeconfig(), { mode: 0o600 });
    const kubectl = (command: string, input = ""): Promise<Ended> => {
      const child = spawn("kubectl", command.split(" "), { env });
      child.stdin.end(input);
      return ended(child);
    };
    try {
      const served = (await kubectl("api-versions")).stdout.split("\n");
      for (const { resource, removed, replacement, spec } of rows) {
        const known = [removed, replacement].filter((version) => version !== undefined);
        for (const apiVersion of known) expect(served).toContain(apiVersion);
        const manifest = (version: string) =>
          JSON.stringify({ apiVersion: version, kind: kinds[resource], metadata: { name: "a" }, spec });
        for (const apiVersion of known) {
          expect(await kubectl("apply -f -", manifest(apiVersion))).toMatchObject({ status: 0 });
          const [group = "", version = ""] = apiVersion.split("/");
          const read = await kubectl(`get ${resource}.${version}.${group} a -o jsonpath={.apiVersion}`);
          expect(read).toMatchObject({ status: 0, stdout: apiVersion });
          const explained = await kubectl(`explain ${resource} --api-version=${apiVersion}`);
          expect(explained.stdout, explained.stderr).toMatch(
            new RegExp(`^(GROUP: .*\n)?KIND: +${kinds[resource]}\\n`),
          );
        }
      }
      const gone = release === "1.20" ? "batch/v1" : "batch/v1beta1";
      const refused = await kubectl(
        "apply -f -",
        JSON.stringify({ apiVersion: gone, kind: "CronJob", metadata: { name: "b" }, spec: schedule }),
      );
      expect(refused.status).toBe(1);
      expect(refused.stderr).toContain(`no matches for kind "CronJob" in version "${gone}"`);
    } finally {
      await serving.close();
      await cluster.close();
      rmSync(directory, { recursive: true, force: true });
    }
  },
);
