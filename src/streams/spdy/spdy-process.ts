import { realTimeout } from "../../apimachinery/clock.ts";
import { utf8Bytes } from "../../apimachinery/utf8.ts";
import type { ApiResponse } from "../../request/handler.ts";
import type { ConnectionRequest } from "../connection-request.ts";
import { ended, terminalSizes } from "../container-streams.ts";
import type { Process } from "../process.ts";
import { statusText } from "../process-status.ts";
import type { WantedStreams } from "../web-socket-process.ts";
import type { SpdyStream } from "./spdy-connection.ts";
import { negotiated, upgradeToSpdy } from "./spdy-upgrade.ts";

/** The versions of the streams of a process, the preferred first (pkg/kubelet/server/server.go). */
const versions = ["v4.channel.k8s.io", "v3.channel.k8s.io", "v2.channel.k8s.io", "channel.k8s.io"];
const withResize = versions.slice(0, 2);
const withStatus = versions.slice(0, 1);
/** How long a client has to open its streams. */
const creationMilliseconds = 30_000;

/** Runs a process over SPDY. Upstream: pkg/kubelet/cri/streaming/remotecommand/httpstream.go. */
export function spdyProcess(
  process: Process,
  wanted: WantedStreams,
  request: ConnectionRequest,
): ApiResponse {
  const negotiation = negotiated(request, versions);
  if ("refusal" in negotiation) return negotiation.refusal;
  const { protocol } = negotiation;
  const names = ["error", ...(["stdin", "stdout", "stderr"] as const).filter((name) => wanted[name])];
  const expected = names.filter((name) => name !== "stderr" || !wanted.tty);
  if (wanted.tty && withResize.includes(protocol)) expected.push("resize");
  const streams = new Map<string, SpdyStream>();
  let isComplete = () => {};
  const complete = new Promise<void>((resolve) => {
    isComplete = resolve;
  });
  const hasAll = () => expected.every((name) => streams.has(name));
  const accept = (stream: SpdyStream) => {
    const type = stream.headers.get("streamtype") ?? "";
    // Others have no effect, as in upstream, and are not kept.
    if (!expected.includes(type) || hasAll()) return;
    streams.set(type, stream);
    if (hasAll()) isComplete();
  };
  return upgradeToSpdy(request, protocol, accept, async (_connection, left) => {
    const timer = realTimeout(creationMilliseconds, isComplete);
    await Promise.race([complete, left]);
    timer.cancel();
    if (!hasAll()) return;
    await run(process, streams, request.signal, withStatus.includes(protocol) ? "status" : "text");
  });
}

async function run(
  process: Process,
  streams: ReadonlyMap<string, SpdyStream>,
  signal: AbortSignal,
  form: "status" | "text",
): Promise<void> {
  const stdout = streams.get("stdout");
  const stderr = streams.get("stderr");
  const end = await process({
    stdin: streams.get("stdin")?.received ?? ended(),
    stdout,
    stderr,
    resize: terminalSizes(streams.get("resize")?.received ?? ended()),
    signal,
  });
  stdout?.close();
  stderr?.close();
  const errors = streams.get("error");
  void errors?.write(utf8Bytes(statusText(end, form)));
  errors?.close();
}
