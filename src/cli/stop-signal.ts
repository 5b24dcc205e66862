import { exitStatus } from "./exit-status.ts";

const stopping: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM"];

/** Resolves at the first SIGINT or SIGTERM. The second ends the process immediately. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false;
    for (const signal of stopping) {
      process.on(signal, () => {
        if (isStopping) process.exit(exitStatus(null, signal));
        isStopping = true;
        resolve();
      });
    }
  });
}
