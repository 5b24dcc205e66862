import * as msw from "msw";
import { ConnectionFailure } from "../../request/connection-failure.ts";
import { targetsBelow } from "../contract/base-url.ts";
import { clientBehind, type InterceptedClient, stopObserving } from "../contract/intercepted-client.ts";
import type { Served } from "../contract/served.ts";
import { answerWebRequest } from "./web-exchange.ts";
import type { WebStreamOptions } from "./web-response.ts";

/**
 * Handlers for MSW that answer for a cluster, in Node and in browsers.
 * @param origin The URL under which clients know the cluster; it may have a path, and in a browser be relative.
 */
export function kubernetesHandlers(cluster: Served, origin: string): msw.HttpHandler[] {
  const base = new URL(origin, Reflect.get(globalThis, "location")?.href).href;
  const targetOf = targetsBelow(base);
  return [
    msw.http.all(/^/, ({ request }) => {
      const target = targetOf(request.url);
      // To have no answer leaves the request to other handlers.
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
    const response = await answerWebRequest(cluster.handler, request, target, {
      ...streamOptions(behind),
      onLeave: (leave) => void behind?.once("close", leave),
      onFinish: () => {
        isFinished = true;
        finish();
      },
    });
    return isFinished ? response : withBlindCopies(response, finished);
  } catch (error) {
    if (error instanceof ConnectionFailure) return Response.error();
    if (!request.signal.aborted && !behind?.destroyed) throw error;
    // Whatever came now, MSW would take it for an answer, and nobody is there to get one.
    return new Promise(() => {});
  }
}

const isNode = typeof globalThis.process?.versions?.node === "string";
/** MSW 2 hands a fetch its response as it is; MSW 3 sends every response through a socket of its own. */
const handsOverResponses = "handleRequest" in msw;

function streamOptions(behind: InterceptedClient | undefined): WebStreamOptions {
  if (behind !== undefined) return { reader: "socket", onPull: () => stopObserving(behind) };
  return { reader: isNode && !handsOverResponses ? "socket" : "client" };
}

/**
 * Has the copies of a stream, which MSW makes for its log and its listeners, see its end but none of its bytes. They
 * are hardly ever read, and what reads one branch of a real copy fills the memory of the other.
 */
function withBlindCopies(response: Response, finished: Promise<void>): Response {
  const { body, status, statusText, headers } = response;
  if (body === null) return response;
  const blind = (): ReadableStream =>
    new ReadableStream({
      start: (controller) => void finished.then(() => controller.close()).catch(() => {}),
    });
  // Node copies a response by the tee of its body, browsers do not ask the page; MSW asks the response.
  Object.defineProperty(body, "tee", { value: () => [body, blind()] });
  Object.defineProperty(response, "clone", {
    value: () => new Response(blind(), { status, statusText, headers }),
  });
  return response;
}

/** As much of an interceptor of MSW 3 as is used. */
interface Source {
  on(
    type: "request",
    listener: (event: RequestEvent) => Promise<void>,
    options: { signal: AbortSignal },
  ): unknown;
}

interface RequestEvent {
  readonly request: Request;
  /** What began the request: a Request, a ClientRequest, or the socket if MSW knows no better. */
  readonly initiator: unknown;
  readonly controller: { readonly readyState: number; respondWith(response: Response): void };
}

/**
 * Answers for a cluster to clients that bring their own undici. MSW 3 sees their sockets but asks no handlers for
 * them; MSW 2 does not see them at all, for which there is a dispatcher in `kubedouble/undici`. MSW must be
 * listening, and who stops it detaches.
 */
export function attach(cluster: Served, origin: string): { detach(): void } {
  const registry: unknown = Reflect.get(globalThis, "__MSW_INTERCEPTORS_REGISTRY");
  const source = registry instanceof Map ? registry.get(Symbol.for("node-http-request-source")) : undefined;
  if (!isActive(source)) throw new Error("attach needs a server of MSW 3 that listens");
  const targetOf = targetsBelow(origin);
  const attached = new AbortController();
  const listener = async ({ request, initiator, controller }: RequestEvent): Promise<void> => {
    const target = isAsked(initiator) ? undefined : targetOf(request.url);
    if (target === undefined) return;
    const response = await answer(cluster, request, target);
    // Pending, unless somebody else has answered meanwhile.
    if (controller.readyState === 0) controller.respondWith(response);
  };
  source.on("request", listener, { signal: attached.signal });
  return { detach: () => attached.abort() };
}

function isActive(source: unknown): source is Source {
  return typeof source === "object" && source !== null && Reflect.get(source, "readyState") === "ACTIVE";
}

/** Whether MSW asks its handlers about requests from here: those of fetch and of `node:http`. */
function isAsked(initiator: unknown): boolean {
  return (
    initiator instanceof Request ||
    (typeof initiator === "object" && initiator !== null && "getHeader" in initiator)
  );
}
