import type { UserOptions } from "../../apimachinery/user-info.ts";
import type { Handler } from "../../request/handler.ts";
import type { Reachability } from "../../request/reachability.ts";

/** How clients reach an open port of a cluster. */
export interface OpenPort {
  /** An IP address. */
  readonly address: string;
  readonly port: number;
  /** PEM of the authority of its certificate; empty without TLS. */
  readonly rootCa: string;
}

/** What transports need from a cluster. */
export interface Served {
  readonly handler: Handler;
  /** A bearer token that authenticates as an administrator of the cluster. */
  adminToken(): string;
  /** A bearer token that authenticates as this user. */
  token(name: string, options?: UserOptions): string;
  /** Whether clients can reach it; a port listens only while they can. Default: always. */
  readonly reachability?: Reachability;
  /** Whether web pages of an origin may use it. Default: they may not. */
  allowsOrigin?(origin: string): boolean;
  /** Publishes an open port to clients of the cluster. The result withdraws it. Default: ports are not published. */
  advertise?(port: OpenPort): () => void;
  /** The control API for a port of the cluster. Default: none. */
  control?(port: ControlPort): Control;
}

/** What the control API needs from the port that serves it. */
export interface ControlPort {
  /** Serves a fork of the cluster on another port; 0 picks a free one. */
  readonly open: (fork: Served, port: number) => Promise<ForkPort>;
  /** Runs an action that closes connections, after the responses in flight have been sent. */
  readonly afterResponses: (action: () => void) => void;
}

/** The port of a fork. */
export interface ForkPort {
  readonly url: string;
  /** The PEM of the server's authority; empty without TLS. */
  readonly caCertificate: string;
  /** The YAML of an administrator's kubeconfig. */
  kubeconfig(): string;
  close(): Promise<void>;
}

/** The control API of one port. */
export interface Control {
  /** Answers requests of the administrator to the control API, and passes all others to the cluster. */
  readonly handler: Handler;
  /** Closes the forks that it has opened. */
  close(): Promise<void>;
}
