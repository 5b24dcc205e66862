import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { type Cluster, createCluster, type JsonObject } from "../src/index.ts";
import type { FaultHandle } from "../src/scenario/presets.ts";
import { type Serving, serve } from "../src/transports/node/serve.ts";
import type { Case } from "./cases.ts";
import { type Command, pod } from "./clients.ts";
import { busiestSecond, type Observation } from "./outcome.ts";

/** How long to wait for something that may never happen, in seconds. */
const patience = {
  /** For the failure to hit. This includes the start of a client on a machine that may be busy. */
  hit: 60,
  /** After each round of changes. */
  round: 0.5,
  /** For a client that does nothing. Longer than the timeouts of clients for a silent watch. */
  recovery: 75,
  /** For a client that has reported its end. */
  afterwards: 3,
};

/** The polling interval in milliseconds. */
const step = 25;

/** Runs a client against a failure, on a new cluster. */
export async function observe(command: Command, one: Case): Promise<Observation> {
  const cluster = createCluster({ controllers: [], objects });
  scriptPod(cluster);
  const server = await serve(cluster);
  const directory = mkdtempSync(join(tmpdir(), "kubedouble-scoreboard-"));
  const inject = (): readonly FaultHandle[] =>
    one.faults(command.about).map((fault) => cluster.inject(fault));
  const early = one.when === "watching" ? [] : inject();
  const program = start(command, one, server, directory);
  try {
    const isWatching = (): boolean =>
      cluster.requests
        .matching({ verb: "watch", ...command.about })
        .some(({ status }) => status !== undefined);
    const isHit = (): boolean => early.some(({ hits }) => hits > 0);
    await waited(patience.hit, () => isHit() || isWatching() || program.status !== undefined);
    const faults = one.when === "watching" ? inject() : early;
    return await meet(program, command, one, cluster, faults);
  } finally {
    program.child.kill("SIGKILL");
    await server.close();
    await cluster.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function meet(
  program: Program,
  { isDone }: Command,
  one: Case,
  cluster: Cluster,
  faults: readonly FaultHandle[],
): Promise<Observation> {
  await one.happens?.(cluster);
  if (one.task === "follow") {
    for (const round of rounds) {
      await round(cluster);
      await waited(patience.round, () => program.status !== undefined);
    }
  }
  if (one.task === "followLog") await endLog(cluster);
  if (one.seconds !== undefined) {
    await waited(one.seconds, () => program.status !== undefined);
    for (const fault of faults) fault.remove();
  }
  const isStream = one.task === "execute" || one.task === "followLog";
  const since = performance.now();
  const isCaughtUp = (): boolean => isDone(program.printed, program.status);
  const isOver = (): boolean => program.gaveUp() !== undefined;
  await waited(patience.recovery, () => isCaughtUp() || isOver());
  if (!isCaughtUp() && program.status === undefined) await waited(patience.afterwards, isCaughtUp);
  const seconds = (performance.now() - since) / 1_000;
  const { all } = cluster.requests;
  return {
    hit:
      (one.happens !== undefined || faults.some(({ hits }) => hits > 0)) &&
      all.some(({ target }) => target.includes(one.query ?? "")),
    caughtUpAfter: isCaughtUp() ? seconds : undefined,
    gaveUp: program.gaveUp(),
    lost: isStream && [0, pod.exitCode].includes(program.status ?? -1) && !hasStopped(program),
    seconds,
    busiest: busiestSecond(all),
  };
}

/** Resolves when the condition holds or the seconds are over. */
async function waited(seconds: number, isSo: () => boolean): Promise<void> {
  const end = performance.now() + seconds * 1_000;
  while (!isSo() && performance.now() < end) await pause(step);
}

/** A running client. */
interface Program {
  readonly child: ChildProcess;
  readonly printed: readonly string[];
  readonly status: number | undefined;
  /** A short reason, if the client has reported one or has ended. */
  gaveUp(): string | undefined;
}

function start({ file, args }: Command, { env }: Case, server: Serving, directory: string): Program {
  const kubeconfig = join(directory, "kubeconfig");
  writeFileSync(kubeconfig, server.kubeconfig(), { mode: 0o600 });
  const child = spawn(file, args, {
    env: { ...process.env, ...env, HOME: directory, KUBECONFIG: kubeconfig },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const printed: string[] = [];
  const complaints: string[] = [];
  createInterface(child.stdout).on("line", (line) => void (line !== "" && printed.push(line)));
  createInterface(child.stderr).on("line", (line) => complaints.push(line));
  let status: number | undefined;
  child.on("close", (code) => {
    status = code ?? -1;
  });
  return {
    child,
    printed,
    get status() {
      return status;
    },
    gaveUp() {
      const said = printed.find((line) => line.startsWith("STOPPED "));
      if (said !== undefined) return said.slice("STOPPED ".length);
      return status === undefined ? undefined : lastWords(status, complaints);
    },
  };
}

function hasStopped({ printed }: Program): boolean {
  return printed.some((line) => line.startsWith("STOPPED "));
}

/** How a program ended that did not print a `STOPPED` line. */
function lastWords(status: number, complaints: readonly string[]): string {
  const error = complaints.find((line) => /^(\w*error\b|the server|unable)/i.test(line)) ?? complaints.at(-1);
  const words = error === undefined ? "" : `: ${shortened(error)}`;
  return `exit status ${status}${words}`;
}

function shortened(line: string): string {
  const words = line.replace(/^(error|Error from server) ?/, "").replace(/^: /, "");
  return words.length <= 40 ? words : `${words.slice(0, 39)}…`;
}

const configMap = (name: string, n: string): JsonObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default" },
  data: { n },
});

const container = { name: "web", image: "web:1", imageID: "web", restartCount: 0 };
const labels = { app: "web" };
const objects: readonly JsonObject[] = [
  {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web", namespace: "default" },
    spec: { nodeName: "node", restartPolicy: "Never", containers: [{ name: "web", image: "web:1" }] },
    status: {
      phase: "Running",
      containerStatuses: [
        { ...container, ready: true, state: { running: { startedAt: "2026-01-01T00:00:00Z" } } },
      ],
    },
  },
  configMap("a", "1"),
  configMap("b", "1"),
  {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace: "default" },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "web:1" }] } },
    },
  },
];

/** The pod whose command clients execute, and whose log they follow. */
function scriptPod(cluster: Cluster): void {
  const web = cluster.pod("web");
  web.onExec(async ({ stdout }) => {
    // Each line is a message of its own.
    for (const line of pod.output) {
      await stdout.write(`${line}\n`);
      await pause(100);
    }
    return pod.exitCode;
  });
  for (const line of pod.log.slice(0, -1)) web.log(`${line}\n`);
}

/** The log goes on, and ends with its container. */
async function endLog(cluster: Cluster): Promise<void> {
  await pause(patience.round * 1_000);
  cluster.pod("web").log(`${pod.log.at(-1)}\n`);
  const terminated = { exitCode: 0, reason: "Completed", finishedAt: new Date().toISOString() };
  const containerStatuses = [{ ...container, ready: false, state: { terminated } }];
  const status = { phase: "Succeeded", containerStatuses };
  await cluster.patch("v1", "Pod", "web", { status }, { subresource: "status" });
}

/** The changes that followers should see, in two rounds: four events of ConfigMaps and one of a Deployment, then two and one. */
const rounds: readonly ((cluster: Cluster) => Promise<unknown>)[] = [
  async (cluster) => {
    await cluster.create(configMap("c", "1"));
    for (const n of ["2", "3"]) await cluster.patch("v1", "ConfigMap", "a", { data: { n } });
    await cluster.delete("v1", "ConfigMap", "b");
    await report(cluster, { updatedReplicas: 1 });
  },
  async (cluster) => {
    await cluster.create(configMap("d", "1"));
    await cluster.patch("v1", "ConfigMap", "d", { data: { n: "2" } });
    await report(cluster, { updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 });
  },
];

function report(cluster: Cluster, replicas: JsonObject): Promise<unknown> {
  const status = { observedGeneration: 1, replicas: 1, ...replicas };
  return cluster.patch("apps/v1", "Deployment", "web", { status }, { subresource: "status" });
}
