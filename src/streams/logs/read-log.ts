import type { LogScript } from "../../webhooks/pod-script.ts";
import { ChangeSignal, type FollowedPod } from "../pods/followed-pod.ts";
import type { ContainerRun } from "./container-run.ts";
import { isRunning, statusOf } from "./container-run.ts";
import { type LogLine, type LogSelection, lineBytes, linesOf, selected } from "./log-lines.ts";

/** Where a log comes from, and what changes it: the pod, or the scripts. */
export interface LogSource extends FollowedPod {
  readonly container: string;
  /** What scripts have written so far. */
  readonly scripts: () => readonly LogScript[];
}

/** The rest of the choices of a client. */
export interface LogRequest extends LogSelection {
  readonly follow: boolean;
  readonly limitBytes: number | undefined;
  readonly signal: AbortSignal;
}

/** The log of a run, as far as it goes, or until the run ends. Nothing is kept for a client that does not read. */
export async function* readLog(
  source: LogSource,
  run: ContainerRun,
  request: LogRequest,
): AsyncGenerator<Uint8Array> {
  let remaining = request.limitBytes ?? Number.POSITIVE_INFINITY;
  for await (const line of linesFrom(source, run, request)) {
    const bytes = lineBytes(line, request.timestamps);
    yield bytes.byteLength > remaining ? bytes.subarray(0, remaining) : bytes;
    remaining -= bytes.byteLength;
    if (remaining <= 0) return;
  }
}

async function* linesFrom(
  source: LogSource,
  run: ContainerRun,
  request: LogRequest,
): AsyncGenerator<LogLine> {
  // Weak, since a log that is rotated drops what it had.
  const seen = new WeakSet<LogScript>();
  const fresh = () => source.scripts().filter((script) => !seen.has(script));
  const first = fresh();
  for (const script of first) seen.add(script);
  yield* selected(linesOf(first, source.container, run), request);
  if (!request.follow || run.finishedAt !== undefined) return;
  const changes = new ChangeSignal(source.onChange, request.signal);
  try {
    for (;;) {
      // What the container wrote at its end still counts.
      const isOver = hasEnded(source, run) || request.signal.aborted;
      const scripts = fresh();
      for (const script of scripts) seen.add(script);
      yield* selected(linesOf(scripts, source.container, run), { ...request, tailLines: undefined });
      if (isOver) return;
      await changes.next();
    }
  } finally {
    changes.stop();
  }
}

/** Whether the run is over: the container has ended or restarted, or the pod is gone. */
export function hasEnded({ pod: podNow, container }: LogSource, { restart }: ContainerRun): boolean {
  const pod = podNow();
  if (pod === undefined || !isRunning(pod, container)) return true;
  const status = statusOf(pod, container);
  return restart !== undefined && status !== undefined && status["restartCount"] !== restart;
}
