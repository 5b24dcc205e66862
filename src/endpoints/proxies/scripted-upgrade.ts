import { turn } from "../../apimachinery/clock.ts";
import { checkOptions, type OptionType } from "../../apimachinery/option-checks.ts";
import { oneOf } from "../../apimachinery/option-types.ts";
import type { ProxiedTo } from "../../registry/contract/pod-connections.ts";
import type { ApiRequest, ApiResponse, WebSocketConversation } from "../../request/handler.ts";
import { derivedBody } from "../../request/response-stream.ts";
import { ownBytes } from "../../streams/container-streams.ts";
import { Pipe } from "../../streams/pipe.ts";
import type { ProxyScript, ProxyWebSocketOptions, WebSocketScript } from "../../webhooks/pod-script.ts";
import { functionServer } from "../aggregated/remote-server.ts";
import { proxiedRequest } from "./proxied-request.ts";

/**
 * Sends a request for another protocol to a function, which may accept a WebSocket. Any other answer goes to the client as it is, as in
 * upstream (apimachinery, pkg/util/proxy/upgradeaware.go, tryUpgrade).
 */
export async function scriptedUpgrade(
  script: ProxyScript,
  to: ProxiedTo,
  request: ApiRequest,
): Promise<ApiResponse> {
  let accepted: { readonly response: Response; readonly webSocket: WebSocketConversation } | undefined;
  let taken: WebSocketConversation | undefined;
  const upgrade = (run: WebSocketScript, options: ProxyWebSocketOptions = {}): Response => {
    checkOptions("upgrade", options, upgradeOptionTypes);
    const response = new Response(notHijacked, { status: 500 });
    accepted = { response, webSocket: conversationOf(run, options, request.signal) };
    return response;
  };
  const isWebSocket = request.headers.get("upgrade")?.toLowerCase() === "websocket";
  const server = functionServer(async (plain) => {
    const response = await script(isWebSocket ? Object.assign(plain, { upgrade }) : plain);
    if (accepted !== undefined && response === accepted.response) taken = accepted.webSocket;
    return response;
  });
  const answer = await proxiedRequest(server, to, request);
  return taken === undefined ? answer : { ...answer, webSocket: taken };
}

const protocol: OptionType = {
  accepts: "text without spaces",
  isValid: (value) => typeof value === "string" && /^[!-~]*$/.test(value),
};
const upgradeOptionTypes = { protocol, type: oneOf("text", "binary") };

/** Where no connection can be handed over. */
const notHijacked = "request connection cannot be hijacked\n";

function conversationOf(
  run: WebSocketScript,
  { protocol = "", type = "text" }: ProxyWebSocketOptions,
  signal: AbortSignal,
): WebSocketConversation {
  return {
    protocol,
    type,
    messages: (received) => {
      const out = new Pipe();
      const send = async (message: string | Uint8Array): Promise<void> => {
        const bytes = ownBytes(message);
        // A function that sends on and on does not keep others from their work once the client has left.
        await (signal.aborted ? turn() : out.write(bytes));
      };
      // A function that throws ends the connection, as one that returns does.
      const running = Promise.resolve().then(() => run({ received, send, signal }));
      running.catch(() => {}).finally(() => out.end());
      return derivedBody(piecesOf(out), () => out.discard());
    },
  };
}

async function* piecesOf(out: Pipe): AsyncGenerator<Uint8Array> {
  yield* out;
}
