import { describe, expect, test } from "vitest";
import { type GoUrl, parseGoUrl } from "./go-url.ts";

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
