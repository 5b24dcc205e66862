import { StatusError } from "../../apimachinery/errors/errors.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import type { JsonObject, MutableJsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import { isUpgradeRequest } from "../../endpoints/aggregated/proxied-upgrade.ts";
import { plainText, sniffedText } from "../../endpoints/contract/endpoint-response.ts";
import { checkPodLogOptions, podLogOptions } from "../../kinds/core/pod/pod-log.ts";
import type { ConnectedContainer } from "../../registry/contract/pod-connections.ts";
import type { ApiRequest, ApiResponse } from "../../request/handler.ts";
import type { RoutedRequest } from "./kubelet-paths.ts";
import { specOf } from "./node-pods.ts";

type Connect<Target> = (
  target: Target,
  options: JsonObject,
  request: ApiRequest,
) => ApiResponse | Promise<ApiResponse>;

/** The streams of containers, which clients also reach without the proxy of a node. */
export interface ContainerStreams {
  readonly log: Connect<ConnectedContainer>;
  readonly exec: Connect<ConnectedContainer>;
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

/** Answers `/exec`, `/attach` and `/portForward`. Upstream: pkg/kubelet/server/server.go, getExec, getAttach and getPortForward. */
export function answerStream(
  kind: "exec" | "attach" | "portForward",
  { url, request, parameters }: RoutedRequest,
  { pod, streams }: Wanted,
): ApiResponse | Promise<ApiResponse> {
  const options = streamOptions(kind, url.searchParams);
  if (kind !== "portForward" && !options["stdin"] && !options["stdout"] && !options["stderr"]) {
    return sniffedText(400, "you must specify at least 1 of stdin, stdout, stderr");
  }
  if (pod === undefined) return sniffedText(404, "pod does not exist");
  const uid = parameters.get("uid");
  if (uid !== undefined && uid !== pod.metadata.uid)
    return sniffedText(kind === "portForward" ? 404 : 500, "pod not found");
  if (!isUpgradeRequest(request)) return plainText(500, "Upgrade request required\n");
  if (kind === "portForward") return streams.portForward(pod, options, request);
  return streams[kind]({ pod, container: parameters.get("container") ?? "" }, options, request);
}

/** The options of a stream, from the names that the kubelet has for them in a query. */
function streamOptions(kind: "exec" | "attach" | "portForward", query: URLSearchParams): MutableJsonObject {
  if (kind === "portForward") {
    return {
      kind: "PodPortForwardOptions",
      ports: query
        .getAll("port")
        .flatMap((ports) => ports.split(","))
        .map(Number),
    };
  }
  const isOn = (name: string) => query.get(name) === "1";
  return {
    kind: kind === "exec" ? "PodExecOptions" : "PodAttachOptions",
    stdin: isOn("input"),
    stdout: isOn("output"),
    stderr: isOn("error") && !isOn("tty"),
    tty: isOn("tty"),
    ...(kind === "exec" && { command: query.getAll("command") }),
  };
}
