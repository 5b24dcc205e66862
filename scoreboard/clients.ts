import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import type { About, Task } from "./cases.ts";
import { pythonWithKubernetes } from "./python.ts";

/** A program that performs a task. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly about: About;
  /** Whether it has completed the task, judging by the lines it has printed and, if it has ended, its exit status. */
  readonly isDone: (printed: readonly string[], status: number | undefined) => boolean;
}

/** A client library or command with which users follow objects or make requests. */
export interface Client {
  /** The title of the column; versions of the same client may share one. */
  readonly name: string;
  readonly version: string;
  readonly tasks: { readonly [task in Task]?: Command };
}

/** A client that could not be measured. */
export interface Missing {
  readonly name: string;
  readonly reason: string;
}

/** The clients that are installed, and those that are not available. */
export function clientsAtHand(): {
  readonly clients: readonly Client[];
  readonly missing: readonly Missing[];
} {
  const found = [clientNode("client-node-1"), clientNode("client-node-2"), kubectls(), python()].flat();
  return {
    clients: found.filter((one) => "tasks" in one),
    missing: found.filter((one) => "reason" in one),
  };
}

/** The ConfigMaps that every follower should have at the end. */
const expected = "a=3 c=1 d=2";
const configMaps: About = { resource: "configmaps" };

/** Whether lines such as `ADDED a 1` add up to the state of the cluster. */
function hasCaughtUp(printed: readonly string[]): boolean {
  const view = new Map<string, string>();
  for (const line of printed) {
    const [type, name = "", value = ""] = line.split(" ");
    if (type === "ADDED" || type === "MODIFIED") view.set(name, value);
    else if (type === "DELETED") view.delete(name);
  }
  const seen = [...view].map(([name, value]) => `${name}=${value}`);
  return seen.sort().join(" ") === expected;
}

const hasSucceeded = (_printed: readonly string[], status: number | undefined): boolean => status === 0;

/** What the command in the pod says, and its exit code; and the log of the pod. */
export const pod = { output: ["one", "two"], exitCode: 3, log: ["one", "two", "three"] } as const;

const podsOnly: About = { resource: "pods" };
const hasOutput = (printed: readonly string[], status: number | undefined): boolean =>
  status === pod.exitCode && printed.join() === pod.output.join();
const hasLog = (printed: readonly string[], status: number | undefined): boolean =>
  status !== undefined && printed.join() === pod.log.join();

/** The tasks of one of our drivers; see `drivers/client-node.mjs`. */
function driven(file: string, args: readonly string[]): Required<Client["tasks"]> {
  const command = (task: Task, isDone: Command["isDone"]): Command => ({
    file,
    args: [...args, task],
    about: configMaps,
    isDone,
  });
  return {
    follow: command("follow", hasCaughtUp),
    write: command("write", hasSucceeded),
    create: command("create", hasSucceeded),
    delete: command("delete", hasSucceeded),
    list: command("list", (printed, status) => status === 0 && printed.includes("LISTED a b")),
    listNone: { ...command("listNone", hasSucceeded), about: { resource: "secrets" } },
    discover: command("discover", hasSucceeded),
    execute: { ...command("execute", hasOutput), about: podsOnly },
    followLog: { ...command("followLog", hasLog), about: podsOnly },
  };
}

/** One of the versions of @kubernetes/client-node, each installed under its own alias. */
export function clientNode(alias: string): readonly (Client | Missing)[] {
  const manifest = `node_modules/${alias}/package.json`;
  if (!existsSync(manifest)) return [{ name: alias, reason: "it is not installed" }];
  const { name, version }: { name: string; version: string } = JSON.parse(readFileSync(manifest, "utf8"));
  const node = version.startsWith("1.") ? process.execPath : newNode();
  if (node === undefined)
    return [{ name: `${name} ${version}`, reason: "it needs Node 22.19, which npx could not install" }];
  const entry = resolve(`node_modules/${alias}/dist/index.js`);
  const { follow, ...others } = driven(node, [resolve("scoreboard/drivers/client-node.mjs"), entry]);
  return [
    { name: `${name} informer`, version, tasks: { follow } },
    { name, version, tasks: others },
  ];
}

/** A Node that runs the newest client libraries: this one, or one that npx installs. */
function newNode(): string | undefined {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return process.execPath;
  const env = { ...process.env, npm_config_ignore_scripts: "false" };
  const args = ["-y", "-p", "node@24", "node", "--print", "process.execPath"];
  const { status, stdout } = spawnSync("npx", args, { env, encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

function kubectls(): readonly (Client | Missing)[] {
  const found = new Map<string, string>();
  for (const directory of (process.env["PATH"] ?? "").split(delimiter).filter(existsSync)) {
    // Names with a release come last, so they win over a wrapper that selects a release by the server's.
    const names = readdirSync(directory).filter((name) => /^kubectl([.-]?v?1\.\d+)?$/.test(name));
    for (const name of names.sort()) {
      const release = kubectlRelease(join(directory, name));
      if (release !== undefined && (!found.has(release) || name !== "kubectl")) {
        found.set(release, join(directory, name));
      }
    }
  }
  if (found.size === 0) return [{ name: "kubectl", reason: "it is not on PATH" }];
  const inOrder = [...found].sort(([one], [other]) => minorOf(one) - minorOf(other));
  return inOrder.flatMap(([version, file]) => kubectl(version, file));
}

/** Such as `1.32`; undefined if the program does not work here. */
function kubectlRelease(file: string): string | undefined {
  const { status, stdout } = spawnSync(file, ["version", "--client", "--output", "json"], {
    encoding: "utf8",
  });
  if (status !== 0) return undefined;
  const { major, minor }: { major: string; minor: string } = JSON.parse(stdout).clientVersion;
  return `${major}.${Number.parseInt(minor, 10)}`;
}

function minorOf(release: string): number {
  return Number(release.split(".")[1]);
}

function kubectl(version: string, file: string): readonly Client[] {
  const command = (line: string, isDone: Command["isDone"] = hasSucceeded, about = configMaps): Command => ({
    file,
    args: line.split(" "),
    about,
    isDone,
  });
  const eachEvent = command("get configmaps --watch --output-watch-events --output", hasCaughtUp);
  const template = 'jsonpath={.type} {.object.metadata.name} {.object.data.n}{"\\n"}';
  const listed = (printed: readonly string[], status: number | undefined): boolean =>
    status === 0 && printed.join(" ") === "configmap/a configmap/b";
  return [
    {
      name: "kubectl rollout status",
      version,
      tasks: { follow: command("rollout status deployment/web", hasSucceeded, { resource: "deployments" }) },
    },
    {
      name: "kubectl get --watch",
      version,
      tasks: { follow: { ...eachEvent, args: [...eachEvent.args, template] } },
    },
    {
      name: "kubectl",
      version,
      tasks: {
        write: command('patch configmap a --patch {"data":{"n":"2"}}'),
        create: command("create configmap c --from-literal=n=1"),
        delete: command("delete configmap a"),
        listNone: command("get secrets --output name", hasSucceeded, { resource: "secrets" }),
        list: command("get configmaps --chunk-size=1 --output name", listed),
        discover: command("get configmap a"),
        execute: command("exec web -- count", hasOutput, podsOnly),
        followLog: command("logs --follow web", hasLog, podsOnly),
      },
    },
  ];
}

function python(): readonly (Client | Missing)[] {
  const file = pythonWithKubernetes();
  if (file === undefined)
    return [{ name: "Python kubernetes", reason: "no installed Python has the package" }];
  const { stdout } = spawnSync(file, ["-c", "import kubernetes; print(kubernetes.__version__)"], {
    encoding: "utf8",
  });
  const version = stdout.trim();
  const { follow, ...others } = driven(file, [resolve("scoreboard/drivers/client_python.py")]);
  return [
    { name: "Python kubernetes watch", version, tasks: { follow } },
    { name: "Python kubernetes", version, tasks: others },
  ];
}
