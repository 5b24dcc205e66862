import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCluster } from "../../src/index.ts";
import { type Serving, serve } from "../../src/transports/node/serve.ts";
import { type Ended, ended, kubectlMinor } from "./kubectl.ts";
import { installedKubectls } from "./kubectl-versions.ts";

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

const servers: readonly (readonly [release: string, rows: readonly Replaced[]])[] = [
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
  ["1.32", [cronJobs(undefined, "batch/v1"), flows(undefined, `${flowcontrol}/v1`)]],
  ["1.36", [cronJobs(undefined, "batch/v1"), flows(undefined, `${flowcontrol}/v1`)]],
];

/** The oldest and the newest that are installed beside each other; otherwise the one on PATH. */
function chosenKubectls(): readonly (readonly [title: string, path: string])[] {
  const installed = installedKubectls();
  const chosen = installed.filter((_kubectl, index) => index === 0 || index === installed.length - 1);
  if (chosen.length > 0) return chosen.map(({ path, minor }) => [`kubectl 1.${minor}`, path] as const);
  return kubectlMinor === undefined ? [] : [[`kubectl 1.${kubectlMinor}`, "kubectl"]];
}

const kubectls = chosenKubectls();

const named = (apiVersion: string): string => `a-${apiVersion.replace(/.*\//, "")}`;

const manifestOf = (resource: string, apiVersion: string, spec: object): object => ({
  apiVersion,
  kind: kinds[resource],
  metadata: { name: named(apiVersion) },
  spec,
});

/** Objects of all versions in one manifest and one command: processes are what costs time here. */
describe.skipIf(kubectls.length === 0).each(servers)("Kubernetes %s", (release, rows) => {
  const versions = rows.flatMap(({ resource, removed, replacement, spec }) =>
    [removed, replacement]
      .filter((version) => version !== undefined)
      .map((apiVersion) => ({ resource, apiVersion, spec })),
  );
  const cluster = createCluster({ release });
  let directory = "";
  let serving: Serving;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "kubedouble-releases-"));
    serving = await serve(cluster);
    writeFileSync(join(directory, "config"), serving.kubeconfig(), { mode: 0o600 });
  });
  afterAll(async () => {
    await serving.close();
    await cluster.close();
    rmSync(directory, { recursive: true, force: true });
  });

  test.each(kubectls)(
    "lets %s list, explain, apply and get through every version that it serves",
    { timeout: 120_000 },
    async (_title, path) => {
      const kubectl = (args: readonly string[], input = ""): Promise<Ended> => {
        const env = { ...process.env, HOME: directory, KUBECONFIG: join(directory, "config") };
        const child = spawn(path, args, { env });
        child.stdin.end(input);
        return ended(child);
      };
      const served = (await kubectl(["api-versions"])).stdout.split("\n");
      expect(served).toEqual(expect.arrayContaining(versions.map(({ apiVersion }) => apiVersion)));

      const items = versions.map(({ resource, apiVersion, spec }) => manifestOf(resource, apiVersion, spec));
      const list = JSON.stringify({ apiVersion: "v1", kind: "List", items });
      expect(await kubectl(["apply", "-f", "-"], list)).toMatchObject({ status: 0 });

      const names = versions.map(({ resource, apiVersion }) => {
        const [group = "", version = ""] = apiVersion.split("/");
        return `${resource}.${version}.${group}/${named(apiVersion)}`;
      });
      expect(await kubectl(["get", ...names, "-o", "jsonpath={.items[*].apiVersion}"])).toMatchObject({
        status: 0,
        stdout: versions.map(({ apiVersion }) => apiVersion).join(" "),
      });

      for (const { resource, apiVersion } of versions) {
        const explained = await kubectl(["explain", resource, `--api-version=${apiVersion}`]);
        expect(explained.stdout, explained.stderr).toMatch(
          new RegExp(`^(GROUP: .*\n)?KIND: +${kinds[resource]}\\n`),
        );
      }

      const gone = release === "1.20" ? "batch/v1" : "batch/v1beta1";
      const refused = await kubectl(
        ["apply", "-f", "-"],
        JSON.stringify(manifestOf("cronjobs", gone, schedule)),
      );
      expect(refused.status).toBe(1);
      expect(refused.stderr).toContain(`no matches for kind "CronJob" in version "${gone}"`);
    },
  );
});
