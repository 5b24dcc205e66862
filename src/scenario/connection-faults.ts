import type { OptionTypes } from "../apimachinery/option-checks.ts";
import { boolean, integerFrom, oneOf } from "../apimachinery/option-types.ts";
import { ConnectionFailure, type ConnectionFailureKind } from "../request/connection-failure.ts";
import type { FailureDefinitions } from "./failure-definition.ts";
import { type Scenario, scenario } from "./scenario.ts";
import { type CutOptions, checkCut, cutAfter } from "./stream-bytes.ts";

const cut: OptionTypes = {
  afterEvents: integerFrom(0),
  afterBytes: integerFrom(0),
};

/** The definitions of the failures in this file. */
export const connectionFaults: FailureDefinitions<"freeze" | "goAway" | "reset"> = {
  freeze: { scope: { verb: "watch" }, options: cut },
  goAway: { options: { ...cut, close: boolean } },
  reset: {
    scope: { verb: "watch" },
    options: { ...cut, of: oneOf("connection", "stream") },
  },
};

/** What is reset, and when. */
export interface ResetOptions extends CutOptions {
  /**
   * Whether HTTP/2 resets only the stream of the request, as kube-apiserver does when a handler panics, or the whole
   * connection with everything on it. On HTTP/1.1 both are the same. Default: `connection`.
   */
  readonly of?: "connection" | "stream";
}

/**
 * Resets the connection after the response headers of a watch, or after some events or bytes. Requests other than
 * watches are carried out and then reset without an answer, unless `afterBytes` lets part of it through. Faithful on
 * every transport: a RST on a port, elsewhere the error that clients report for one.
 */
export function reset(options: ResetOptions = {}): Scenario {
  return broken("reset", options, options.of === "stream" ? "streamReset" : "reset");
}

/**
 * Leaves the connection half-open: after some event or byte nothing more arrives, and nothing ends. Requests other than
 * watches are carried out and get no answer, unless `afterBytes` lets part of it through. On a port, the server stops
 * reading from and writing to the connection, so HTTP/2 pings are not answered and other streams on it stall too.
 * Faithful on every transport.
 */
export function freeze(options: CutOptions = {}): Scenario {
  return broken("freeze", options, "frozen");
}

function broken(
  name: keyof typeof connectionFaults,
  options: CutOptions,
  kind: ConnectionFailureKind,
): Scenario {
  const isCutLater = options.afterEvents !== undefined || options.afterBytes !== undefined;
  checkCut(name, options);
  return scenario(name, connectionFaults[name], options, async (server) => {
    if (isCutLater || server.request.verb === "watch") return cutAfter(server, options, kind);
    // The client does not learn of a refusal either.
    await server.answer().catch(() => {});
    throw new ConnectionFailure(kind);
  });
}

/** How the server asks a client to reconnect. */
export interface GoAwayOptions extends CutOptions {
  /**
   * Whether the connection is closed while the request is in flight, as at the end of a server's shutdown grace period;
   * `afterEvents` and `afterBytes` say when. Default: false: requests in flight finish.
   */
  readonly close?: boolean;
}

/**
 * Sends GOAWAY, which asks the client to open a new connection, as kube-apiserver does with `--goaway-chance` and at
 * shutdown. HTTP/1.1 gets `Connection: close`. Faithful on a port; in process there is no connection, so clients see
 * only the header.
 */
export function goAway(options: GoAwayOptions = {}): Scenario {
  const { close = false, afterEvents, afterBytes } = options;
  if (!close && (afterEvents !== undefined || afterBytes !== undefined))
    throw new Error(
      "goAway: afterEvents and afterBytes say when the connection is closed; they need close: true",
    );
  if (close) return broken("goAway", options, "goneAway");
  return scenario("goAway", connectionFaults.goAway, options, async ({ answer, struck }) => {
    const { headers, ...rest } = await answer();
    struck();
    return { ...rest, headers: [...headers, ["Connection", "close"]] };
  });
}
