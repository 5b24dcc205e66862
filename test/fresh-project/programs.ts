import { execFile, spawnSync } from "node:child_process";
import { delimiter } from "node:path";

/** How a program ended, and everything that it wrote. */
export interface Outcome {
  readonly status: number;
  readonly output: string;
}

/** Runs a program until it ends; `path` is a directory that comes first on PATH, `environment` has more variables. */
export function runProgram(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly path?: string; readonly environment?: NodeJS.ProcessEnv },
): Promise<Outcome> {
  const path = [options.path, process.env["PATH"]].filter((part) => part !== undefined).join(delimiter);
  const env = { ...process.env, CI: "true", NO_COLOR: "1", PATH: path, ...options.environment };
  return new Promise((resolve) => {
    const settings = { cwd: options.cwd, env, timeout: 200_000, maxBuffer: 1 << 26 };
    const child = execFile(command, args, settings, (_error, stdout, stderr) => {
      resolve({ status: child.exitCode ?? 1, output: `${stdout}${stderr}` });
    });
  });
}

/** Whether a program exists and succeeds. */
export function succeeds(command: string, ...args: string[]): boolean {
  return spawnSync(command, args).status === 0;
}
