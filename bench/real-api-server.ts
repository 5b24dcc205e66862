import { type ChildProcess, spawn } from "node:child_process";
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { once } from "node:events";
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Target } from "./target.ts";

/** A process that serves a target until it is stopped. */
export interface RunningTarget extends Target {
  stop(): Promise<void>;
}

/** Why no real API server can be measured; undefined if kube-apiserver and etcd are installed. */
export function realApiServerMissing(): string | undefined {
  const missing = ["kube-apiserver", "etcd"].filter((name) => !isOnPath(name));
  return missing.length === 0 ? undefined : `${missing.join(" and ")} not on PATH`;
}

function isOnPath(name: string): boolean {
  return (process.env["PATH"] ?? "").split(delimiter).some((directory) => {
    try {
      accessSync(join(directory, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Starts etcd and kube-apiserver with directories of their own. They may not answer yet. */
export async function startRealApiServer(): Promise<RunningTarget> {
  const directory = mkdtempSync(join(tmpdir(), "kubedouble-bench-"));
  const [etcdPort, port] = [await freePort(), await freePort()];
  const etcdUrl = `http://127.0.0.1:${etcdPort}`;
  const etcd = run("etcd", [
    `--data-dir=${join(directory, "etcd")}`,
    `--listen-client-urls=${etcdUrl}`,
    `--advertise-client-urls=${etcdUrl}`,
    "--listen-peer-urls=http://127.0.0.1:0",
  ]);
  const token: string = randomUUID();
  const server = run("kube-apiserver", flagsOf(directory, etcdUrl, port, token));
  return {
    url: `https://127.0.0.1:${port}`,
    token,
    stop: async () => {
      await stop(server);
      await stop(etcd);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function flagsOf(directory: string, etcdUrl: string, port: number, token: string): readonly string[] {
  const tokens = join(directory, "tokens.csv");
  const key = join(directory, "service-accounts.pem");
  writeFileSync(tokens, `${token},bench,bench,system:masters\n`, { mode: 0o600 });
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  writeFileSync(key, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
  return [
    `--etcd-servers=${etcdUrl}`,
    "--bind-address=127.0.0.1",
    `--secure-port=${port}`,
    `--cert-dir=${join(directory, "certificates")}`,
    `--token-auth-file=${tokens}`,
    "--authorization-mode=RBAC",
    "--disable-admission-plugins=ServiceAccount",
    "--service-account-issuer=https://kubernetes.default.svc",
    `--service-account-key-file=${key}`,
    `--service-account-signing-key-file=${key}`,
    "--service-cluster-ip-range=10.0.0.0/24",
  ];
}

function run(command: string, args: readonly string[]): ChildProcess {
  return spawn(command, args, { stdio: "ignore" });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill();
  await ended;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  // It is a socket, not a pipe, so the address is not a path.
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
