import type { RequestContext } from "../../request/request-context.ts";
import type { EndpointResponse } from "../contract/endpoint-response.ts";
import { gzip } from "../responses/compression.ts";
import { emptyProfile, type ValueType } from "./empty-profile.ts";

/** The profiles of a Go process: their samples, and what they are in text, without any. */
const profiles: ReadonlyMap<string, { readonly samples: readonly ValueType[]; readonly text: string }> =
  new Map([
    ["allocs", { samples: memory(), text: "heap profile: 0: 0 [0: 0] @ heap/1048576\n" }],
    ["block", { samples: contention(), text: "--- contention:\ncycles/second=1000000000\n" }],
    ["goroutine", { samples: [["goroutine", "count"]], text: "goroutine profile: total 0\n" }],
    ["heap", { samples: memory(), text: "heap profile: 0: 0 [0: 0] @ heap/1048576\n" }],
    ["mutex", { samples: contention(), text: "--- mutex:\ncycles/second=1000000000\nsampling period=0\n" }],
    ["threadcreate", { samples: [["threadcreate", "count"]], text: "threadcreate profile: total 0\n" }],
  ]);

function memory(): readonly ValueType[] {
  return [
    ["alloc_objects", "count"],
    ["alloc_space", "bytes"],
    ["inuse_objects", "count"],
    ["inuse_space", "bytes"],
  ];
}

function contention(): readonly ValueType[] {
  return [
    ["contentions", "count"],
    ["delay", "nanoseconds"],
  ];
}

/**
 * Answers the paths below `/debug/pprof/` (apiserver, pkg/server/routes/profiling.go; Go, net/http/pprof). A double is no Go
 * process: its profiles are valid and have no samples, and none takes the time that it is asked to take.
 */
export async function servePprof({ path, query, now }: RequestContext): Promise<EndpointResponse> {
  const name = path.slice("/debug/pprof/".length);
  switch (name) {
    case "":
      return answer(200, [["Content-Type", "text/html; charset=utf-8"]], encoder.encode(indexPage()));
    case "symbol":
      return answer(200, plain, encoder.encode("num_symbols: 1\n"));
    case "profile":
      return profile(name, [["samples", "count"], cpu], now);
    case "trace":
      // Only the head of a trace, which states its version.
      return attachment(name, encoder.encode("go 1.22 trace\0\0\0"));
  }
  const known = profiles.get(name);
  if (known === undefined) {
    return answer(404, [...plain, ["X-Go-Pprof", "1"]], encoder.encode("Unknown profile\n"));
  }
  const isText = Number.parseInt(query.get("debug") ?? "", 10) > 0;
  return isText ? answer(200, plain, encoder.encode(known.text)) : profile(name, known.samples, now);
}

const encoder = new TextEncoder();
const plain: EndpointResponse["headers"] = [["Content-Type", "text/plain; charset=utf-8"]];
const cpu: ValueType = ["cpu", "nanoseconds"];

async function profile(name: string, samples: readonly ValueType[], now: number): Promise<EndpointResponse> {
  return attachment(name, await gzip([emptyProfile(samples, now)]));
}

function attachment(name: string, body: EndpointResponse["body"]): EndpointResponse {
  const headers: EndpointResponse["headers"] = [
    ["Content-Type", "application/octet-stream"],
    ["Content-Disposition", `attachment; filename="${name}"`],
  ];
  return answer(200, headers, body);
}

function answer(
  status: number,
  headers: EndpointResponse["headers"],
  body: EndpointResponse["body"],
): EndpointResponse {
  return { status, headers: [["X-Content-Type-Options", "nosniff"], ...headers], body };
}

function indexPage(): string {
  const row = (name: string): string =>
    `<tr><td>0</td><td><a href='${name}?debug=${profiles.has(name) ? "1" : "0"}'>${name}</a></td></tr>\n`;
  const names = [...profiles.keys(), "profile", "trace"].sort();
  return (
    "<html>\n<head>\n<title>/debug/pprof/</title>\n</head>\n<body>\n/debug/pprof/\n<br>\n<br>\n" +
    `Types of profiles available:\n<table>\n<thead><td>Count</td><td>Profile</td></thead>\n${names.map(row).join("")}` +
    '</table>\n<a href="goroutine?debug=2">full goroutine stack dump</a>\n<br>\n</body>\n</html>'
  );
}
