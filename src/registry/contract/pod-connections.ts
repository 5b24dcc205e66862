import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { ApiRequest, ApiResponse } from "../../request/handler.ts";

/** Answers a request for a connection in place of a kubelet or a pod. It rejects with a StatusError if it refuses. */
export type Connection = (request: ApiRequest) => Promise<ApiResponse>;

/** A container to which a client connects. */
export interface ConnectedContainer {
  readonly pod: KubeObject;
  readonly container: string;
}

/** Where a proxied request goes. */
export interface ProxiedTo {
  /** The scheme in the path; empty for none. */
  readonly scheme: string;
  /** A host and a port, for the URL. */
  readonly host: string;
}

/**
 * What answers where no kubelet runs: the scripts of a test, and this process for nodes whose kubelets it simulates. Every method returns
 * undefined if nothing answers. The options are those of the request, such as `PodExecOptions`.
 */
export interface PodConnections {
  readonly log: (target: ConnectedContainer, options: JsonObject) => Connection | undefined;
  readonly exec: (target: ConnectedContainer, options: JsonObject) => Connection | undefined;
  readonly attach: (target: ConnectedContainer, options: JsonObject) => Connection | undefined;
  readonly portForward: (pod: KubeObject, options: JsonObject) => Connection | undefined;
  /** To the server of a node's kubelet. */
  readonly kubelet: (node: KubeObject) => Connection | undefined;
  /** To a pod or a node, as a script answers. */
  readonly proxy: (target: KubeObject, to: ProxiedTo) => Connection | undefined;
  /** To the address that the test has given for a Service. */
  readonly proxyToService: (service: KubeObject, to: ProxiedTo) => Connection | undefined;
}
