import type { Catalog } from "../../catalog/catalog.ts";
import type {
  ApiRequest,
  ApiResponse,
  ApiResponseBody,
  Handler,
  HeaderLookup,
  WebSocketConversation,
} from "../../request/handler.ts";
import type { Peer } from "../../request/peer.ts";
import { readResponseBody } from "../../request/plain-request.ts";
import { isStreamed } from "../../request/response-stream.ts";
import { type BodyFormat, formatOf, renamedBody } from "./renamed-body.ts";
import { fromClient, renamedText, toClient } from "./renaming.ts";
import { masked } from "./service-name.ts";

/** A handler whose clients use masked names. They may use the real ones too; answers have masks. */
export function maskedHandler(handler: Handler, catalog: Catalog): Handler {
  return async (request, peer) => {
    const real = realRequest(request, catalog);
    const response = await handler(real, peer);
    // The connection belongs to another server from here on.
    if (response.status === 101) return response;
    const body = await maskedBody(response, real, { handler, peer, catalog });
    const headers = response.headers.map(([name, value]) => [masked(name), toClient(value)] as const);
    const webSocket = response.webSocket && maskedConversation(response.webSocket);
    return { ...response, headers, body, ...(webSocket && { webSocket }) };
  };
}

/** What the server itself says has masks; the streams of a process belong to the process. */
function maskedConversation(conversation: WebSocketConversation): WebSocketConversation {
  return {
    ...conversation,
    protocol: masked(conversation.protocol),
    messages: (received) => {
      const said = conversation.messages(received);
      return isStreamed(said) ? said : said.map((message) => renamedText(message, toClient));
    },
  };
}

function realRequest(request: ApiRequest, catalog: Catalog): ApiRequest {
  const { method, target, connection, occupy } = request;
  const headers = realHeaders(request.headers);
  return {
    method,
    target: fromClient(target),
    headers,
    get signal() {
      return request.signal;
    },
    ...(connection !== undefined && { connection: () => connection.call(request) }),
    ...(occupy !== undefined && { occupy: (seat) => occupy.call(request, seat) }),
    body: async (limit) => {
      const body = await request.body(limit);
      // Without a Content-Type, a body is JSON or a YAML document.
      const format = await formatOf(headers.get("content-type") ?? "application/json", fromClient, catalog);
      return format === undefined ? body : format.renamedWhole(body);
    },
  };
}

/** A header is found by its real name and by its mask. */
function realHeaders(headers: HeaderLookup): HeaderLookup {
  return {
    get: (name) => {
      const value = headers.get(name) ?? headers.get(masked(name));
      return value === undefined ? undefined : fromClient(value);
    },
    getAll: (name) => {
      const names = new Set([name, masked(name)]);
      return [...names].flatMap((either) => headers.getAll(either)).map(fromClient);
    },
    startingWith: (prefix) =>
      headers
        .startingWith("")
        .map(([name, value]) => [fromClient(name), fromClient(value)] as const)
        .filter(([name]) => name.startsWith(prefix)),
  };
}

/** What the answer to a request comes from. */
interface Origin {
  readonly handler: Handler;
  readonly peer: Peer;
  readonly catalog: Catalog;
}

async function maskedBody(
  response: ApiResponse,
  request: ApiRequest,
  origin: Origin,
): Promise<ApiResponseBody> {
  const { body, headers } = response;
  if (body === undefined) return undefined;
  const contentType = headerOf(headers, "Content-Type");
  if (contentType.startsWith("application/com.github.proto-openapi")) {
    return openApiMessage(contentType, request, origin);
  }
  const stream = request.headers.get("upgrade")?.toLowerCase() === "websocket" ? "messages" : "frames";
  const format = await formatOf(contentType, toClient, origin.catalog, stream);
  if (format === undefined) return body;
  const isZipped = headerOf(headers, "Content-Encoding") === "gzip";
  return isZipped && !isStreamed(body)
    ? zippedBody(await readResponseBody(body), format)
    : renamedBody(body, format);
}

function headerOf(headers: ApiResponse["headers"], wanted: string): string {
  return headers.find(([name]) => name === wanted)?.[1] ?? "";
}

/** The messages of an OpenAPI document have no decoder here: they are made from its JSON, which has the same content. */
async function openApiMessage(
  contentType: string,
  { method, target, headers, signal }: ApiRequest,
  { handler, peer }: Origin,
): Promise<Uint8Array> {
  const asJson: HeaderLookup = {
    get: (name) => (unwanted.has(name.toLowerCase()) ? undefined : headers.get(name)),
    getAll: (name) => (unwanted.has(name.toLowerCase()) ? [] : headers.getAll(name)),
    startingWith: (prefix) => headers.startingWith(prefix).filter(([name]) => !unwanted.has(name)),
  };
  const body = async () => new Uint8Array();
  const answer = await handler({ method, target, headers: asJson, signal, body }, peer);
  const text = new TextDecoder().decode(renamedText(await readResponseBody(answer.body), toClient));
  const messages = await import("../../served/openapi/openapi-protobuf.ts");
  const document = JSON.parse(text);
  return contentType.includes("spec.v2")
    ? messages.encodeOpenApiV2Protobuf(document)
    : messages.encodeOpenApiV3Protobuf(document);
}

/** The headers that ask for another form of a document than plain JSON. */
const unwanted: ReadonlySet<string> = new Set(["accept", "accept-encoding", "if-none-match", "audit-id"]);

async function zippedBody(zipped: Uint8Array, format: BodyFormat): Promise<Uint8Array> {
  const plain = await through(zipped, new DecompressionStream("gzip"));
  return through(format.renamedWhole(plain), new CompressionStream("gzip"));
}

async function through(
  bytes: Uint8Array,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  // Bodies are not in shared memory.
  const source = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream();
  return new Uint8Array(await new Response(source.pipeThrough(stream)).arrayBuffer());
}
