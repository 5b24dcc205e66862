import { encodePrettyJson } from "../../codec/json/json.ts";
import type { EndpointResponse } from "../contract/endpoint-response.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import { listedPaths } from "./listed-paths.ts";

/** The document at `/`, which is always indented. */
export function serveIndex(environment: EndpointEnvironment): EndpointResponse {
  const body = new TextEncoder().encode(encodePrettyJson({ paths: listedPaths(environment) }));
  return { status: 200, headers: [["Content-Type", "application/json"]], body };
}
