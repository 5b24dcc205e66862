import { describe, expect, test } from "vitest";
import { type GoUrl, parseGoUrl, requestUriError } from "./go-url.ts";

const nothing: Omit<GoUrl, "path"> = { scheme: "", host: "", user: undefined, query: "", fragment: "" };

describe("a URL that Go parses", () => {
  test.each<[string, Partial<GoUrl>]>([
    ["", {}],
    ["https://h/p", { scheme: "https", host: "h" }],
    ["HTTPS://h:80", { scheme: "https", host: "h:80" }],
    ["https://h:", { scheme: "https", host: "h:" }],
    ["https://[::1]:80/", { scheme: "https", host: "[::1]:80" }],
    ["https://[fe80::1%25en0]/", { scheme: "https", host: "[fe80::1%25en0]" }],
    ["https://me:pw@h/p", { scheme: "https", host: "h", user: "me:pw" }],
    ["https://@h", { scheme: "https", host: "h", user: "" }],
    ["https://a@b@h", { scheme: "https", host: "h", user: "a@b" }],
    ["https://h/p?q=1#f", { scheme: "https", host: "h", query: "q=1", fragment: "f" }],
    ["https://h?q?r", { scheme: "https", host: "h", query: "q?r" }],
    ["https://ä.de", { scheme: "https", host: "ä.de" }],
    ["mailto:a@b", { scheme: "mailto" }],
    ["https:h", { scheme: "https" }],
    ["//h/p", { host: "h" }],
    ["///p", {}],
    ["/p:q", {}],
    ["1a/b", {}],
    ["*", {}],
  ])("%j", (text, parts) => {
    expect(parseGoUrl(text)).toMatchObject({ ...nothing, ...parts });
  });

  test.each([
    ["https://h/p%20q?r#s", "/p%20q"],
    ["https://h", ""],
    ["/p:q", "/p:q"],
    ["p/q", "p/q"],
    ["///p", "///p"],
    ["mailto:a@b", ""],
  ])("has the path of %s", (text, path) => {
    expect(parseGoUrl(text).path).toBe(path);
  });
});

describe("a URL that Go rejects", () => {
  test.each([
    ["a\nb", 'parse "a\\nb": net/url: invalid control character in URL'],
    [":x", 'parse ":x": missing protocol scheme'],
    ["1a:b/c", 'parse "1a:b/c": first path segment in URL cannot contain colon'],
    ["https://h:x/", 'parse "https://h:x/": invalid port ":x" after host'],
    ["https://[::1]x", 'parse "https://[::1]x": invalid port "x" after host'],
    ["https://[::1", `parse "https://[::1": missing ']' in host`],
    ["https://a b/", 'parse "https://a b/": invalid character " " in host name'],
    ["https://a%20b/", 'parse "https://a%20b/": invalid URL escape "%20"'],
    ["https://h/%zz1", 'parse "https://h/%zz1": invalid URL escape "%zz"'],
    ["https://h/%", 'parse "https://h/%": invalid URL escape "%"'],
    ["https://a b@h", 'parse "https://a b@h": net/url: invalid userinfo'],
    ["https://h#%q", 'parse "https://h#%q": invalid URL escape "%q"'],
    ["https://h:x#f", 'parse "https://h:x": invalid port ":x" after host'],
  ])("%j", (text, message) => {
    expect(() => parseGoUrl(text)).toThrow(new RangeError(message));
  });
});

/** The errors of Go 1.19's `url.ParseRequestURI` for the same texts. */
test.each<[string, string | undefined]>([
  ["https://h/p?a=1#f", undefined],
  ["https://h/a#b?c=1", undefined],
  ["/a#b", undefined],
  ["mailto:a@b", undefined],
  ["//x y", undefined],
  ["*", undefined],
  ["", 'parse "": empty url'],
  ["a/b", 'parse "a/b": invalid URI for request'],
  ["a b:c", 'parse "a b:c": invalid URI for request'],
  ["https://h#f", 'parse "https://h#f": invalid character "#" in host name'],
  ["http://a%2", 'parse "http://a%2": invalid URL escape "%2"'],
  [
    "https://[fe80::1%25en%20 0]/",
    'parse "https://[fe80::1%25en%20 0]/": invalid character " " in host name',
  ],
  ["https://[fe80::1%25en%200]/", undefined],
  ["http://[::1%25%41%zz]/", 'parse "http://[::1%25%41%zz]/": invalid URL escape "%zz"'],
])("the URL of a request %j", (text, error) => {
  expect(requestUriError(text)).toBe(error);
});
