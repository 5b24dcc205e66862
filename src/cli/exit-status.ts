import { constants } from "node:os";

/** What a shell reports for a process that ended with `code`, or by a signal. */
export function exitStatus(code: number | null, signal: NodeJS.Signals | null): number {
  if (signal !== null) return 128 + constants.signals[signal];
  return code ?? 1;
}
