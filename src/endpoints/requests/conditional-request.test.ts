import { expect, test } from "vitest";
import { plainRequest } from "../../request/plain-request.ts";
import { preconditionStatus } from "./conditional-request.ts";

const etag = '"A1"';
const lastModified = Date.UTC(2026, 10, 20, 12, 0, 0, 900);
const then = "Fri, 20 Nov 2026 12:00:00 GMT";
const before = "Fri, 20 Nov 2026 11:59:59 GMT";

test.each<[headers: Readonly<Record<string, string>>, ofGet: 304 | 412 | undefined, ofPost: 412 | undefined]>(
  [
    [{}, undefined, undefined],
    [{ "if-none-match": '"A1"' }, 304, 412],
    [{ "if-none-match": 'W/"A1"' }, 304, 412],
    [{ "if-none-match": '"x", W/"y" ,"A1"' }, 304, 412],
    [{ "if-none-match": "*" }, 304, 412],
    [{ "if-none-match": " * " }, 304, 412],
    [{ "if-none-match": '"a1"' }, undefined, undefined],
    [{ "if-none-match": "A1" }, undefined, undefined],
    [{ "if-none-match": "" }, undefined, undefined],
    [{ "if-modified-since": then }, 304, undefined],
    [{ "if-modified-since": before }, undefined, undefined],
    [{ "if-modified-since": "yesterday" }, undefined, undefined],
    // If-None-Match takes precedence over If-Modified-Since.
    [{ "if-none-match": '"x"', "if-modified-since": then }, undefined, undefined],
    [{ "if-match": '"A1"' }, undefined, undefined],
    [{ "if-match": "*" }, undefined, undefined],
    [{ "if-match": 'W/"A1"' }, 412, 412],
    [{ "if-match": '"x"', "if-none-match": '"A1"' }, 412, 412],
    [{ "if-unmodified-since": then }, undefined, undefined],
    [{ "if-unmodified-since": before }, 412, 412],
    [{ "if-match": '"A1"', "if-unmodified-since": before }, undefined, undefined],
  ],
)("%j is %s for a GET and %s for a POST", (headers, ofGet, ofPost) => {
  const statusOf = (method: string) =>
    preconditionStatus(plainRequest({ method, target: "/", headers: new Map(Object.entries(headers)) }), {
      etag,
      lastModified,
    });
  expect([statusOf("GET"), statusOf("HEAD"), statusOf("POST")]).toEqual([ofGet, ofGet, ofPost]);
});
