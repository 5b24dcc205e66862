import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, type TestAPI, test } from "vitest";
import { type Cluster, type ClusterOptions, type ClusterSnapshot, createCluster } from "../../src/index.ts";
import { type Serving, serve } from "../../src/transports/node/serve.ts";
import { ObservedCluster } from "../conformance/observed-cluster.ts";

/** How a command ended, and what it printed. */
export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The input and the environment of a command. */
export interface Surroundings {
  /** Default: nothing. */
  readonly input?: string;
  /** Variables in addition to those of this process. Default: none. */
  readonly env?: NodeJS.ProcessEnv;
}

/** A command: its arguments, or a text of them if none contains a space. */
export type Command = string | readonly string[];

/** The kubectl on PATH, as the administrator of a cluster on a port. */
export interface Kubectl {
  readonly cluster: Cluster;
  /** The observed cluster behind the port, with its number of open streams. */
  readonly server: ObservedCluster;
  /** Writes a file into a directory that is removed after the tests. Returns its path. */
  file(name: string, content: string | Uint8Array): string;
  start(command: Command, env?: NodeJS.ProcessEnv): ChildProcess;
  run(command: Command, surroundings?: Surroundings): Promise<Ended>;
  /** The output of a command, which must succeed without output on standard error. */
  kubectl(command: Command, input?: string): Promise<string>;
  /** The standard error of a command, which must fail with status 1 and without output on standard output. */
  refusal(command: Command, input?: string): Promise<string>;
}

/** The minor release of the kubectl on PATH; undefined if there is none. */
export const kubectlMinor: number | undefined = installedMinor();
if (kubectlMinor === undefined) console.log("skipped: there is no kubectl on PATH");

function installedMinor(): number | undefined {
  const { status, stdout } = spawnSync("kubectl", ["version", "--client", "-o", "json"], {
    encoding: "utf8",
  });
  if (status !== 0) return undefined;
  // Distributors use "20+".
  return Number.parseInt(JSON.parse(stdout).clientVersion.minor, 10);
}

/** `test` for a feature that kubectl has since a minor release; for an older kubectl, prints the reason. */
export function testSince(minor: number, what: string): TestAPI | TestAPI["skip"] {
  if (kubectlMinor === undefined || kubectlMinor >= minor) return test;
  console.log(`skipped: kubectl 1.${kubectlMinor} does not have ${what} (since 1.${minor})`);
  return test.skip;
}

/** A block of tests that run kubectl against a cluster on a port. Each of them begins with the same state. */
export function describeKubectl(
  title: string,
  tests: (kubectl: Kubectl) => void,
  options: ClusterOptions = {},
): void {
  describeIfInstalled(title, {}, () => {
    const cluster = createCluster(options);
    let first: ClusterSnapshot | undefined;
    const kubectl = kubectlOf(cluster);
    beforeEach(() => {
      if (first === undefined) first = cluster.snapshot();
      else cluster.restore(first);
    });
    tests(kubectl);
  });
}

/**
 * The same for tests that run in the order of the file, whatever the seed is: they are the steps of one user, and many go on from
 * the objects that earlier ones left.
 */
export function describeKubectlInOrder(
  title: string,
  tests: (kubectl: Kubectl) => void,
  options: ClusterOptions = {},
): void {
  describeIfInstalled(title, { shuffle: false }, () => tests(kubectlOf(createCluster(options))));
}

function describeIfInstalled(title: string, options: object, suite: () => void): void {
  describe.skipIf(kubectlMinor === undefined)(title, { timeout: 60_000, ...options }, suite);
}

/** Serves the cluster while the tests of this block run. */
function kubectlOf(cluster: Cluster): Kubectl {
  const server = new ObservedCluster(cluster);
  let directory = "";
  let serving: Serving;
  const file = (name: string, content: string | Uint8Array): string => {
    const path = join(directory, name);
    writeFileSync(path, content, { mode: 0o600 });
    return path;
  };
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "kubedouble-kubectl-"));
    serving = await serve(server);
    file("kubeconfig", serving.kubeconfig());
  });
  afterAll(async () => {
    await serving.close();
    await cluster.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const start = (command: Command, env: NodeJS.ProcessEnv = {}): ChildProcess =>
    spawn("kubectl", argumentsOf(command), {
      env: { ...process.env, HOME: directory, KUBECONFIG: join(directory, "kubeconfig"), ...env },
    });

  const run = (command: Command, { input = "", env = {} }: Surroundings = {}): Promise<Ended> => {
    const child = start(command, env);
    child.stdin?.end(input);
    return ended(child);
  };

  const kubectl = async (command: Command, input = ""): Promise<string> => {
    const { status, stdout, stderr } = await run(command, { input });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    return stdout;
  };

  const refusal = async (command: Command, input = ""): Promise<string> => {
    const { status, stdout, stderr } = await run(command, { input });
    expect({ status, stdout, stderr }).toMatchObject({ status: 1, stdout: "" });
    return stderr;
  };

  return { cluster, server, file, start, run, kubectl, refusal };
}

/** Resolves when a command has ended and all its output has been read. */
export async function ended(child: ChildProcess): Promise<Ended> {
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (piece: string) => {
      output[name] += piece;
    });
  }
  const [status] = await once(child, "close");
  return { status, ...output };
}

function argumentsOf(command: Command): readonly string[] {
  return typeof command === "string" ? command.split(" ") : command;
}
