import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { plainRequest, readResponseBody } from "../../request/plain-request.ts";
import type { RequestContext } from "../../request/request-context.ts";
import type { EndpointResponse } from "../contract/endpoint-response.ts";
import { serveDebugFlags } from "./debug-flags.ts";
import { emptyProfile } from "./empty-profile.ts";
import { serveLogs } from "./logs.ts";
import { servePprof } from "./pprof.ts";

/** What the pages for debugging read of a request. */
function contextOf(target: string, method = "GET", body = ""): RequestContext {
  const [path = "", query] = target.split("?");
  const request = plainRequest({ method, target, body: new TextEncoder().encode(body) });
  // The pages read nothing else.
  const context: Partial<RequestContext> = { path, request, now: 1, query: new URLSearchParams(query) };
  return context as RequestContext;
}

async function shown({ status, headers, body }: EndpointResponse) {
  return { status, headers: Object.fromEntries(headers), text: decoded(await readResponseBody(body)) };
}

const decoded = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const nosniff = { "X-Content-Type-Options": "nosniff" };

describe("the verbosity of the log", () => {
  const put = async (text: string) => shown(await serveDebugFlags(contextOf("/debug/flags/v", "PUT", text)));
  const headers = { "Content-Type": "text/plain", ...nosniff };

  test.each(["0", "4", "+7", "-1", "2147483647", "-2147483647"])("may be %s", async (text) => {
    expect(await put(text)).toEqual({
      status: 200,
      headers,
      text: `successfully set klog.logging.verbosity to ${text}\n`,
    });
  });

  test.each([
    ["", "invalid syntax"],
    ["x", "invalid syntax"],
    ["1x", "invalid syntax"],
    ["x1", "invalid syntax"],
    ["1.5", "invalid syntax"],
    ["2147483648", "value out of range"],
    ["-99999999999", "value out of range"],
    ["+99999999999", "value out of range"],
  ])("cannot be %j: %s", async (text, problem) => {
    expect(await put(text)).toEqual({
      status: 400,
      headers,
      text: `failed set klog.logging.verbosity ${text}: strconv.ParseInt: parsing "${text}": ${problem}\n`,
    });
  });

  test("is only set, and the paths beside it are a page", async () => {
    expect(await shown(await serveDebugFlags(contextOf("/debug/flags/v")))).toEqual({
      status: 406,
      headers,
      text: "unsupported http method\n",
    });
    for (const path of ["/debug/flags", "/debug/flags/", "/debug/flags/x"]) {
      const { status, headers: ofPage, text } = await shown(await serveDebugFlags(contextOf(path, "PUT")));
      expect([status, ofPage]).toEqual([200, { "Content-Type": "text/html; charset=utf-8" }]);
      expect(text).toMatch(
        /^<html>\n<head>\n<title>\/debug\/flags\/<\/title>[\s\S]*<tr>v<br>[\s\S]*<\/html>\n$/,
      );
    }
  });
});

describe("the directory of logs", () => {
  const get = (path: string) => shown(serveLogs(contextOf(path)));

  test("is found with a slash, and empty", async () => {
    expect(await get("/logs")).toEqual({ status: 301, headers: { Location: "logs/" }, text: "" });
    expect(await get("/logs/")).toEqual({
      status: 200,
      headers: { "Content-Type": "text/html; charset=utf-8" },
      text: '<!doctype html>\n<meta name="viewport" content="width=device-width">\n<pre>\n</pre>\n',
    });
  });

  test.each([
    ["/logs/syslog", "404 page not found\n"],
    [`/logs/${"a".repeat(255)}`, "404 page not found\n"],
    [`/logs/${"a".repeat(200)}/${"b".repeat(200)}`, "404 page not found\n"],
    [`/logs/${"a".repeat(256)}`, "file not found\n"],
    [`/logs/a/${"é".repeat(128)}`, "file not found\n"],
  ])("has no file %s", async (path, text) => {
    expect(await get(path)).toEqual({
      status: 404,
      headers: { "Content-Type": "text/plain; charset=utf-8", ...nosniff },
      text,
    });
  });

  test("is only read", () => {
    expect(() => serveLogs(contextOf("/logs/", "POST"))).toThrow(expect.objectContaining({ code: 405 }));
  });
});

describe("a profile", () => {
  const get = async (path: string) => servePprof(contextOf(`/debug/pprof/${path}`));

  test.each([
    ["allocs", "heap profile: 0: 0 [0: 0] @ heap/1048576\n"],
    ["block", "--- contention:\ncycles/second=1000000000\n"],
    ["goroutine", "goroutine profile: total 0\n"],
    ["heap", "heap profile: 0: 0 [0: 0] @ heap/1048576\n"],
    ["mutex", "--- mutex:\ncycles/second=1000000000\nsampling period=0\n"],
    ["threadcreate", "threadcreate profile: total 0\n"],
  ])("%s is text on demand", async (name, text) => {
    const headers = { "Content-Type": "text/plain; charset=utf-8", ...nosniff };
    expect(await shown(await get(`${name}?debug=1`))).toEqual({ status: 200, headers, text });
    for (const query of ["", "?debug=0", "?debug=a"]) {
      const binary = await get(name + query);
      expect(Object.fromEntries(binary.headers)).toEqual({
        "Content-Type": "application/octet-stream",
        "Content-Disposition": `attachment; filename="${name}"`,
        ...nosniff,
      });
    }
  });

  const memory = "alloc_objects/count alloc_space/bytes inuse_objects/count inuse_space/bytes";
  const contention = "contentions/count delay/nanoseconds";

  test.each([
    ["allocs", memory],
    ["block", contention],
    ["goroutine", "goroutine/count"],
    ["heap", memory],
    ["mutex", contention],
    ["threadcreate", "threadcreate/count"],
    ["profile", "samples/count cpu/nanoseconds"],
  ])("%s counts %s", async (name, samples) => {
    const { status, body } = await get(name);
    const types = samples.split(" ").map((text): [string, string] => {
      const [type = "", unit = ""] = text.split("/");
      return [type, unit];
    });
    const profile = gunzipSync(await readResponseBody(body));
    expect([status, [...profile]]).toEqual([200, [...emptyProfile(types, 1)]]);
  });

  test("that is a trace has a head alone", async () => {
    expect(await shown(await get("trace"))).toMatchObject({ status: 200, text: "go 1.22 trace\0\0\0" });
  });

  test("that is a symbol has none", async () => {
    expect(await shown(await get("symbol"))).toEqual({
      status: 200,
      headers: { "Content-Type": "text/plain; charset=utf-8", ...nosniff },
      text: "num_symbols: 1\n",
    });
  });

  test("that does not exist is not found", async () => {
    expect(await shown(await get("nope"))).toEqual({
      status: 404,
      headers: { "Content-Type": "text/plain; charset=utf-8", ...nosniff, "X-Go-Pprof": "1" },
      text: "Unknown profile\n",
    });
  });

  test("has a link on the index, as text unless it takes time", async () => {
    const { status, headers, text } = await shown(await get(""));
    expect([status, headers]).toEqual([200, { "Content-Type": "text/html; charset=utf-8", ...nosniff }]);
    expect(
      [...text.matchAll(/<a href='([^']+)'>([^<]+)<\/a><\/td><\/tr>\n/g)].map(([, link]) => link),
    ).toEqual([
      "allocs?debug=1",
      "block?debug=1",
      "goroutine?debug=1",
      "heap?debug=1",
      "mutex?debug=1",
      "profile?debug=0",
      "threadcreate?debug=1",
      "trace?debug=0",
    ]);
    expect(text).toMatch(/^<html>\n<head>\n<title>\/debug\/pprof\/<\/title>\n<\/head>\n[\s\S]*<\/html>$/);
    expect(text).toMatch(/<\/thead>\n(?:<tr>.*<\/tr>\n){8}<\/table>\n/);
    expect(text).toContain('</table>\n<a href="goroutine?debug=2">full goroutine stack dump</a>\n');
  });

  test("is a message of protobuf with its types, texts, time and period", () => {
    const text = (value: string) => [0x32, value.length, ...Buffer.from(value)];
    expect([
      ...emptyProfile(
        [
          ["a", "b"],
          ["c", "d".repeat(128)],
        ],
        1,
      ),
    ]).toEqual([
      ...[0x0a, 4, 0x08, 1, 0x10, 2],
      ...[0x0a, 4, 0x08, 3, 0x10, 4],
      ...text(""),
      ...text("a"),
      ...text("b"),
      ...text("c"),
      ...[0x32, 0x80, 0x01, ...Buffer.from("d".repeat(128))],
      // 1,000,000 nanoseconds in groups of seven bits.
      ...[0x48, 0xc0, 0x84, 0x3d],
      ...[0x5a, 4, 0x08, 3, 0x10, 4],
      ...[0x60, 1],
    ]);
    expect([...emptyProfile([["a", "b"]], 0)].slice(-10)).toEqual([
      0x48, 0, 0x5a, 4, 0x08, 1, 0x10, 2, 0x60, 1,
    ]);
  });
});
