import { spawn } from "node:child_process";
import { exitStatus } from "./exit-status.ts";

const forwarded: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"];

/**
 * Runs a command that shares our streams, passes on the signals we get, and resolves to its exit status; 127 if there
 * is no such command and 126 if it cannot be run, as in a shell.
 */
export function runCommand(
  command: string,
  args: readonly string[],
  environment: { readonly [name: string]: string },
): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: "inherit", env: { ...process.env, ...environment } });
    const handlers = forwarded.map((signal) => {
      const forward = () => {
        // A terminal sends what is typed to the command as well.
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
