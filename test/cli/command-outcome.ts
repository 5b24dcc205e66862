import { vi } from "vitest";

/** The exit status of a command, and what it wrote. */
export interface CommandOutcome {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command in this process. The test has to restore the mocks of the standard streams. */
export async function outcomeOf(
  command: (args: readonly string[]) => Promise<number>,
  args: readonly string[],
): Promise<CommandOutcome> {
  const written = { out: "", err: "" };
  const capture = (name: "out" | "err") => (text: unknown) => {
    written[name] += String(text);
    return true;
  };
  vi.spyOn(process.stdout, "write").mockImplementation(capture("out"));
  vi.spyOn(process.stderr, "write").mockImplementation(capture("err"));
  const status = await command(args);
  return { status, ...written };
}
