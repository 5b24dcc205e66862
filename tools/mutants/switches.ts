// Runs in each worker before its test file: defines the function that the instrumented sources call.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** The number of the mutant that is on; 0 for none. */
    mutant: number;
    /** The folder for what a worker reports. */
    reports: string;
  }
}

const on = inject("mutant");
const reports = inject("reports");
const reached = new Set<number>();

// The tool ends a worker that a mutant keeps busy for ever.
writeFileSync(join(reports, "worker"), String(process.pid));

Object.assign(globalThis, {
  __isMutantOn: (id: number): boolean => {
    if (on === 0) reached.add(id);
    return id === on;
  },
});

afterAll(() => {
  if (on === 0) writeFileSync(join(reports, "reached"), JSON.stringify([...reached]));
});
