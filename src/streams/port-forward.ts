import { messageOf } from "../apimachinery/errors/message-of.ts";
import { textAt } from "../apimachinery/fields.ts";
import { goQuote } from "../apimachinery/go/go-quote.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { Address } from "../webhooks/address.ts";
import type { PortForwardScript } from "../webhooks/pod-script.ts";
import { inputFrom, outputTo } from "./container-streams.ts";
import { connectTo } from "./local-connection.ts";
import { cutShort } from "./pods/cut-short.ts";
import type { FollowedPod } from "./pods/followed-pod.ts";
import type { PortConnection } from "./port-connection.ts";

/** Serves connections to the ports of a pod. The result is the error of a connection that failed; it never rejects. */
export type PortForwarder = (connection: PortConnection) => Promise<string | undefined>;

/** Forwards connections to what `targetOf` finds for a port: a script, or an address. They end with the pod. */
export function portForwarder(
  pod: KubeObject,
  followed: FollowedPod,
  targetOf: (port: number) => PortForwardScript | Address | undefined,
): PortForwarder {
  const { uid = "" } = pod.metadata;
  return async (connection) => {
    const { port } = connection;
    try {
      checkSandbox(followed.pod(), uid);
      const target = targetOf(port);
      if (target === undefined) throw new Error(refusal(uid, port));
      const serve = (signal: AbortSignal) => serveConnection(pod, target, { ...connection, signal });
      const cut = { followed, isOver: () => hasEnded(followed.pod()), ending: undefined };
      await cutShort(serve, cut, connection.signal);
      return undefined;
    } catch (error) {
      return `error forwarding port ${port} to pod ${uid}, uid : ${messageOf(error)}`;
    }
  };
}

async function serveConnection(
  pod: KubeObject,
  target: PortForwardScript | Address,
  connection: PortConnection,
): Promise<void> {
  if (typeof target !== "function") return connectTo(target, connection);
  const { port, received, signal } = connection;
  const { write } = outputTo(connection, signal);
  await target({ pod, port, received: inputFrom(received), write, signal });
}

/** Whether the processes of a pod have ended for good. */
function hasEnded(pod: KubeObject | undefined): boolean {
  return pod === undefined || ["Succeeded", "Failed"].includes(textAt(pod, "status", "phase"));
}

/** Upstream: containerd, internal/cri/server/sandbox_portforward_linux.go. @throws {Error} for a sandbox without a network */
function checkSandbox(pod: KubeObject | undefined, uid: string): void {
  if (pod === undefined) throw new Error(`failed to find sandbox ${goQuote(uid)} in store: not found`);
  if (hasEnded(pod)) throw new Error(`network namespace for sandbox ${goQuote(uid)} is closed`);
}

/** The words of containerd for a port at which nothing listens. */
function refusal(uid: string, port: number): string {
  const refused = "connect: connection refused";
  const where = `failed to connect to localhost:${port} inside namespace ${goQuote(uid)}`;
  return `${where}, IPv4: dial tcp4 127.0.0.1:${port}: ${refused} IPv6 dial tcp6 [::1]:${port}: ${refused} `;
}
