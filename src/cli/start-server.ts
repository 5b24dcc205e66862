import { readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import type { UserInfo } from "../apimachinery/user-info.ts";
import { ClusterCore } from "../cluster/cluster.ts";
import { completeOptions } from "../cluster/options.ts";
import { serve } from "../transports/node/serve.ts";
import type { Manifest } from "./manifests.ts";
import { createPrivateDirectory, writePrivateFile } from "./private-file.ts";
import type { ServeFlags } from "./serve-flags.ts";
import { parseTokenAuthFile } from "./token-auth-file.ts";

/** A running server and the kubeconfig of its administrator. */
export interface RunningServer {
  readonly url: string;
  /** An absolute path. */
  readonly kubeconfig: string;
  /** Ends every connection, and removes the kubeconfig unless a flag set its path. */
  stop(): Promise<void>;
}

/** Creates the cluster that the flags describe and serves it. A failure leaves no files behind. */
export async function startServer(flags: ServeFlags, port: number): Promise<RunningServer> {
  for (const name of flags.withoutEffect) console.error(`kubedouble: --${name} has no effect here`);
  const manifests = await readManifests(flags.load);
  const cluster = createCluster(flags, port);
  await load(cluster, manifests);
  const serving = await serve(cluster, { port, host: flags.bindAddress, tls: !flags.http });
  const stop = async () => {
    await cluster.close();
    await serving.close();
  };
  try {
    const { path, remove } = writeKubeconfig(flags.kubeconfig, serving.kubeconfig());
    // After the caller has reported that the server is ready: the client starts at the same time.
    setImmediate(() => void cluster.start());
    return { url: serving.url, kubeconfig: path, stop: () => stop().finally(remove) };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Most servers start without manifests, so the code that reads them is loaded on demand. */
async function readManifests(paths: readonly string[]): Promise<readonly Manifest[]> {
  if (paths.length === 0) return [];
  const manifests = await import("./manifests.ts");
  return manifests.readManifests(paths);
}

function createCluster(flags: ServeFlags, port: number): ClusterCore {
  return new ClusterCore(
    completeOptions({
      ...flags.cluster,
      tokens: readTokens(flags.tokenAuthFile),
      ...(port !== 0 && { advertiseAddress: `${flags.bindAddress}:${port}` }),
    }),
  );
}

function readTokens(path: string | undefined): ReadonlyMap<string, UserInfo> {
  if (path === undefined) return new Map();
  const { tokens, warnings } = parseTokenAuthFile(readFileSync(path, "utf8"), path);
  for (const warning of warnings) console.error(`kubedouble: ${warning}`);
  return tokens;
}

/** One by one, so that the error names the refused object. Namespaces come first because other objects need them. */
async function load(cluster: ClusterCore, manifests: readonly Manifest[]): Promise<void> {
  const isNamespace = ({ object }: Manifest) => object.kind === "Namespace";
  const ordered = [
    ...manifests.filter(isNamespace),
    ...manifests.filter((manifest) => !isNamespace(manifest)),
  ];
  const client = cluster.client(cluster.adminToken());
  for (const { object, source } of ordered) {
    try {
      await client.load([object]);
    } catch (error) {
      throw new Error(`${source}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

function writeKubeconfig(wanted: string | undefined, text: string): { path: string; remove(): void } {
  if (wanted !== undefined) {
    writePrivateFile(wanted, text);
    return { path: resolve(wanted), remove() {} };
  }
  const directory = createPrivateDirectory();
  const path = join(directory, "config");
  const remove = () => rmSync(directory, { recursive: true, force: true });
  try {
    writePrivateFile(path, text);
  } catch (error) {
    remove();
    throw error;
  }
  return { path, remove };
}
