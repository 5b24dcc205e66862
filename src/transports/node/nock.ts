import { METHODS } from "node:http";
import nock from "nock";
import { inProcessPeer } from "../../request/peer.ts";
import { answerUnlessAborted } from "../contract/answer.ts";
import { targetsBelow } from "../contract/base-url.ts";
import { clientBehind, stopObserving } from "../contract/intercepted-client.ts";
import type { Served } from "../contract/served.ts";
import { requestFromWebRequest } from "../web/web-request.ts";
import { arrivedRequest, hideContentType, type NockRequest, observeArrivals } from "./nock-14.ts";
import { type NockReply, nockReply } from "./nock-reply.ts";

/**
 * Makes nock answer for a cluster until `restore()`. Its interceptors never count as pending.
 * @param origin The URL under which clients know the cluster; it may have a path.
 */
export function interceptKubernetes(cluster: Served, origin: string): { restore(): void } {
  const targetOf = targetsBelow(origin);
  const root = new URL(origin).origin;
  const stopObservingArrivals = observeArrivals();
  // nock refuses an origin without interceptors, unless unmocked requests are allowed.
  const scope = nock(root, { allowUnmocked: true }).persist();
  scope.on("request", (request: NockRequest | Request) => {
    if (!isRequest(request)) hideContentType(request);
  });
  // One parameter: nock 15 treats a function of two as callback style, nock 14 a function of three.
  async function reply(this: { readonly req: NockRequest }, first: Request | string): Promise<NockReply> {
    if (isRequest(first)) return answer(cluster, first, targetOf(first.url) ?? first.url, undefined);
    const request = arrivedRequest(this.req);
    return answer(cluster, request, targetOf(request.url) ?? request.url, this.req);
  }
  const interceptors = METHODS.filter((method) => method !== "CONNECT").map((method) => {
    const interceptor = scope.intercept((path: string) => targetOf(root + path) !== undefined, method);
    interceptor.optionally().reply(reply);
    return interceptor;
  });
  return {
    restore: () => {
      if (interceptors.length > 0) stopObservingArrivals();
      for (const interceptor of interceptors.splice(0)) nock.removeInterceptor(interceptor);
    },
  };
}

/** @param copy The request as nock 14 copied it. */
async function answer(
  cluster: Served,
  request: Request,
  target: string,
  copy: NockRequest | undefined,
): Promise<NockReply> {
  const apiRequest = requestFromWebRequest(request, target);
  const behind = clientBehind(request);
  let isFinished = false;
  const leave = (): void => {
    if (!isFinished) apiRequest.abort(request.signal.reason);
  };
  request.signal.addEventListener("abort", leave, { once: true });
  behind?.once("close", leave);
  copy?.once("close", leave);
  let hasBegun = false;
  const onRead = (): void => {
    if (behind === undefined) return;
    // nock 14 would swallow this empty piece, which makes it write the response headers.
    if (!hasBegun) copy?.res?.emit("data", Buffer.alloc(0));
    hasBegun = true;
    stopObserving(behind);
  };
  const onFinish = (): void => {
    isFinished = true;
  };
  try {
    const apiResponse = await answerUnlessAborted(cluster.handler, apiRequest, inProcessPeer);
    return nockReply(apiResponse, request.method, apiRequest.signal, { onRead, onFinish });
  } catch (error) {
    if (!apiRequest.signal.aborted) throw error;
    // The client has disconnected: it can receive neither an answer nor an error.
    return new Promise(() => {});
  }
}

/** nock 15 passes Requests, nock 14 its own request objects. */
function isRequest(given: Request | NockRequest | string): given is Request {
  return typeof given === "object" && "signal" in given && "url" in given;
}
