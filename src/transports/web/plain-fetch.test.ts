import fc from "fast-check";
import { expect, test } from "vitest";
import { decode } from "../../../test/transports/fake-cluster.ts";
import type { ApiRequest } from "../../request/handler.ts";
import { plainFetch } from "./plain-fetch.ts";
import type { SentRequest } from "./web-exchange.ts";
import { sentRequest, targetOf } from "./web-request.ts";

const url = "https://cluster.test/api/v1/pods?limit=1#part";

/** What a server sees of a request. */
async function seen(request: ApiRequest): Promise<unknown> {
  const { method, target, headers } = request;
  const names = headers.startingWith("").map(([name]) => name);
  const values = ["host", ...names].map((name) => [name, headers.get(name), headers.getAll(name)] as const);
  return { method, target, values: Object.fromEntries(values), body: decode(await request.body(1e6)) };
}

const received = (sent: SentRequest | undefined) => sent && seen(sent.request);

const byRequest = (input: string | URL, init: RequestInit) => {
  const request = new Request(input, init);
  return received(sentRequest(request, targetOf(request.url)));
};

const names = [
  "Accept",
  "authorization",
  "Content-Type",
  "User-Agent",
  "Impersonate-User",
  "X-Other",
  "Cookie",
];
const value = fc.oneof(
  fc.constantFrom("application/json", "Bearer a.b_c", "a  b", " a", "é", ""),
  fc.string(),
);
const record = fc.dictionary(fc.constantFrom(...names), value);
const pairs = fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 3 });
const init = fc.record(
  {
    method: fc.constantFrom(
      "GET",
      "HEAD",
      "POST",
      "PUT",
      "PATCH",
      "DELETE",
      "OPTIONS",
      "get",
      "patch",
      "TRACE",
    ),
    headers: fc.oneof(record, pairs),
    body: fc.constantFrom("", "{}", "é\ud800", null),
    redirect: fc.constantFrom("error" as const),
  },
  { requiredKeys: [] },
);
const input = fc.constantFrom(
  url,
  "HTTP://Cluster.Test:80/a b?q=é",
  "https://cluster.test",
  "https://user@cluster.test/",
  "https://",
  "/api",
  "ftp://cluster.test/",
);

test("a plain request is what a Request would be", async () => {
  const isSame = fc.asyncProperty(input, init, async (input, init) => {
    const plain = plainFetch(input, init);
    if (plain === undefined) return;
    expect(plain.url).toBe(new URL(input).href);
    expect(await received(plain)).toEqual(await byRequest(input, init));
  });
  await fc.assert(isSame, { numRuns: 2000 });
});

test.each<[string, string | URL, RequestInit]>([
  ["a string", url, {}],
  ["a URL", new URL(url), { method: "DELETE", body: null }],
  ["a record of headers", url, { headers: { Accept: "application/json", Authorization: "Bearer a" } }],
  ["Headers", url, { headers: new Headers([["Impersonate-User", "alice"]]) }],
  ["pairs of headers", url, { headers: [["User-Agent", "a b"]] }],
  ["a text", url, { method: "POST", body: "{}" }],
  ["a text with a type", url, { method: "PUT", body: "{}", headers: { "content-type": "application/json" } }],
])("%s needs no Request", async (_title, input, init) => {
  const plain = plainFetch(input, init);
  expect(plain).toBeDefined();
  expect(await received(plain)).toEqual(await byRequest(input, init));
});

test.each<[string, string, RequestInit]>([
  ["a relative URL", "/api", {}],
  ["credentials in the URL", "https://user@cluster.test/", {}],
  ["a method in lower case", url, { method: "post" }],
  ["a header that browsers forbid", url, { headers: { Host: "other" } }],
  ["a header of the client's own", url, { headers: { "X-Own": "a" } }],
  [
    "a repeated header",
    url,
    {
      headers: [
        ["Accept", "a"],
        ["accept", "b"],
      ],
    },
  ],
  ["a pair of three", url, { headers: [["Accept", "a", "b"]] as never }],
  ["a value to trim", url, { headers: { Accept: " a" } }],
  ["a value in UTF-8", url, { headers: { Accept: "é" } }],
  ["bytes", url, { method: "POST", body: new Uint8Array(1) }],
  ["a GET with a body", url, { body: "a" }],
  ["another option", url, { redirect: "error" }],
])("Request reads %s", (_title, input, init) => {
  expect(plainFetch(input, init)).toBeUndefined();
});

test("the signal of the client is kept", () => {
  const { signal } = new AbortController();
  expect(plainFetch(url, { signal })?.signal).toBe(signal);
  expect(plainFetch(url, {})?.signal).toBeUndefined();
});
