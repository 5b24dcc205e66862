import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import type { Target } from "./target.ts";

/** `kubedouble serve` in a process of its own. */
export interface ServedProcess extends Target {
  readonly pid: number;
  readonly certificateAuthority: string;
  stop(): Promise<void>;
}

/** Starts the built command. Resolves when it serves. */
export async function serveInProcess(): Promise<ServedProcess> {
  const child = spawn(process.execPath, ["dist/cli.js", "serve", "--port=0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const line: string = await new Promise((resolve) =>
    child.stdout.once("data", (data) => resolve(String(data))),
  );
  const { clusters, users } = parse(readFileSync(/kubeconfig (.*)\)/.exec(line)?.[1] ?? "", "utf8"));
  return {
    url: clusters[0].cluster.server,
    certificateAuthority: clusters[0].cluster["certificate-authority-data"],
    token: users[0].user.token,
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill();
      await ended;
    },
  };
}
