import type { Handler } from "../request/handler.ts";

/** What the transports need of a cluster. */
export interface Served {
  readonly handler: Handler;
  /** A bearer token that authenticates as an administrator of the cluster. */
  adminToken(): string;
}
