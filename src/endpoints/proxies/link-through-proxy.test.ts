import { expect, test } from "vitest";
import { linkThroughProxy } from "./link-through-proxy.ts";

const prefix = "/api/v1/namespaces/default/services/web/proxy";
const source = { prefix, host: "10.0.0.1:8080", requestedHost: "localhost:8001" };

test.each([
  ["an absolute path", "/a/b?c=d#e", `${prefix}/a/b?c=d#e`],
  ["the root", "/", `${prefix}/`],
  ["a directory", "/a/", `${prefix}/a/`],
  ["a path through the proxy", `${prefix}/a`, `${prefix}/a`],
  ["a relative path", "a/b", "a/b"],
  ["a fragment", "#top", "#top"],
  ["nothing", "", ""],
  ["a query", "?a=b", "?a=b"],
  ["another scheme", "mailto:me@example.com", "mailto:me@example.com"],
  ["another host", "https://example.com/a", "https://example.com/a"],
  ["another host in the same scheme", "//example.com/a", "//example.com/a"],
  ["the proxied host", "http://10.0.0.1:8080/a", `${prefix}/a`],
  ["the requested host", "http://localhost:8001/a", `http://localhost:8001${prefix}/a`],
  ["the requested host in the same scheme", "//localhost:8001/a", `//localhost:8001${prefix}/a`],
  ["dots and slashes", "/a/../b//c/./d", `${prefix}/b/c/d`],
  ["dots beyond the root", "/../../x", `${prefix}/x`],
  ["escapes", "/a%20b%2Fc/é!", `${prefix}/a%20b/c/%C3%A9%21`],
  ["a wrong escape", "/a%zz", "/a%zz"],
  ["a control character", "/a\nb", "/a\nb"],
])("%s: %s", (_title, link, expected) => {
  expect(linkThroughProxy(link, source)).toBe(expected);
});

test.each([
  ["/services/https%3Aweb/proxy", "/services/https:web/proxy/a"],
  ["/services/a%20b/proxy", "/services/a%20b/proxy/a"],
  ["/services/%zz/proxy", "/services/%25zz/proxy/a"],
])("a link through the proxy %s leads to %s", (escaped, expected) => {
  expect(linkThroughProxy("/a", { ...source, prefix: escaped })).toBe(expected);
});
