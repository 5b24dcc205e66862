import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, type TestAPI, test } from "vitest";
import { type Cluster, type ClusterOptions, createCluster } from "../../src/index.ts";
import { type Serving, serve } from "../../src/transports/node/serve.ts";
import { ObservedCluster } from "../conformance/observed-cluster.ts";

/** How a command ended, and what it printed. */
export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a command finds around it. */
export interface Surroundings {
  /** Default: nothing. */
  readonly input?: string;
  /** Variables beside those of this process. Default: none. */
  readonly env?: NodeJS.ProcessEnv;
}

/** A command: its arguments, or a text of them where none holds a space. */
export type Command = string | readonly string[];

/** The kubectl on PATH, as the administrator of a cluster on a port. */
export interface Kubectl {
  readonly cluster: Cluster;
  /** What the port leads to: the cluster, and how many streams are open on it. */
  readonly server: ObservedCluster;
  /** Writes a file into a directory that is gone after the tests. Answers its path. */
  file(name: string, content: string | Uint8Array): string;
  start(command: Command, env?: NodeJS.ProcessEnv): ChildProcess;
  run(command: Command, surroundings?: Surroundings): Promise<Ended>;
  /** What a command prints that has to succeed without a word on standard error. */
  kubectl(command: Command, input?: string): Promise<string>;
  /** What a command says on standard error that has to fail with status 1 and nothing on standard output. */
  refusal(command: Command, input?: string): Promise<string>;
}

/** The minor release of the kubectl on PATH; undefined where there is none. */
export const kubectlMinor: number | undefined = installedMinor();
if (kubectlMinor === undefined) console.log("skipped: there is no kubectl on PATH");

function installedMinor(): number | undefined {
  const { status, stdout } = spawnSync("kubectl", ["version", "--client", "-o", "json"], {
    encoding: "utf8",
  });
  if (status !== 0) return undefined;
  // Distributors write "20+".
  return Number.parseInt(JSON.parse(stdout).clientVersion.minor, 10);
}

/** `test` for what kubectl does since a minor release; where it is older, the reason is printed. */
export function testSince(minor: number, what: string): TestAPI | TestAPI["skip"] {
  if (kubectlMinor === undefined || kubectlMinor >= minor) return test;
  console.log(`skipped: kubectl 1.${kubectlMinor} is older than ${what}, which came with 1.${minor}`);
  return test.skip;
}

/** A block of tests that start kubectl against a cluster of their own, on a port. */
export function describeKubectl(
  title: string,
  tests: (kubectl: Kubectl) => void,
  options: ClusterOptions = {},
): void {
  const suite = () => tests(kubectlOf(createCluster(options)));
  describe.skipIf(kubectlMinor === undefined)(title, { timeout: 60_000 }, suite);
}

/** Serves the cluster for as long as the tests of this block run. */
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

/** Resolves when a command has ended and all that it printed has been read. */
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
