import { constants } from "node:os";

/** The status that a shell reports for a process that exited with `code` or was ended by a signal. */
export function exitStatus(code: number | null, signal: NodeJS.Signals | null): number {
  if (signal !== null) return 128 + constants.signals[signal];
  return code ?? 1;
}
