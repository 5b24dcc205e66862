import { concatenate } from "../../apimachinery/bytes.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import type { ApiResponse } from "../../request/handler.ts";
import { ended, type StreamWriter } from "../container-streams.ts";
import { isRunning } from "../logs/container-run.ts";
import type { Process, ProcessPlace } from "../process.ts";

/** As much output of a command as a container runtime keeps, in bytes. */
const longestOutput = 16 * 1024 * 1024;

/** Answers `/run` of a kubelet: what a command wrote, without a connection to it. Upstream: pkg/kubelet/server/server.go, getRun. */
export async function answerRun(
  process: Process,
  { pod, container }: Pick<ProcessPlace, "pod" | "container">,
  command: readonly string[],
  signal: AbortSignal,
): Promise<ApiResponse> {
  if (!isRunning(pod, container)) return failure(`container not found (${goQuote(container)})`);
  const [out, err]: [Uint8Array[], Uint8Array[]] = [[], []];
  const [stdout, stderr] = [writerTo(out), writerTo(err)];
  const end = await process({ stdin: ended(), stdout, stderr, resize: noSizes(), signal });
  if (end.type === "failed") {
    return failure(
      end.message.replace(/^error executing command in container: /, "rpc error: code = Unknown desc = "),
    );
  }
  if (end.code !== 0) {
    const said = new TextDecoder().decode(concatenate(err));
    return failure(`command '${command.join(" ")}' exited with ${end.code}: ${said}`);
  }
  const pieces = [...out, ...err];
  if (pieces.length === 0) return { status: 200, headers: [], body: undefined };
  return { status: 200, headers: [["Content-Type", "application/json"]], body: concatenate(pieces) };
}

function writerTo(pieces: Uint8Array[]): StreamWriter {
  let left = longestOutput;
  return {
    write: async (piece) => {
      const kept = piece.subarray(0, left);
      left -= kept.byteLength;
      if (kept.byteLength > 0) pieces.push(kept);
    },
  };
}

async function* noSizes(): AsyncGenerator<never> {}

function failure(text: string): ApiResponse {
  const headers = [["Content-Type", "text/plain; charset=utf-8"]] as const;
  return { status: 500, headers, body: new TextEncoder().encode(text) };
}
