import type { UserInfo } from "../apimachinery/user-info.ts";
import type { ApiRequest } from "./handler.ts";
import type { Peer } from "./peer.ts";
import type { RequestInfo } from "./request-info.ts";
import type { RoutedRequest } from "./routed-request.ts";

/** What is known of a request once the pipeline has let it through; made once and complete. */
export interface RequestContext<Info extends RequestInfo = RequestInfo> {
  readonly request: ApiRequest;
  readonly peer: Peer;
  readonly info: Info;
  /** The path, percent-decoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly user: UserInfo;
  /** When it came, in milliseconds since the epoch. */
  readonly now: number;
  /** Adds a Warning header to the answer. */
  readonly warn: (text: string) => void;
  /** What answers a delete that leaves nothing behind; what the kind says if undefined. */
  readonly deleteReturns: "object" | "status" | undefined;
  /** Says what the request was routed to; whoever has let it through counts it by its answer. */
  readonly observe: (route: RoutedRequest) => void;
}
