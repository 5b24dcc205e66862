import { badRequest, plainError } from "../../../apimachinery/errors/errors.ts";
import { textAt } from "../../../apimachinery/fields.ts";
import { goQuote } from "../../../apimachinery/go/go-quote.ts";
import type { JsonObject, MutableJsonObject } from "../../../apimachinery/json.ts";
import type { Lister } from "../../../apimachinery/lister.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { ResourceAccess } from "../../../registry/contract/resource-access.ts";
import type { ConnectRequest, ResourceDefinition, Rest } from "../../../registry/contract/rest.ts";
import type { StoredResource } from "../../../registry/contract/stored-resource.ts";
import { GenericRegistry } from "../../../registry/generic/generic-registry.ts";
import type { QueryParameters } from "../../../request/query-parameters.ts";
import { optionalBoolean, textValue } from "../../../request/query-values.ts";
import { dialError, kubeletOf } from "./kubelet-connection.ts";
import { chosenContainer } from "./pod-containers.ts";

const streams = ["stdin", "stdout", "stderr", "tty"];
const maxPort = 65535n;

/** `pods/{name}/exec`. */
export function podExecRest(
  pods: StoredResource,
  definition: ResourceDefinition,
  { lister }: ResourceAccess,
): Rest {
  const optionsOf = ({ query }: ConnectRequest) => ({
    ...containerOptions("PodExecOptions", query),
    command: query.has("command") ? query.getAll("command") : null,
  });
  return streamRest({ pods, definition, lister, optionsOf, check: checkContainer });
}

/** `pods/{name}/attach`. */
export function podAttachRest(
  pods: StoredResource,
  definition: ResourceDefinition,
  { lister }: ResourceAccess,
): Rest {
  const optionsOf = ({ query }: ConnectRequest) => containerOptions("PodAttachOptions", query);
  return streamRest({ pods, definition, lister, optionsOf, check: checkContainer });
}

/** `pods/{name}/portforward`. */
export function podPortForwardRest(
  pods: StoredResource,
  definition: ResourceDefinition,
  { lister }: ResourceAccess,
): Rest {
  const optionsOf = ({ query }: ConnectRequest) => {
    const ports = query.getAll("ports").flatMap((text) => text.split(",").map(portOf));
    return { kind: "PodPortForwardOptions", apiVersion: "v1", ...(ports.length > 0 && { ports }) };
  };
  return streamRest({ pods, definition, lister, optionsOf, check: () => {} });
}

interface Streaming {
  readonly pods: StoredResource;
  readonly definition: ResourceDefinition;
  readonly lister: Lister;
  readonly optionsOf: (request: ConnectRequest) => JsonObject;
  /** @throws {StatusError} badRequest */
  readonly check: (pod: KubeObject, options: JsonObject) => void;
}

/** A connection to the kubelet of the pod's node, which always fails because there is no kubelet. */
function streamRest({ pods, definition, lister, optionsOf, check }: Streaming): Rest {
  const registry = new GenericRegistry(pods);
  return {
    definition,
    connector: {
      isAdmitted: true,
      optionsOf,
      connect: (key, options, { isUpgrade }) => {
        const pod = registry.get(key).value;
        check(pod, options);
        const node = textAt(pod, "spec", "nodeName");
        if (node === "") throw badRequest(`pod ${key.name} does not have a host assigned`);
        const kubelet = kubeletOf(node, lister);
        if (!isUpgrade) throw badRequest("Upgrade request required");
        throw plainError(500, `error dialing backend: ${dialError(kubelet)}`);
      },
    },
  };
}

function checkContainer(pod: KubeObject, options: JsonObject): void {
  chosenContainer(pod, textAt(options, "container"));
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
