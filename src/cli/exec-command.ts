import { rmSync } from "node:fs";
import { join } from "node:path";
import { tuneEngine } from "./engine.ts";
import { FlagError } from "./flag-error.ts";
import { flagsHelp } from "./help.ts";
import { createPrivateDirectory, writePrivateFile } from "./private-file.ts";
import { runCommand } from "./run-command.ts";
import { parseServeFlags } from "./serve-flags.ts";
import { startServer } from "./start-server.ts";
import { versionLine } from "./version-line.ts";

/** `kubedouble exec -- COMMAND`: serves while the command runs, and exits with its status. */
export async function execCommand(args: readonly string[]): Promise<number> {
  const flags = parseServeFlags("exec", args);
  if (flags.help || flags.version) {
    process.stdout.write(flags.help ? flagsHelp : `${versionLine()}\n`);
    return 0;
  }
  const [command, ...rest] = flags.rest ?? [];
  if (command === undefined)
    throw new FlagError("exec needs a command after --, for example: kubedouble exec -- kubectl get pods");
  tuneEngine();
  const server = await startServer(flags, flags.port ?? 0);
  const { kubeconfig, url, token, caCertificate } = server;
  const directory = caCertificate === "" ? undefined : createPrivateDirectory();
  const authority = directory === undefined ? undefined : join(directory, "ca.crt");
  try {
    if (authority !== undefined) writePrivateFile(authority, caCertificate);
    return await runCommand(command, rest, {
      KUBECONFIG: kubeconfig,
      KUBEDOUBLE_URL: url,
      KUBEDOUBLE_TOKEN: token,
      ...(authority !== undefined && { KUBEDOUBLE_CA_FILE: authority }),
    });
  } finally {
    if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
    await server.stop();
  }
}
