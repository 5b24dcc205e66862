import type { UserOptions } from "../../apimachinery/user-info.ts";
import type { Handler } from "../../request/handler.ts";
import type { Reachability } from "../../request/reachability.ts";

/** What transports need from a cluster. */
export interface Served {
  readonly handler: Handler;
  /** A bearer token that authenticates as an administrator of the cluster. */
  adminToken(): string;
  /** A bearer token that authenticates as this user. */
  token(name: string, options?: UserOptions): string;
  /** Whether clients can reach it; a port listens only while they can. Default: always. */
  readonly reachability?: Reachability;
}
