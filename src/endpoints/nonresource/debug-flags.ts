import { readBody } from "../../codec/media-types/request-body.ts";
import type { RequestContext } from "../../request/request-context.ts";
import type { EndpointResponse } from "../contract/endpoint-response.ts";

/**
 * Answers `/debug/flags` and the paths below it (apiserver, pkg/server/routes/flags.go). A double logs nothing, so setting the
 * verbosity with a number has no further effect.
 */
export async function serveDebugFlags({ path, request }: RequestContext): Promise<EndpointResponse> {
  if (path !== "/debug/flags/v")
    return { status: 200, headers: htmlHeaders, body: encoder.encode(indexPage) };
  if (request.method !== "PUT") return plain(406, "unsupported http method");
  const text = new TextDecoder().decode(await readBody(request));
  if (isInteger(text)) return plain(200, `successfully set klog.logging.verbosity to ${text}`);
  const problem = /^[+-]?[0-9]+$/.test(text) ? "value out of range" : "invalid syntax";
  return plain(
    400,
    `failed set klog.logging.verbosity ${text}: strconv.ParseInt: parsing ${JSON.stringify(text)}: ${problem}`,
  );
}

const encoder = new TextEncoder();
const htmlHeaders: EndpointResponse["headers"] = [["Content-Type", "text/html; charset=utf-8"]];
const largestVerbosity = 2 ** 31 - 1;

/** A 32-bit integer, as klog parses its level. */
function isInteger(text: string): boolean {
  return /^[+-]?[0-9]+$/.test(text) && Math.abs(Number(text)) <= largestVerbosity;
}

const indexPage =
  "<html>\n<head>\n<title>/debug/flags/</title>\n</head>\n<body>\n/debug/flags/<br>\n<br>\n" +
  "flags:<br>\n<table>\n\n<tr>v<br>\n\n</table>\n<br>\nfull flags configurable<br>\n</body>\n</html>\n";

function plain(status: number, text: string): EndpointResponse {
  const headers: EndpointResponse["headers"] = [
    ["Content-Type", "text/plain"],
    ["X-Content-Type-Options", "nosniff"],
  ];
  return { status, headers, body: encoder.encode(`${text}\n`) };
}
