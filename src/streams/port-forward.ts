import { messageOf } from "../apimachinery/errors/message-of.ts";
import { goQuote } from "../apimachinery/go/go-quote.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { Address } from "../webhooks/address.ts";
import type { PortForwardScript } from "../webhooks/pod-script.ts";
import { inputFrom, outputTo } from "./container-streams.ts";
import { connectTo } from "./local-connection.ts";
import type { PortConnection } from "./port-connection.ts";

/** Serves connections to the ports of a pod. The result is the error of a connection that failed; it never rejects. */
export type PortForwarder = (connection: PortConnection) => Promise<string | undefined>;

/** Forwards connections to what `targetOf` finds for a port: a script, or an address. */
export function portForwarder(
  pod: KubeObject,
  targetOf: (port: number) => PortForwardScript | Address | undefined,
): PortForwarder {
  const { uid = "" } = pod.metadata;
  return async (connection) => {
    const { port } = connection;
    const target = targetOf(port);
    try {
      if (target === undefined) throw new Error(refusal(uid, port));
      if (typeof target === "function") {
        const { received, signal } = connection;
        const { write } = outputTo(connection, signal);
        await target({ pod, port, received: inputFrom(received), write, signal });
      } else await connectTo(target, connection);
      return undefined;
    } catch (error) {
      return `error forwarding port ${port} to pod ${uid}, uid : ${messageOf(error)}`;
    }
  };
}

/** The words of containerd for a port at which nothing listens. */
function refusal(uid: string, port: number): string {
  const refused = "connect: connection refused";
  const where = `failed to connect to localhost:${port} inside namespace ${goQuote(uid)}`;
  return `${where}, IPv4: dial tcp4 127.0.0.1:${port}: ${refused} IPv6 dial tcp6 [::1]:${port}: ${refused} `;
}
