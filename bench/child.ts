import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compile } from "../tools/run.mjs";

/** A child process that answers one message with another, so its CPU time contains nothing else. */
export class Child {
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess) {
    this.#process = process;
  }

  /** Runs `bench/children/NAME.ts`. */
  static async start(name: string, ...args: readonly string[]): Promise<Child> {
    const url = await compile(`bench/children/${name}.ts`);
    const child = spawn(
      process.execPath,
      ["--expose-gc", "--max-old-space-size=8192", fileURLToPath(url), ...args],
      {
        stdio: ["ignore", "inherit", "inherit", "ipc"],
      },
    );
    await once(child, "message");
    rmSync(fileURLToPath(url), { force: true });
    return new Child(child);
  }

  async ask<T>(message: string): Promise<T> {
    const answered = once(this.#process, "message");
    this.#process.send(message);
    const [answer] = await answered;
    return answer;
  }

  async stop(): Promise<void> {
    this.#process.disconnect();
    await once(this.#process, "exit");
  }
}
