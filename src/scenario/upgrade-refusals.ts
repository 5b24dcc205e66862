import { badRequest } from "../apimachinery/errors/errors.ts";
import type { HeaderLookup } from "../request/handler.ts";
import type { FailureDefinition, FailureDefinitions } from "./failure-definition.ts";
import { type Need, type Scenario, scenario } from "./scenario.ts";
import type { ScenarioOptions } from "./scenario-options.ts";

/** Requests that open a stream to a pod: WebSockets begin with GET, SPDY with POST. */
export const streamsOfPods: FailureDefinition = { verbs: ["get", "create"], scope: { resource: "pods" } };

/** The definitions of the failures in this file. */
export const upgradeRefusals: FailureDefinitions<"noV5" | "refuseUpgrade"> = {
  noV5: streamsOfPods,
  refuseUpgrade: streamsOfPods,
};

/** The subresources whose streams belong to a process. */
export const processes = ["exec", "attach"] as const;
/** The subresources with streams. */
export const connections: readonly string[] = [...processes, "portforward"];

const protocolHeader = "sec-websocket-protocol";
const v5 = /(?<![^,\s])v5\.channel\.k8s\.io(?![^,\s])/;

/** A request for another protocol on one of these subresources; `accepts` also tests its headers. */
export function upgradeOf(
  subresources: readonly string[],
  what: string,
  accepts: (headers: HeaderLookup) => boolean = () => true,
): Need {
  const asked = `an upgrade of ${subresources.join(", ")}`;
  return {
    text: `with ${asked} ${what}`,
    reason: `it needs ${asked} ${what}`,
    holds: ({ subresource }, headers) => {
      if (!subresources.includes(subresource)) return false;
      return headers === undefined || (headers.get("upgrade") !== undefined && accepts(headers));
    },
  };
}

/** Whether a client asks for a WebSocket. */
export function asksForWebSocket(headers: HeaderLookup): boolean {
  return headers.get("upgrade")?.toLowerCase() === "websocket";
}

/**
 * Answers 400 to a client that asks for a stream, as the server does if a proxy before it removes the headers of the upgrade. Faithful
 * on a port with HTTP/1.1, where connections can change protocols. Upstream: apimachinery, pkg/util/proxy/upgradeaware.go.
 */
export function refuseUpgrade(options: ScenarioOptions = {}): Scenario {
  const refuse: Scenario["effect"] = async () => {
    throw badRequest("Upgrade request required");
  };
  const need = upgradeOf(connections, "to WebSockets or SPDY");
  return scenario("refuseUpgrade", upgradeRefusals.refuseUpgrade, options, refuse, { need });
}

/**
 * The server does not know v5.channel.k8s.io, the protocol in which clients can end their input: it selects another one, or answers 403 if
 * the client offers none. Faithful on a port with HTTP/1.1, where connections can change protocols.
 */
export function noV5(options: ScenarioOptions = {}): Scenario {
  const effect: Scenario["effect"] = ({ answer, headers }) => answer({ headers: withoutV5(headers) });
  const offersV5 = (headers: HeaderLookup) =>
    asksForWebSocket(headers) && headers.getAll(protocolHeader).some((value) => v5.test(value));
  const need = upgradeOf(processes, "to a WebSocket that offers v5.channel.k8s.io", offersV5);
  return scenario("noV5", upgradeRefusals.noV5, options, effect, { need });
}

/** The headers with a protocol of an unknown name in place of v5. */
function withoutV5(headers: HeaderLookup): HeaderLookup {
  const changed = (name: string, value: string) =>
    name.toLowerCase() === protocolHeader ? value.replace(v5, "unknown") : value;
  return {
    get: (name) => {
      const value = headers.get(name);
      return value === undefined ? undefined : changed(name, value);
    },
    getAll: (name) => headers.getAll(name).map((value) => changed(name, value)),
    startingWith: (prefix) =>
      headers.startingWith(prefix).map(([name, value]) => [name, changed(name, value)] as const),
  };
}
