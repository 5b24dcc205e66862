import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { exitStatus } from "./exit-status.ts";
import { spawnedCommand } from "./spawned-command.ts";

const forwarded: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"];

/**
 * Runs a command with our streams, forwards the signals we receive, and resolves to its exit status; as in a shell, 127
 * if the command does not exist and 126 if it cannot be run.
 */
export function runCommand(
  command: string,
  args: readonly string[],
  environment: { readonly [name: string]: string },
): Promise<number> {
  const { file, args: passed, windowsVerbatimArguments } = spawnedCommand(command, args, surroundings());
  return new Promise((resolve) => {
    const env = { ...process.env, ...environment };
    const child = spawn(file, passed, { stdio: "inherit", env, windowsVerbatimArguments });
    const handlers = forwarded.map((signal) => {
      const forward = () => {
        // A terminal sends Ctrl+C to the command as well.
        if (signal === "SIGINT" && process.stdin.isTTY) return;
        child.kill(signal);
      };
      process.on(signal, forward);
      return () => process.off(signal, forward);
    });
    const end = (status: number) => {
      for (const remove of handlers) remove();
      resolve(status);
    };
    child.on("error", (error: NodeJS.ErrnoException) => {
      const isMissing = error.code === "ENOENT";
      console.error(`Error: ${command}: ${isMissing ? "command not found" : error.message}`);
      end(isMissing ? 127 : 126);
    });
    child.on("exit", (code, signal) => end(exitStatus(code, signal)));
  });
}

function surroundings(): Parameters<typeof spawnedCommand>[2] {
  return {
    platform: process.platform,
    directory: process.cwd(),
    environment: process.env,
    isFile: (path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true,
  };
}
