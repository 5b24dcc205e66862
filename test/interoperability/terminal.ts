import { type ChildProcess, spawn, spawnSync } from "node:child_process";

/** Whether `script` of util-linux can give a program a terminal. */
export const hasTerminal: boolean = /util-linux/.test(
  spawnSync("script", ["--version"], { encoding: "utf8" }).stdout ?? "",
);
if (!hasTerminal) console.log("skipped: there is no script of util-linux, which gives programs a terminal");

/** The size of the terminals. */
export const terminalSize = { width: 97, height: 31 };

/** A program on a terminal, whose input and output are those of the child. It exits as the program does. */
export class Terminal {
  readonly #child: ChildProcess;
  #output = "";
  #wake = () => {};

  /** Each `{}` in the shell script stands for the program. */
  constructor(path: string, words: readonly string[], env: NodeJS.ProcessEnv, script = "{}") {
    const program = [path, ...words].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
    const { width, height } = terminalSize;
    const command = `stty cols ${width} rows ${height}; ${script.replaceAll("{}", program)}`;
    this.#child = spawn("script", ["-qec", command, "/dev/null"], { env: { ...env, SHELL: "/bin/sh" } });
    this.#child.stdout?.setEncoding("utf8").on("data", (piece: string) => {
      this.#output += piece;
      this.#wake();
    });
    this.#child.once("close", () => this.#wake());
  }

  /** Types what a user does. */
  type(text: string): void {
    this.#child.stdin?.write(text);
  }

  /** Resolves when the terminal shows a text, or the program has ended. */
  async shows(text: string): Promise<void> {
    while (!this.#output.includes(text) && this.#child.exitCode === null) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** The exit code, and all that the terminal has shown. */
  async ended(): Promise<{ readonly status: number | null; readonly output: string }> {
    if (this.#child.exitCode === null)
      await new Promise<void>((resolve) => this.#child.once("close", () => resolve()));
    return { status: this.#child.exitCode, output: this.#output };
  }
}
