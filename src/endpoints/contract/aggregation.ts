import type { RequestContext } from "../../request/request-context.ts";
import type { EndpointResponse } from "./endpoint-response.ts";
import type { EndpointEnvironment } from "./environment.ts";

/** A server in the process of the test, behind an APIService: a function as the web's fetch calls it. */
export type ApiServerFunction = (request: Request) => Response | Promise<Response>;

/** What answers for an APIService: a function, or the https URL of a server, such as "https://127.0.0.1:8443". */
export type ApiServerTarget = ApiServerFunction | string;

/** Answers the requests that other servers take part in. Upstream: kube-aggregator. */
export interface Aggregator {
  /** The answer; undefined for a request that concerns this server alone. */
  readonly answer: (
    context: RequestContext,
    environment: EndpointEnvironment,
  ) => Promise<EndpointResponse> | undefined;
  /** How often each APIService has become unavailable, by its labels. */
  readonly unavailable: ReadonlyMap<string, number>;
}

/** Whether other servers take part in the API. */
export interface Aggregation {
  /** Undefined as long as all APIServices are those that the server registers itself. */
  readonly aggregator: Aggregator | undefined;
}
