import { badRequest, StatusError } from "../../apimachinery/errors/errors.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import { isUpgradeRequest } from "../../endpoints/aggregated/proxied-upgrade.ts";
import { plainText, sniffedText } from "../../endpoints/contract/endpoint-response.ts";
import { checkPodLogOptions, podLogOptions } from "../../kinds/core/pod/pod-log.ts";
import type { ConnectedContainer } from "../../registry/contract/pod-connections.ts";
import type { ApiRequest, ApiResponse } from "../../request/handler.ts";
import type { RoutedRequest } from "./kubelet-paths.ts";
import { specOf } from "./node-pods.ts";

type Connect<Target, Options = JsonObject> = (
  target: Target,
  options: Options,
  request: ApiRequest,
) => ApiResponse | Promise<ApiResponse>;

/** The streams of containers, which clients also reach without the proxy of a node. */
export interface ContainerStreams {
  readonly log: Connect<ConnectedContainer>;
  readonly exec: Connect<ConnectedContainer>;
  /** Runs a command without a connection to it. */
  readonly run: Connect<ConnectedContainer, readonly string[]>;
  readonly attach: Connect<ConnectedContainer>;
  readonly portForward: Connect<KubeObject>;
}

/** The container of a request and what answers for it. */
interface Wanted {
  readonly pod: KubeObject | undefined;
  readonly streams: ContainerStreams;
  readonly gates: FeatureGates;
}

/** Answers `/containerLogs/NAMESPACE/POD/CONTAINER`. Upstream: pkg/kubelet/server/server.go, getContainerLogs. */
export async function answerContainerLogs(
  { url, request, parameters }: RoutedRequest,
  { pod, streams, gates }: Wanted,
): Promise<ApiResponse> {
  const options = logOptionsIn(url.searchParams);
  if (options === undefined) return sniffedText(400, '{"message": "Unable to decode query."}');
  const { stream, ...others } = options;
  const hasStreams = gates.isEnabled("PodLogsQuerySplitStreams");
  const [name, container] = [parameters.get("pod") ?? "", parameters.get("container") ?? ""];
  if (!isValid(name, hasStreams ? options : others, gates)) {
    return sniffedText(422, '{"message": "Invalid request."}');
  }
  if (pod === undefined) return sniffedText(404, `pod ${goQuote(name)} does not exist`);
  if (specOf(pod, container) === undefined) {
    return sniffedText(404, `container ${goQuote(container)} not found in pod ${goQuote(name)}`);
  }
  if (!hasStreams && typeof stream === "string" && stream !== "All") {
    const hint = "Please enable PodLogsQuerySplitStreams feature gate in kubelet";
    return sniffedText(400, `unable to return the given log stream: ${goQuote(stream)}. ${hint}`);
  }
  try {
    const { status, body } = await streams.log({ pod, container }, hasStreams ? options : others, request);
    // The kubelet names no content type, so Go recognizes text.
    return { status, headers: [["Content-Type", "text/plain; charset=utf-8"]], body };
  } catch (error) {
    if (error instanceof StatusError) return sniffedText(400, error.message);
    throw error;
  }
}

/** The options in a query, where `tail` is another name for `tailLines`; undefined for what is none. */
function logOptionsIn(query: URLSearchParams): JsonObject | undefined {
  const tail = query.get("tail") ?? "";
  if (tail === "all") query.delete("tailLines");
  else if (tail !== "") query.set("tailLines", tail);
  try {
    return podLogOptions(query);
  } catch (error) {
    if (error instanceof StatusError) return undefined;
    throw error;
  }
}

function isValid(name: string, options: JsonObject, gates: FeatureGates): boolean {
  try {
    checkPodLogOptions(name, options, gates);
    return true;
  } catch (error) {
    if (error instanceof StatusError) return false;
    throw error;
  }
}

/** As much of a form as Go reads. */
const longestForm = 10 * 1024 * 1024;

/** What a stream is for. */
type StreamKind = "exec" | "attach" | "portForward";

/** Answers `/exec`, `/attach` and `/portForward`. Upstream: pkg/kubelet/server/server.go, getExec, getAttach and getPortForward. */
export async function answerStream(
  kind: StreamKind,
  { url, request, parameters }: RoutedRequest,
  { pod, streams }: Wanted,
): Promise<ApiResponse> {
  try {
    const options =
      kind === "portForward" ? portOptions(url, request) : processOptions(kind, url.searchParams);
    if (pod === undefined) return sniffedText(404, "pod does not exist");
    const container = parameters.get("container") ?? "";
    const uid = parameters.get("uid");
    if (uid !== undefined && uid !== pod.metadata.uid) return noContainer(kind, pod, container);
    if (!isUpgradeRequest(request)) return plainText(500, "Upgrade request required\n");
    if (kind === "portForward") return await streams.portForward(pod, options, request);
    return await streams[kind]({ pod, container }, options, request);
  } catch (error) {
    if (error instanceof StatusError) return sniffedText(error.code, error.message);
    throw error;
  }
}

/**
 * Answers `/run`, whose command is a parameter of the query or of a form. Upstream: pkg/kubelet/server/server.go, getRun.
 */
export async function answerCommand(
  { url, body, request, parameters }: RoutedRequest,
  { pod, streams }: Wanted,
): Promise<ApiResponse> {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(request.headers.get("content-type") ?? "");
  const form = isForm ? new URLSearchParams(await textOf(body)).get("cmd") : null;
  if (pod === undefined) return sniffedText(404, "pod does not exist");
  const container = parameters.get("container") ?? "";
  const uid = parameters.get("uid");
  if (uid !== undefined && uid !== pod.metadata.uid) return noContainer("exec", pod, container);
  const command = form ?? url.searchParams.get("cmd") ?? "";
  return streams.run({ pod, container }, command.split(" "), request);
}

async function textOf(body: RoutedRequest["body"]): Promise<string> {
  const decoder = new TextDecoder();
  if (body === undefined || body instanceof Uint8Array) return decoder.decode(body);
  let text = "";
  for await (const piece of body) {
    if (text.length < longestForm) text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

/** The kubelet does not find a pod with another uid among those that run. */
function noContainer(kind: StreamKind, { metadata }: KubeObject, container: string): ApiResponse {
  if (kind === "portForward") return sniffedText(404, "pod not found");
  if (kind === "exec") return sniffedText(500, `container not found (${goQuote(container)})`);
  return sniffedText(500, `container ${container} not found in pod ${metadata.name}_${metadata.namespace}`);
}

/**
 * The options of a process, from the names that the kubelet has for them in a query.
 * @throws {StatusError} badRequest for no stream
 */
function processOptions(kind: "exec" | "attach", query: URLSearchParams): JsonObject {
  const isOn = (name: string) => query.get(name) === "1";
  const tty = isOn("tty");
  const streams = { stdin: isOn("input"), stdout: isOn("output"), stderr: isOn("error") && !tty };
  if (!Object.values(streams).includes(true)) {
    throw badRequest("you must specify at least 1 of stdin, stdout, stderr");
  }
  const isExec = kind === "exec";
  return {
    kind: isExec ? "PodExecOptions" : "PodAttachOptions",
    ...streams,
    tty,
    ...(isExec && { command: query.getAll("command") }),
  };
}

/**
 * The ports that a WebSocket is for; SPDY names them later. Upstream: NewV4Options (pkg/kubelet/server/portforward of older releases).
 * @throws {StatusError} badRequest for none, and what is no port
 */
function portOptions({ searchParams }: URL, { headers }: ApiRequest): JsonObject {
  const kind = "PodPortForwardOptions";
  if (headers.get("upgrade")?.toLowerCase() !== "websocket") return { kind };
  const ports = searchParams.getAll("port").flatMap((list) => {
    if (list === "") throw badRequest('query parameter "port" cannot be empty');
    return list.split(",").map((text) => {
      if (/^\d+$/.test(text) && Number(text) < 65_536) return Number(text);
      const problem = /^\d+$/.test(text) ? "value out of range" : "invalid syntax";
      const parsing = `strconv.ParseUint: parsing ${goQuote(text)}: ${problem}`;
      throw badRequest(`unable to parse ${goQuote(list)} as a port: ${parsing}`);
    });
  });
  return { kind, ports };
}
