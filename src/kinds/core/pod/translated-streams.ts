import { internalError, type StatusError } from "../../../apimachinery/errors/errors.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { encodeJson } from "../../../codec/json/json.ts";
import { WebSocketError } from "../../../request/web-socket-error.ts";

/** The protocol whose streams the server translates: it opens the WebSocket itself and calls the kubelet afterwards. */
export const streamProtocol = "v5.channel.k8s.io";

/** The numbers of the channels; a message starts with that of its own. */
const channels = { stdout: 1, stderr: 2, error: 3 } as const;

/**
 * The error of a translated stream: an empty message says that the connection is there, and a Status on the channel for
 * errors says that the kubelet is not (apiserver, pkg/util/proxy/websocket.go and streamtranslator.go). `failure` is the
 * response without a WebSocket.
 */
export function translatedError(failure: StatusError, options: JsonObject, problem: string): WebSocketError {
  const { kind: _kind, apiVersion: _apiVersion, ...status } = internalError(problem).status;
  const text = new TextEncoder().encode(encodeJson(status));
  const messages = [Uint8Array.of(firstChannel(options)), Uint8Array.of(channels.error, ...text)];
  return new WebSocketError(failure.status, {
    protocol: streamProtocol,
    type: "binary",
    messages: () => messages,
  });
}

function firstChannel({ stdout, stderr }: JsonObject): number {
  if (stdout === true) return channels.stdout;
  return stderr === true ? channels.stderr : channels.error;
}
