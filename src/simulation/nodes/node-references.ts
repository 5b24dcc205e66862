import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { RecordedEvent } from "../events/recorded-event.ts";

/** The node that Events of its kubelet are about: a kubelet knows it only by name. Upstream: `NewMainKubelet` (pkg/kubelet/kubelet.go). */
export function nodeOfKubelet(name: string): KubeObject {
  return { apiVersion: "", kind: "Node", metadata: { name, uid: name } };
}

/** The node that Events of controllers are about. Upstream: pkg/controller/util/node/controller_utils.go. */
export function nodeOfController({ apiVersion, kind, metadata: { name, uid } }: KubeObject): KubeObject {
  return {
    apiVersion,
    kind,
    metadata: { ...(name !== undefined && { name }), ...(uid !== undefined && { uid }) },
  };
}

/** What the node lifecycle controller says of a node that it sees for the first time. Upstream: `RecordNodeEvent` in the same file. */
export function registered(name: string): RecordedEvent {
  const message = `Node ${name} event: Registered Node ${name} in Controller`;
  return { type: "Normal", reason: "RegisteredNode", message };
}
