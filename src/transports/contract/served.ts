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
  /** Publishes an open port to clients of the cluster. The result withdraws it. Default: ports are not published. */
  advertise?(port: OpenPort): () => void;
}
