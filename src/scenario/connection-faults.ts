import { ConnectionFailure, type ConnectionFate } from "../request/connection-failure.ts";
import { type Scenario, scenario } from "./scenario.ts";
import { type CutOptions, cutAfter } from "./stream-bytes.ts";

/** What of a connection is reset, and when. */
export interface ResetOptions extends CutOptions {
  /**
   * Whether HTTP/2 resets the stream of the request alone, as kube-apiserver does when a handler panics, or the
   * connection and all that is under way on it. HTTP/1.1 has nothing else on it. Default: `connection`.
   */
  readonly of?: "connection" | "stream";
}

/**
 * The connection is reset, after the head of a watch, some events or bytes. What is no watch is done, and then reset
 * without an answer, unless bytes of it come before. Faithful on every transport: a RST on a port, elsewhere the
 * error that clients make of one.
 */
export function reset(options: ResetOptions = {}): Scenario {
  return broken("reset", options, options.of === "stream" ? "streamReset" : "reset");
}

/**
 * A half-open connection: from some event or byte on nothing comes, and nothing ends. What is no watch is done, and
 * gets no answer, unless bytes of it come before. On a port the server neither reads nor writes that connection any
 * more, so that pings of HTTP/2 are not answered either, and whatever else is under way on it stands still. Faithful
 * on every transport.
 */
export function freeze(options: CutOptions = {}): Scenario {
  return broken("freeze", options, "frozen");
}

function broken(name: string, options: CutOptions, fate: ConnectionFate): Scenario {
  const isCutLater = options.afterEvents !== undefined || options.afterBytes !== undefined;
  return scenario(name, options, { verb: "watch" }, async (server) => {
    if (isCutLater || server.request.verb === "watch") return cutAfter(server, options, fate);
    await server.answer();
    throw new ConnectionFailure(fate);
  });
}

/** How a client is sent away. */
export interface GoAwayOptions extends CutOptions {
  /**
   * Whether the connection is closed under the request, as it is when a server shuts down that has waited long enough;
   * `afterEvents` and `afterBytes` say when. Default: false, and what is under way comes to its end.
   */
  readonly close?: boolean;
}

/**
 * GOAWAY: the client is to open a new connection, as kube-apiserver tells it with `--goaway-chance`, and when it
 * shuts down. HTTP/1.1 says `Connection: close`. Faithful on a port; in process there is no connection, and nothing
 * but the header to be noticed.
 */
export function goAway(options: GoAwayOptions = {}): Scenario {
  const { close = false } = options;
  if (close) return broken("goAway", options, "goneAway");
  return scenario("goAway", options, {}, async ({ answer }) => {
    const { headers, ...rest } = await answer();
    return { ...rest, headers: [...headers, ["Connection", "close"]] };
  });
}
