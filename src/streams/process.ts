import { messageOf } from "../apimachinery/errors/message-of.ts";
import { goQuote } from "../apimachinery/go/go-quote.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { AttachCall, AttachScript, ExecScript } from "../webhooks/pod-script.ts";
import { type ContainerStreams, inputFrom, outputTo } from "./container-streams.ts";
import type { ContainerRun } from "./logs/container-run.ts";
import { hasEnded, type LogSource, readLog } from "./logs/read-log.ts";
import { cutShort } from "./pods/cut-short.ts";
import type { ProcessEnd } from "./process-status.ts";

/** Runs between its streams until it ends. It never rejects. */
export type Process = (streams: ContainerStreams) => Promise<ProcessEnd>;

/** What a script knows of the container of its process. */
export interface ProcessPlace {
  readonly pod: KubeObject;
  readonly container: string;
  readonly tty: boolean;
}

/** A command that a script plays. */
export function scriptedCommand(run: ExecScript, place: ProcessPlace, command: readonly string[]): Process {
  return async (streams) => {
    try {
      const code = (await run({ ...callOf(place, streams), command })) ?? 0;
      if (typeof code !== "number" || !Number.isInteger(code) || code < 0 || code > 255) {
        return failed("exec", `the script of the command returned ${String(code)}, which is no exit code`);
      }
      return { type: "exited", code, error: exitError(command, code) };
    } catch (error) {
      return failed("exec", messageOf(error));
    }
  };
}

/** A command that is killed with its container, at the latest. */
export function killedWith(
  source: LogSource,
  runNow: () => ContainerRun,
  process: Process,
  command: readonly string[],
): Process {
  const code = 128 + 9;
  return endingWith(source, runNow, process, { type: "exited", code, error: exitError(command, code) });
}

/** A process that a script plays for those who attach, until the run of its container ends at the latest. */
export function attachedTo(source: LogSource, runNow: () => ContainerRun, process: Process): Process {
  return endingWith(source, runNow, process, leftAlone);
}

function endingWith(
  source: LogSource,
  runNow: () => ContainerRun,
  process: Process,
  ending: ProcessEnd,
): Process {
  return async (streams) => {
    const run = runNow();
    const cut = { followed: source, isOver: () => hasEnded(source, run), ending };
    return cutShort((signal) => process({ ...streams, signal }), cut, streams.signal);
  };
}

/** The error of containerd for an exit code (internal/cri/server/streaming.go). */
function exitError(command: readonly string[], code: number): string {
  return `error executing command [${command.join(" ")}], exit code ${code}`;
}

/**
 * A command in an image that has no executables, as containerd reports it. `id` is that of the process: 64 hexadecimal digits. Upstream:
 * pkg/kubelet/cri/streaming/remotecommand/exec.go has the first part, containerd and runc the rest.
 */
export function missingCommand([executable = ""]: readonly string[], id: string): Process {
  const problem = `exec: ${goQuote(executable)}: executable file not found in $PATH`;
  const runtime = `OCI runtime exec failed: exec failed: unable to start container process: ${problem}: unknown`;
  return async () => failed("exec", `failed to exec in container: failed to start exec "${id}": ${runtime}`);
}

/** A process that a script plays for those who attach. */
export function scriptedProcess(run: AttachScript, place: ProcessPlace): Process {
  return async (streams) => {
    try {
      await run(callOf(place, streams));
      return leftAlone;
    } catch (error) {
      return failed("attach", messageOf(error));
    }
  };
}

/** What the input of a client means to the container to which it is attached. */
export interface AttachedInput {
  /** Whether the container reads it. */
  readonly isRead: boolean;
  /** Whether the container has a terminal. */
  readonly isTerminal: boolean;
  /** Whether the input of the container closes with that of its first client. */
  readonly isOnce: boolean;
  /** Called when there is no more input for this run. */
  readonly ended: (run: ContainerRun) => void;
}

/**
 * A process whose output is the log of its run from now on. With the input of its client, the input of its container ends or, if it is
 * open for other clients or has a terminal, the connection. Upstream: containerd, internal/cri/io/container_io.go, `Attach`.
 */
export function loggingProcess(
  source: LogSource,
  runNow: () => ContainerRun,
  { isRead, isTerminal, isOnce, ended }: AttachedInput,
): Process {
  return async ({ stdin, stdout, stderr, signal }) => {
    const run = runNow();
    const left = new AbortController();
    const read = async () => {
      await readInput(stdin, isTerminal, () => ended(run));
      if (isOnce && !isTerminal) ended(run);
      else left.abort();
    };
    if (isRead) void read();
    const either = AbortSignal.any([signal, left.signal]);
    const choice = { follow: true, timestamps: false, tailLines: 0, since: Number.NEGATIVE_INFINITY };
    const to = async (stream: "Stdout" | "Stderr", writer: ContainerStreams["stdout"]) => {
      if (writer === undefined) return;
      const request = { ...choice, stream, limitBytes: undefined, signal: either };
      for await (const piece of readLog(source, run, request)) await writer.write(piece);
    };
    await Promise.all([to("Stdout", stdout), to("Stderr", stderr)]);
    return leftAlone;
  };
}

const endOfTransmission = 4;
const lineEnds = [endOfTransmission, 10, 13];

/** Reads to the end. A terminal ends the input of its reader at a control-D that begins a line. */
async function readInput(
  stdin: AsyncIterable<Uint8Array>,
  isTerminal: boolean,
  ended: () => void,
): Promise<void> {
  let beginsLine = true;
  for await (const piece of stdin) {
    if (!isTerminal) continue;
    for (const byte of piece) {
      if (beginsLine && byte === endOfTransmission) ended();
      beginsLine = lineEnds.includes(byte);
    }
  }
}

/** How an attached process ends for its client: nothing says with which exit code. */
const leftAlone: ProcessEnd = { type: "exited", code: 0, error: "" };

const doing = { exec: "executing command in container", attach: "attaching to container" } as const;

function failed(action: keyof typeof doing, message: string): ProcessEnd {
  return { type: "failed", message: `error ${doing[action]}: ${message}` };
}

function callOf({ pod, container, tty }: ProcessPlace, streams: ContainerStreams): AttachCall {
  const { resize, signal } = streams;
  const stdout = outputTo(streams.stdout, signal);
  const stderr = tty ? stdout : outputTo(streams.stderr, signal);
  return { pod, container, tty, stdin: inputFrom(streams.stdin), stdout, stderr, resize, signal };
}
