import type { RequestContext } from "../../request/request-context.ts";
import type { EndpointResponse } from "../contract/endpoint-response.ts";

/**
 * Answers the paths below `/debug/pprof/` (apiserver, pkg/server/routes/profiling.go; Go, net/http/pprof). A double has
 * none of the profiles of a Go process: the index is empty, no profile is known, and profiling cannot be started.
 */
export function servePprof({ path }: RequestContext): EndpointResponse {
  switch (path.slice("/debug/pprof/".length)) {
    case "":
      return answer(200, "text/html; charset=utf-8", indexPage);
    case "symbol":
      return answer(200, "text/plain; charset=utf-8", "num_symbols: 1\n");
    case "profile":
      return failure(500, "Could not enable CPU profiling: cpu profiling already in use\n");
    case "trace":
      return failure(500, "Could not enable tracing: tracing is already enabled\n");
    default:
      return failure(404, "Unknown profile\n");
  }
}

const indexPage =
  "<html>\n<head>\n<title>/debug/pprof/</title>\n</head>\n<body>\n/debug/pprof/\n<br>\n<br>\n" +
  "Types of profiles available:\n<table>\n<thead><td>Count</td><td>Profile</td></thead>\n</table>\n</body>\n</html>";

function answer(status: number, type: string, text: string): EndpointResponse {
  const headers: (readonly [string, string])[] = [
    ["X-Content-Type-Options", "nosniff"],
    ["Content-Type", type],
  ];
  return { status, headers, body: new TextEncoder().encode(text) };
}

function failure(status: number, text: string): EndpointResponse {
  const { headers, ...rest } = answer(status, "text/plain; charset=utf-8", text);
  return { ...rest, headers: [...headers, ["X-Go-Pprof", "1"]] };
}
