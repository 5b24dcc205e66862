import type { Clock } from "../../apimachinery/clock.ts";
import { badRequest } from "../../apimachinery/errors/errors.ts";
import { booleanAt, textAt } from "../../apimachinery/fields.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { timeMilliseconds } from "../../apimachinery/time.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { ApiResponse, WebSocketConversation } from "../../request/handler.ts";
import { derivedBody } from "../../request/response-stream.ts";
import { type ChannelProtocol, chosenProtocol, portProtocols, processProtocols } from "../channels.ts";
import type { ConnectionRequest } from "../connection-request.ts";
import { isRunning, loggedRun } from "../logs/container-run.ts";
import { type LogSource, readLog } from "../logs/read-log.ts";
import type { PortForwarder } from "../port-forward.ts";
import type { Process } from "../process.ts";
import { translatedEnd } from "../process-status.ts";
import { spdyPortForward, tunneledPortForward, tunnelProtocol } from "../spdy/spdy-port-forward.ts";
import { spdyProcess } from "../spdy/spdy-process.ts";
import { textResponse } from "../spdy/spdy-upgrade.ts";
import { webSocketPortForward } from "../web-socket-ports.ts";
import { type WantedStreams, webSocketProcess } from "../web-socket-process.ts";

/** A request, and what its answer depends on. */
interface Asked {
  readonly request: ConnectionRequest;
  readonly gates: FeatureGates;
}

/** The container to which a client wants to connect. */
interface Place {
  readonly pod: KubeObject;
  readonly container: string;
}

/** The log of a container, as the options of a request select it. @throws {StatusError} badRequest without a run to read */
export function answerLog(
  source: LogSource,
  pod: KubeObject,
  options: JsonObject,
  { clock, request }: Pick<Asked, "request"> & { readonly clock: Clock },
): ApiResponse {
  const { tailLines, limitBytes } = options;
  const run = loggedRun(pod, source.container, options["previous"] === true ? "previous" : "current");
  const client = new AbortController();
  const leave = () => client.abort();
  request.signal.addEventListener("abort", leave, { once: true });
  if (request.signal.aborted) leave();
  const stream = textAt(options, "stream");
  const pieces = readLog(source, run, {
    since: since(options, clock),
    tailLines: typeof tailLines === "number" ? tailLines : undefined,
    limitBytes: typeof limitBytes === "number" ? limitBytes : undefined,
    stream: stream === "Stdout" || stream === "Stderr" ? stream : "All",
    timestamps: options["timestamps"] === true,
    follow: options["follow"] === true,
    signal: client.signal,
  });
  const body = derivedBody(pieces, () => {
    request.signal.removeEventListener("abort", leave);
    leave();
  });
  return { status: 200, headers: [["Content-Type", "text/plain"]], body };
}

function since(options: JsonObject, clock: Clock): number {
  const { sinceSeconds } = options;
  if (typeof sinceSeconds === "number") return clock.now() - sinceSeconds * 1000;
  const time = textAt(options, "sinceTime");
  return time === "" ? Number.NEGATIVE_INFINITY : timeMilliseconds(time);
}

/** Connects a client to a process, over the protocol that it offers. @throws {StatusError} badRequest for no stream */
export function answerProcess(
  process: Process,
  place: Place,
  options: JsonObject,
  { request, gates }: Asked,
): ApiResponse {
  const wanted: WantedStreams = {
    stdin: booleanAt(options, "stdin"),
    stdout: booleanAt(options, "stdout"),
    stderr: booleanAt(options, "stderr"),
    tty: booleanAt(options, "tty"),
  };
  const hasV5 = gates.isEnabled("TranslateStreamCloseWebsocketRequests") ? "withV5" : "withoutV5";
  const protocol = isWebSocket(request)
    ? chosenProtocol(offeredProtocols(request), processProtocols(hasV5))
    : undefined;
  const problem = refusalOf(place, wanted, options);
  // The server has opened this WebSocket itself before it asks the kubelet.
  if (problem !== undefined && protocol?.hasClose) {
    const failed: Process = async () => ({
      type: "failed",
      message: `unable to upgrade connection: ${problem}`,
    });
    return inWebSocket(webSocketProcess(failed, wanted, protocol, request.signal));
  }
  if (problem !== undefined) return textResponse(problem === noStreams ? 400 : 500, `${problem}\n`);
  if (!isWebSocket(request)) return spdyProcess(process, wanted, request);
  if (protocol === undefined) return refusedProtocol;
  const told: Process = protocol.hasClose
    ? async (streams) => translatedEnd(await process(streams))
    : process;
  return inWebSocket(webSocketProcess(told, wanted, protocol, request.signal));
}

const noStreams = "you must specify at least 1 of stdin, stdout, stderr";

/** Why the kubelet would not connect to the container; undefined if it would. Upstream: pkg/kubelet/kubelet_pods.go, GetExec and GetAttach. */
function refusalOf(
  { pod, container }: Place,
  { stdin, stdout, stderr, tty }: WantedStreams,
  options: JsonObject,
): string | undefined {
  if (!stdin && !stdout && (!stderr || tty)) return noStreams;
  if (isRunning(pod, container)) return undefined;
  const { name, namespace } = pod.metadata;
  return textAt(options, "kind") === "PodAttachOptions"
    ? `container ${container} not found in pod ${name}_${namespace}`
    : `container not found (${goQuote(container)})`;
}

/** Forwards ports over the protocol that the client offers. @throws {StatusError} badRequest for a WebSocket without ports */
export function answerPortForward(
  forward: PortForwarder,
  pod: KubeObject,
  { ports }: JsonObject,
  { request, gates }: Asked,
): ApiResponse {
  // The sandbox of a pod that has ended is gone (pkg/kubelet/kubelet_pods.go, GetPortForward).
  if (["Succeeded", "Failed"].includes(textAt(pod, "status", "phase"))) {
    const { name, namespace } = pod.metadata;
    return textResponse(500, `pod not found (${goQuote(`${name}_${namespace}`)})\n`);
  }
  if (!isWebSocket(request)) return spdyPortForward(forward, request);
  const offered = offeredProtocols(request);
  if (gates.isEnabled("PortForwardWebsockets") && offered.includes(tunnelProtocol)) {
    return inWebSocket(tunneledPortForward(forward, request));
  }
  const wanted = Array.isArray(ports) ? ports.map(Number) : [];
  if (wanted.length === 0) throw badRequest('query parameter "port" is required');
  const zero = wanted.find((port) => port < 1);
  if (zero !== undefined) throw badRequest(`port ${goQuote(String(zero))} must be > 0`);
  const protocol: ChannelProtocol | undefined = chosenProtocol(offered, portProtocols);
  if (protocol === undefined) return refusedProtocol;
  return inWebSocket(webSocketPortForward(forward, wanted, protocol, request.signal));
}

function isWebSocket({ headers }: ConnectionRequest): boolean {
  return headers.get("upgrade")?.toLowerCase() === "websocket";
}

/** The subprotocols of a client, without that of a token. */
function offeredProtocols({ headers }: ConnectionRequest): readonly string[] {
  return headers
    .getAll("sec-websocket-protocol")
    .flatMap((value) => value.split(","))
    .map((protocol) => protocol.trim())
    .filter((protocol) => protocol !== "" && !protocol.startsWith("base64url.bearer.authorization.k8s.io."));
}

/** The answer where no connection can be handed over. */
function inWebSocket(webSocket: WebSocketConversation): ApiResponse {
  return { ...textResponse(500, "unable to upgrade: unable to hijack response\n"), webSocket };
}

/** What `golang.org/x/net/websocket` answers if its handler refuses a handshake. */
const refusedProtocol: ApiResponse = { status: 403, headers: [], body: undefined };
