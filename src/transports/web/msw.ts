import * as msw from "msw";
import { ConnectionFailure } from "../../request/connection-failure.ts";
import { targetsBelow } from "../contract/base-url.ts";
import { clientBehind, type InterceptedClient, stopObserving } from "../contract/intercepted-client.ts";
import type { Served } from "../contract/served.ts";
import { answerWebRequest } from "./web-exchange.ts";
import { sentRequest } from "./web-request.ts";
import type { WebStreamOptions } from "./web-response.ts";

/**
 * MSW handlers that answer for a cluster, in Node and in browsers.
 * @param origin The URL under which clients know the cluster; it may have a path, and in a browser be relative.
 */
export function kubernetesHandlers(cluster: Served, origin: string): msw.HttpHandler[] {
  const base = new URL(origin, Reflect.get(globalThis, "location")?.href).href;
  const targetOf = targetsBelow(base);
  return [
    msw.http.all(/^/, ({ request }) => {
      const target = targetOf(request.url);
      // Without an answer, MSW tries other handlers.
      return target === undefined ? undefined : answer(cluster, request, target);
    }),
  ];
}

async function answer(cluster: Served, request: Request, target: string): Promise<Response> {
  const behind = clientBehind(request);
  let isFinished = false;
  let finish = (): void => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  try {
    const response = await answerWebRequest(cluster.handler, sentRequest(request, target), {
      ...streamOptions(behind),
      onLeave: (leave) => void behind?.once("close", leave),
      onFinish: () => {
        isFinished = true;
        finish();
      },
    });
    return isFinished ? response : withBlindCopies(response, finished);
  } catch (error) {
    if (error instanceof ConnectionFailure) return failConnection(error, behind);
    if (!request.signal.aborted && !behind?.destroyed) throw error;
    // The client has disconnected; MSW would treat anything returned here as an answer.
    return new Promise(() => {});
  }
}

/**
 * MSW has no error for a failed connection but the one of `Response.error()`. For fetch, MSW 2 makes this response the cause of
 * the error, so it says how the connection failed. The client of `node:http` gets the error directly.
 */
function failConnection(
  { name, message, code, kind }: ConnectionFailure,
  behind: InterceptedClient | undefined,
): Response | Promise<never> {
  if (behind === undefined) return Object.assign(Response.error(), { name, message, code, kind });
  behind.destroy(Object.assign(new Error(message), { code }));
  return new Promise(() => {});
}

const isNode = typeof globalThis.process?.versions?.node === "string";
/** MSW 2 returns the response to fetch unchanged; MSW 3 sends every response through its own socket. */
const handsOverResponses = "handleRequest" in msw;

function streamOptions(behind: InterceptedClient | undefined): WebStreamOptions {
  if (behind !== undefined) return { reader: "socket", onPull: () => stopObserving(behind) };
  return { reader: isNode && !handsOverResponses ? "socket" : "client" };
}

/**
 * Makes the copies of a stream that MSW creates for its log and its listeners end without any bytes. They are rarely
 * read, and reading one branch of a real `tee` buffers everything for the other.
 */
function withBlindCopies(response: Response, finished: Promise<void>): Response {
  const { body, status, statusText, headers } = response;
  if (body === null) return response;
  const blind = (): ReadableStream =>
    new ReadableStream({
      start: (controller) => void finished.then(() => controller.close()).catch(() => {}),
    });
  // Node clones a response with `tee` of its body, browsers do it natively, and MSW calls `clone` of the response.
  Object.defineProperty(body, "tee", { value: () => [body, blind()] });
  Object.defineProperty(response, "clone", {
    value: () => new Response(blind(), { status, statusText, headers }),
  });
  return response;
}

/** The part of an MSW 3 interceptor that is used. */
interface Source {
  on(
    type: "request",
    listener: (event: RequestEvent) => Promise<void>,
    options: { signal: AbortSignal },
  ): unknown;
}

interface RequestEvent {
  readonly request: Request;
  /** What started the request: a Request, a ClientRequest, or the socket if MSW does not know. */
  readonly initiator: unknown;
  readonly controller: { readonly readyState: number; respondWith(response: Response): void };
}

/**
 * Answers for a cluster to clients that bring their own undici. MSW 3 sees their sockets but calls no handlers for them.
 * MSW 2 does not see them at all; use the dispatcher of `kubedouble/undici` there. MSW must be listening; call the
 * returned function before you stop it.
 */
export function attach(cluster: Served, origin: string): { detach(): void } {
  const registry: unknown = Reflect.get(globalThis, "__MSW_INTERCEPTORS_REGISTRY");
  const source = registry instanceof Map ? registry.get(Symbol.for("node-http-request-source")) : undefined;
  if (!isActive(source)) throw new Error("attach needs a listening server of MSW 3");
  const targetOf = targetsBelow(origin);
  const attached = new AbortController();
  const listener = async ({ request, initiator, controller }: RequestEvent): Promise<void> => {
    const target = isAsked(initiator) ? undefined : targetOf(request.url);
    if (target === undefined) return;
    const response = await answer(cluster, request, target);
    // Still pending, unless another listener has answered in the meantime.
    if (controller.readyState === 0) controller.respondWith(response);
  };
  source.on("request", listener, { signal: attached.signal });
  return { detach: () => attached.abort() };
}

function isActive(source: unknown): source is Source {
  return typeof source === "object" && source !== null && Reflect.get(source, "readyState") === "ACTIVE";
}

/** Whether MSW calls its handlers for requests of this kind: those of fetch and of `node:http`. */
function isAsked(initiator: unknown): boolean {
  return (
    initiator instanceof Request ||
    (typeof initiator === "object" && initiator !== null && "getHeader" in initiator)
  );
}
