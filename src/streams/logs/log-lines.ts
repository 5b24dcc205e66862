import { utf8Bytes } from "../../apimachinery/utf8.ts";
import type { LogScript } from "../../webhooks/pod-script.ts";
import type { ContainerRun } from "./container-run.ts";

/** A line of a log, with its line break unless it is the last. */
export interface LogLine {
  readonly time: number;
  readonly stream: "Stdout" | "Stderr";
  readonly text: string;
}

/** What a client wants of a log, from `PodLogOptions`. */
export interface LogSelection {
  /** In milliseconds since the epoch; -Infinity for all. */
  readonly since: number;
  /** How many lines from the end; undefined for all. */
  readonly tailLines: number | undefined;
  readonly stream: "All" | "Stdout" | "Stderr";
  readonly timestamps: boolean;
}

/** The lines that scripts write in a run. What was said before it started, the container says at its start. */
export function linesOf(
  scripts: readonly LogScript[],
  container: string,
  run: ContainerRun,
): readonly LogLine[] {
  const { startedAt = Number.NEGATIVE_INFINITY, finishedAt = Number.POSITIVE_INFINITY } = run;
  const lines: LogLine[] = [];
  for (const script of scripts) {
    if (script.container !== undefined && script.container !== container) continue;
    if (script.restart === undefined ? script.time > finishedAt : script.restart !== (run.restart ?? 0))
      continue;
    const time = script.restart === undefined ? Math.max(script.time, startedAt) : script.time;
    for (const text of script.text.split(/(?<=\n)/)) {
      if (text !== "") lines.push({ time, stream: script.stream, text });
    }
  }
  return lines;
}

/** The lines to start with. Upstream: pkg/kubelet/kuberuntime/logs/logs.go. */
export function selected(
  lines: readonly LogLine[],
  { since, tailLines, stream }: LogSelection,
): readonly LogLine[] {
  const tail = tailLines === undefined ? lines : lines.slice(Math.max(0, lines.length - tailLines));
  return tail.filter((line) => line.time >= since && (stream === "All" || line.stream === stream));
}

/** A line as it is sent. */
export function lineBytes({ time, text }: LogLine, timestamps: LogSelection["timestamps"]): Uint8Array {
  if (!timestamps) return utf8Bytes(text);
  // The time has milliseconds; the kubelet writes nanoseconds with all zeros.
  return utf8Bytes(`${new Date(time).toISOString().replace("Z", "000000Z")} ${text}`);
}
