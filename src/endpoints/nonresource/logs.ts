import { genericServerResponse } from "../../apimachinery/errors/errors.ts";
import type { RequestContext } from "../../request/request-context.ts";
import { type EndpointResponse, pageNotFound, plainText } from "../contract/endpoint-response.ts";

/** The longest name of a file on its systems, in bytes. */
const longestName = 255;

/**
 * Answers `/logs` and the paths below it (apiserver, pkg/server/routes/logs.go; Go, net/http/fs.go). A double has no files: the
 * directory is empty, and nothing of this machine is read.
 * @throws {StatusError} the router's 405
 */
export function serveLogs({ path, request }: RequestContext): EndpointResponse {
  if (request.method !== "GET") throw genericServerResponse(405);
  const file = path.slice("/logs".length);
  if (file === "") return { status: 301, headers: [["Location", "logs/"]], body: undefined };
  if (file === "/") {
    const headers = [["Content-Type", "text/html; charset=utf-8"]] as const;
    return { status: 200, headers, body: new TextEncoder().encode(emptyDirectory) };
  }
  const names = file.split("/");
  const isTooLong = names.some((name) => new TextEncoder().encode(name).length > longestName);
  return isTooLong ? plainText(404, "file not found\n") : pageNotFound();
}

const emptyDirectory =
  '<!doctype html>\n<meta name="viewport" content="width=device-width">\n<pre>\n</pre>\n';
