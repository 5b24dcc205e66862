import type { EndpointResponse } from "../endpoints/contract/endpoint-response.ts";
import type { ApiRequest } from "../request/handler.ts";
import { derivedBody, discardBody, isStreamed, partsOf } from "../request/response-stream.ts";

/** How the messages of a format are found in a stream. */
interface Messages {
  /** The end of the first event in these bytes; undefined while it is incomplete. */
  readonly firstEnd: (bytes: Uint8Array) => number | undefined;
  readonly messageOf: (event: Uint8Array) => Uint8Array;
}

/**
 * For a watch over a WebSocket, the same response with one event in each piece, which the transport sends as a message;
 * otherwise the response as it is. Faults have changed the stream before.
 */
export function withMessages(
  request: ApiRequest,
  response: EndpointResponse,
): Promise<EndpointResponse> | EndpointResponse {
  const { status, headers, body } = response;
  if (status !== 200 || !isStreamed(body)) return response;
  if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") return response;
  const contentType = headers.find(([name]) => name === "Content-Type")?.[1] ?? "";
  return messagesIn(contentType).then((messages) =>
    messages === undefined
      ? response
      : { ...response, body: derivedBody(split(body, messages), () => discardBody(body)) },
  );
}

async function messagesIn(contentType: string): Promise<Messages | undefined> {
  const messageOf = (event: Uint8Array): Uint8Array => event;
  switch (contentType.split(";")[0]) {
    case "application/json":
      return { firstEnd: (bytes) => bytes.indexOf(0x0a) + 1 || undefined, messageOf };
    case "application/vnd.kubernetes.protobuf": {
      const { watchFrameEnd, unframedEvent } = await import("../codec/protobuf/watch-frame.ts");
      return { firstEnd: watchFrameEnd, messageOf: unframedEvent };
    }
    case "application/cbor-seq": {
      const { cborItemEnd } = await import("../codec/cbor/cbor-item-end.ts");
      return { firstEnd: (bytes) => cborItemEnd(bytes, 0), messageOf };
    }
    default:
      return undefined;
  }
}

async function* split(
  body: AsyncIterable<Uint8Array>,
  { firstEnd, messageOf }: Messages,
): AsyncGenerator<Uint8Array> {
  for await (const { bytes, isComplete } of partsOf(body, firstEnd)) {
    if (isComplete) yield messageOf(bytes);
  }
}
