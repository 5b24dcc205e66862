import { badRequest, invalid, plainError } from "../../../apimachinery/errors/errors.ts";
import {
  type FieldCause,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
} from "../../../apimachinery/errors/field.ts";
import { messageOf } from "../../../apimachinery/errors/message-of.ts";
import { textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject, MutableJsonObject } from "../../../apimachinery/json.ts";
import type { Lister } from "../../../apimachinery/lister.ts";
import { formatTime, parseTime } from "../../../apimachinery/time.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import type { ConnectedContainer } from "../../../registry/contract/pod-connections.ts";
import type { ResourceAccess } from "../../../registry/contract/resource-access.ts";
import type { Connected, ResourceDefinition, Rest } from "../../../registry/contract/rest.ts";
import type { StoredResource } from "../../../registry/contract/stored-resource.ts";
import { GenericRegistry } from "../../../registry/generic/generic-registry.ts";
import type { QueryParameters } from "../../../request/query-parameters.ts";
import { optionalBoolean, optionalInteger, textValue } from "../../../request/query-values.ts";
import { dialError, hostAndPort, kubeletOf } from "./kubelet-connection.ts";
import { chosenContainer } from "./pod-containers.ts";

const optionsKind = "PodLogOptions";
const switches = ["follow", "insecureSkipTLSVerifyBackend", "previous", "timestamps"];
const streamNames = ["All", "Stderr", "Stdout"];
const amounts = ["limitBytes", "sinceSeconds", "tailLines"];

/**
 * GET of `pods/{name}/log`. The log of a pod without a node is empty; for other pods there is no kubelet to connect
 * to.
 */
export function podLogRest(
  pods: StoredResource,
  definition: ResourceDefinition,
  { lister, podConnections }: ResourceAccess,
): Rest {
  const registry = new GenericRegistry(pods);
  const { gates } = pods;
  return {
    definition,
    connector: {
      isAdmitted: false,
      optionsOf: ({ query }) => podLogOptions(query),
      connect: (key, options) => {
        checkPodLogOptions(key.name, options, gates);
        const pod = registry.get(key).value;
        const container = chosenContainer(pod, textAt(options, "container"));
        const scripted = podConnections.log({ pod, container }, options);
        return scripted ?? connectToKubelet({ pod, container }, lister, options);
      },
    },
  };
}

/** The `PodLogOptions` in a query. @throws {StatusError} badRequest for what is none */
export function podLogOptions(query: QueryParameters): JsonObject {
  const options: MutableJsonObject = { kind: optionsKind, apiVersion: "v1" };
  for (const name of switches) {
    const value = optionalBoolean(query, name);
    if (value) options[name] = true;
  }
  for (const name of amounts) {
    const value = optionalInteger(query, name);
    if (value !== undefined) options[name] = value;
  }
  for (const name of ["container", "stream"]) {
    if (query.has(name)) options[name] = textValue(query, name);
  }
  if (query.has("sinceTime")) options["sinceTime"] = timeOf(textValue(query, "sinceTime"));
  return options;
}

/** Older clients send `null` for no time. */
function timeOf(text: string): string | null {
  if (text === "" || text === "null") return null;
  try {
    return formatTime(parseTime(text).seconds * 1000);
  } catch (error) {
    throw badRequest(messageOf(error));
  }
}

/** @throws {StatusError} invalid */
export function checkPodLogOptions(name: string, options: JsonObject, gates: FeatureGates): void {
  const errors: FieldCause[] = [];
  addOptionErrors(errors, options, gates);
  if (errors.length > 0) throw invalid({ group: "", kind: optionsKind }, name, errors);
}

function connectToKubelet(
  { pod, container }: ConnectedContainer,
  lister: Lister,
  options: JsonObject,
): Connected {
  const node = textAt(pod, "spec", "nodeName");
  if (node === "") return "nothing";
  const kubelet = kubeletOf(node, lister);
  const { namespace, name } = pod.metadata;
  const path = `/containerLogs/${namespace}/${name}/${container}`;
  const url = `https://${hostAndPort(kubelet)}${path}${kubeletQuery(options)}`;
  throw plainError(500, `Get "${url}": ${dialError(kubelet)}`);
}

function addOptionErrors(errors: FieldCause[], options: JsonObject, gates: FeatureGates): void {
  const { tailLines, limitBytes, sinceSeconds, sinceTime, stream } = options;
  if (typeof tailLines === "number" && tailLines < 0) {
    errors.push(fieldInvalid("tailLines", tailLines, "must be greater than or equal to 0"));
  }
  const mustBePositive = (name: string, value: unknown) => {
    if (typeof value !== "number" || value > 0) return;
    errors.push(fieldInvalid(name, value, "must be greater than 0"));
  };
  mustBePositive("limitBytes", limitBytes);
  if (sinceSeconds !== undefined && sinceTime !== undefined) {
    errors.push(fieldForbidden("[]", "at most one of `sinceTime` or `sinceSeconds` may be specified"));
  } else mustBePositive("sinceSeconds", sinceSeconds);
  if (stream === undefined) return;
  if (!gates.isEnabled("PodLogsQuerySplitStreams")) {
    errors.push(fieldForbidden("stream", "may not be specified"));
    return;
  }
  if (typeof stream !== "string" || !streamNames.includes(stream)) {
    errors.push(fieldNotSupported("stream", String(stream), streamNames));
  }
  if (tailLines !== undefined && (stream === "Stdout" || stream === "Stderr")) {
    const problem = "`tailLines` and specific `stream` are mutually exclusive for now";
    errors.push(fieldForbidden("tailLines", problem));
  }
}

/** The query of the kubelet's URL, with sorted parameters. */
function kubeletQuery(options: JsonObject): string {
  const names = ["follow", "limitBytes", "previous", "sinceSeconds", "sinceTime", "tailLines", "timestamps"];
  const query = new URLSearchParams();
  for (const name of names) {
    const value = options[name];
    if (value !== undefined && value !== null) query.set(name, String(value));
  }
  return query.size === 0 ? "" : `?${query}`;
}
