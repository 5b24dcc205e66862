import { badRequest, plainError, type StatusError } from "../../../apimachinery/errors/errors.ts";
import { textAt } from "../../../apimachinery/fields.ts";
import { queryEscape } from "../../../apimachinery/go/go-query-escape.ts";
import { goQuote } from "../../../apimachinery/go/go-quote.ts";
import type { JsonObject, JsonValue, MutableJsonObject } from "../../../apimachinery/json.ts";
import type { Lister } from "../../../apimachinery/lister.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Connection, PodConnections } from "../../../registry/contract/pod-connections.ts";
import type { ResourceAccess } from "../../../registry/contract/resource-access.ts";
import type { ConnectRequest, ResourceDefinition, Rest } from "../../../registry/contract/rest.ts";
import type { StoredResource } from "../../../registry/contract/stored-resource.ts";
import { GenericRegistry } from "../../../registry/generic/generic-registry.ts";
import type { QueryParameters } from "../../../request/query-parameters.ts";
import { optionalBoolean, textValue } from "../../../request/query-values.ts";
import { dialError, type Endpoint, hostAndPort, kubeletOf } from "./kubelet-connection.ts";
import { chosenContainer } from "./pod-containers.ts";
import { streamProtocol, translatedError } from "./translated-streams.ts";

const streams = ["stdin", "stdout", "stderr", "tty"];
const maxPort = 65535n;

/** `pods/{name}/exec`. */
export function podExecRest(
  pods: StoredResource,
  definition: ResourceDefinition,
  { lister, podConnections }: ResourceAccess,
): Rest {
  const optionsOf = ({ query }: ConnectRequest) => ({
    ...containerOptions("PodExecOptions", query),
    command: query.has("command") ? query.getAll("command") : null,
  });
  const open = toContainer(podConnections.exec);
  return streamRest({ pods, definition, lister, optionsOf, open, fail: failing("exec", pods) });
}

/** `pods/{name}/attach`. */
export function podAttachRest(
  pods: StoredResource,
  definition: ResourceDefinition,
  { lister, podConnections }: ResourceAccess,
): Rest {
  const optionsOf = ({ query }: ConnectRequest) => containerOptions("PodAttachOptions", query);
  const open = toContainer(podConnections.attach);
  return streamRest({ pods, definition, lister, optionsOf, open, fail: failing("attach", pods) });
}

/** `pods/{name}/portforward`. */
export function podPortForwardRest(
  pods: StoredResource,
  definition: ResourceDefinition,
  { lister, podConnections }: ResourceAccess,
): Rest {
  const optionsOf = ({ query }: ConnectRequest) => {
    const ports = query.getAll("ports").flatMap((text) => text.split(",").map(portOf));
    return { kind: "PodPortForwardOptions", apiVersion: "v1", ...(ports.length > 0 && { ports }) };
  };
  const open = podConnections.portForward;
  return streamRest({ pods, definition, lister, optionsOf, open, fail: dialingFailed });
}

interface Streaming {
  readonly pods: StoredResource;
  readonly definition: ResourceDefinition;
  readonly lister: Lister;
  readonly optionsOf: (request: ConnectRequest) => JsonObject;
  /**
   * What answers in place of the kubelet, if anything does.
   * @throws {StatusError} badRequest for a container that the pod does not have
   */
  readonly open: (pod: KubeObject, options: JsonObject) => Connection | undefined;
  /** The error of the connection to the kubelet. */
  readonly fail: (attempt: StreamAttempt) => StatusError;
}

/** An attempt to stream to or from a pod. */
interface StreamAttempt {
  readonly kubelet: Endpoint;
  readonly pod: KubeObject;
  readonly options: JsonObject;
  readonly request: ConnectRequest;
}

/** A connection to the kubelet of the pod's node: to what stands for it, or it fails because there is no kubelet. */
function streamRest({ pods, definition, lister, optionsOf, open, fail }: Streaming): Rest {
  const registry = new GenericRegistry(pods);
  return {
    definition,
    connector: {
      isAdmitted: true,
      optionsOf,
      connect: (key, options, request) => {
        const pod = registry.get(key).value;
        const scripted = open(pod, options);
        if (scripted !== undefined) {
          if (!request.isUpgrade) throw badRequest("Upgrade request required");
          return scripted;
        }
        const node = textAt(pod, "spec", "nodeName");
        if (node === "") throw badRequest(`pod ${key.name} does not have a host assigned`);
        const kubelet = kubeletOf(node, lister);
        if (!request.isUpgrade) throw badRequest("Upgrade request required");
        throw fail({ kubelet, pod, options, request });
      },
    },
  };
}

function dialingFailed({ kubelet }: StreamAttempt): StatusError {
  return plainError(500, `error dialing backend: ${dialError(kubelet)}`);
}

/** The failure of exec and attach, which happens within a WebSocket if the server translates its streams. */
function failing(action: "exec" | "attach", { gates }: StoredResource): Streaming["fail"] {
  return (attempt) => {
    const failure = dialingFailed(attempt);
    const { kubelet, pod, options, request } = attempt;
    if (!gates.isEnabled("TranslateStreamCloseWebsocketRequests")) return failure;
    if (!request.webSocketProtocols.includes(streamProtocol)) return failure;
    const { namespace, name } = pod.metadata;
    const container = chosenContainer(pod, textAt(options, "container"));
    const path = `/${action}/${namespace}/${name}/${container}${kubeletQuery(options)}`;
    const url = `https://${hostAndPort(kubelet)}${path}`;
    return translatedError(
      failure,
      options,
      `error sending request: Post ${goQuote(url)}: ${dialError(kubelet)}`,
    );
  };
}

/** What the kubelet calls the options, in the order of its query (kubernetes, pkg/registry/core/pod/strategy.go: streamParams). */
const kubeletNames = [
  ["stderr", "error"],
  ["stdin", "input"],
  ["stdout", "output"],
  ["tty", "tty"],
] as const;

function kubeletQuery(options: JsonObject): string {
  const { command } = options;
  const words: readonly JsonValue[] = Array.isArray(command) ? command : [];
  const parameters = [
    ...words.map((word) => `command=${queryEscape(String(word))}`),
    ...kubeletNames.filter(([option]) => options[option] === true).map(([, name]) => `${name}=1`),
  ];
  return parameters.length === 0 ? "" : `?${parameters.join("&")}`;
}

/** Opens a connection to the container that a request names. */
function toContainer(open: PodConnections["exec"]): Streaming["open"] {
  return (pod, options) =>
    open({ pod, container: chosenContainer(pod, textAt(options, "container")) }, options);
}

function containerOptions(kind: string, query: QueryParameters): JsonObject {
  const options: MutableJsonObject = { kind, apiVersion: "v1" };
  for (const name of streams) {
    if (optionalBoolean(query, name)) options[name] = true;
  }
  const container = textValue(query, "container");
  return container === "" ? options : { ...options, container };
}

/** @throws {StatusError} badRequest with the message of Go's parser */
function portOf(text: string): number {
  const refused = (problem: string) =>
    badRequest(`cannot convert to []int32: strconv.ParseUint: parsing ${goQuote(text)}: ${problem}`);
  if (!/^\d+$/.test(text)) throw refused("invalid syntax");
  if (BigInt(text) > maxPort) throw refused("value out of range");
  return Number(text);
}
