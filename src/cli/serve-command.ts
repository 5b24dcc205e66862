import { tuneEngine } from "./engine.ts";
import { flagsHelp } from "./help.ts";
import { parseServeFlags } from "./serve-flags.ts";
import { startServer } from "./start-server.ts";
import { stopSignal } from "./stop-signal.ts";
import { versionLine } from "./version-line.ts";

/** The port of kube-apiserver. */
const defaultPort = 6443;

/** `kubedouble serve`: serves until a signal arrives. */
export async function serveCommand(args: readonly string[]): Promise<number> {
  const flags = parseServeFlags("serve", args);
  if (flags.help || flags.version) {
    process.stdout.write(flags.help ? flagsHelp : `${versionLine()}\n`);
    return 0;
  }
  tuneEngine();
  const stopped = stopSignal();
  const server = await startServer(flags, flags.port ?? defaultPort);
  try {
    console.log(`kubedouble: serving ${server.url} (kubeconfig ${server.kubeconfig})`);
    await stopped;
  } finally {
    await server.stop();
  }
  return 0;
}
