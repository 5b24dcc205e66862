import type { UserInfo } from "../apimachinery/user-info.ts";
import type { ApiRequest } from "./handler.ts";
import type { Peer } from "./peer.ts";
import type { QueryParameters } from "./query-parameters.ts";
import type { RequestInfo } from "./request-info.ts";
import type { RequestNotes } from "./request-notes.ts";
import type { RoutedRequest } from "./routed-request.ts";

/** What is known about a request that the pipeline has let through; made once and complete. */
export interface RequestContext<Info extends RequestInfo = RequestInfo> {
  readonly request: ApiRequest;
  readonly peer: Peer;
  readonly info: Info;
  /** The path, percent-decoded. */
  readonly path: string;
  readonly query: QueryParameters;
  readonly user: UserInfo;
  /** When it arrived, in milliseconds since the epoch. */
  readonly now: number;
  /** Adds a Warning header to the answer. */
  readonly warn: (text: string) => void;
  /** Reports what the request was routed to, for the metrics. */
  readonly observe: (route: RoutedRequest) => void;
  /** What goes to the log of requests; undefined for requests that are not logged. */
  readonly notes: RequestNotes | undefined;
}
