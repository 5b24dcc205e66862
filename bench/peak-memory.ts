import { existsSync, readFileSync } from "node:fs";

/** Why the peak memory of a process is unknown; undefined where it is known. */
export function peakMemoryUnknown(): string | undefined {
  return existsSync("/proc/self/status") ? undefined : "only Linux keeps the peak memory of a process";
}

/** The most physical memory that a process has had so far, in kB. */
export function peakMemory(pid: number | "self"): number {
  const [, peak] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(peak);
}
