import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { parse } from "yaml";

/** How a process ended, and its output. */
export interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The built command as a running process. */
export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves with the match as soon as standard output matches. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
}

/** Starts the built command. */
export function start(
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Running {
  const cli = new URL("../../dist/cli.js", import.meta.url).pathname;
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<Ended>((resolve) => {
    child.on("close", (status, signal) => resolve({ status, signal, stdout, stderr }));
  });
  const printed = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const match = pattern.exec(stdout);
      if (match !== null) return match;
      if (child.exitCode !== null) throw new Error(`ended without ${pattern}: ${stdout}${stderr}`);
      await new Promise<void>((resolve) => {
        child.stdout.once("data", () => resolve());
        child.once("close", () => resolve());
      });
    }
  };
  return { child, ended, printed };
}

/** Runs the built command until it ends. */
export function run(...args: string[]): Promise<Ended> {
  return start(args).ended;
}

/** A server that has reported that it is ready. */
export interface Serving extends Running {
  readonly url: string;
  readonly kubeconfig: string;
}

export const readyLine = /^kubedouble: serving (https?:\/\/\S+) \(kubeconfig (.+)\)\n/;

/** Starts `kubedouble serve` on a free port and waits until it is ready. */
export async function serving(...args: string[]): Promise<Serving> {
  const running = start(["serve", "--port=0", ...args]);
  const [, url = "", kubeconfig = ""] = await running.printed(readyLine);
  return { ...running, url, kubeconfig };
}

/** Sends a request as the user of a kubeconfig, or with another token; `""` for none. */
export function ask(
  kubeconfig: string,
  path: string,
  token?: string,
): Promise<{ status: number; body: string }> {
  const { clusters, users } = parse(readFileSync(kubeconfig, "utf8"));
  const { server, "certificate-authority-data": authority } = clusters[0].cluster;
  const bearer = token ?? users[0].user.token;
  const send = server.startsWith("https:") ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const options = {
      ca: authority === undefined ? undefined : Buffer.from(authority, "base64"),
      headers: bearer === "" ? {} : { authorization: `Bearer ${bearer}` },
    };
    const request = send(`${server}${path}`, options, (response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (chunk) => {
        body += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
    });
    request.on("error", reject);
    request.end();
  });
}
