import { expect, test } from "vitest";
import { originPattern } from "./cross-origin.ts";

test.each<[string, string, readonly string[], readonly string[]]>([
  [
    "one origin",
    "^https://dashboard\\.example\\.com$",
    ["https://dashboard.example.com"],
    [
      "https://dashboardXexample.com",
      "https://dashboard.example.com.evil.test",
      "http://dashboard.example.com",
    ],
  ],
  [
    "any port of the loopback",
    "^https?://(localhost|127\\.0\\.0\\.1)(:\\d+)?$",
    ["http://localhost:5173", "https://127.0.0.1"],
    ["http://localhost.evil.test"],
  ],
  [
    "any subdomain",
    "//[a-z0-9.-]+\\.example\\.com(:|$)",
    ["https://a.b.example.com:8443"],
    ["https://example.com"],
  ],
  ["both cases", "(?i)^https://example\\.com$", ["https://EXAMPLE.com"], ["https://example.org"]],
  [
    "repeated labels",
    "^https://(a\\.)*example\\.com$",
    ["https://a.a.example.com"],
    ["https://b.example.com"],
  ],
  ["a class with a hyphen", "^x://[a\\-z]{2}$", ["x://-a"], ["x://b-"]],
])("a pattern for %s", (_what, text, matching, others) => {
  const pattern = originPattern(text, "--cors-allowed-origins");
  expect(matching.filter((origin) => pattern.test(origin))).toEqual(matching);
  expect(others.filter((origin) => pattern.test(origin))).toEqual([]);
});

const unpinned = "regular expression does not pin to start/end of host in the origin header";
const slow = "a repeated group with repetitions or alternatives is not supported";

test.each<[string, string]>([
  [".*", unpinned],
  ["example.com$", unpinned],
  ["^(a+)+$", slow],
  ["^((a|b)c)*$", slow],
  ["^(a+){2,}$", slow],
  ["^(a?){30}a$", slow],
  ["^[]a]$", "[]a] is not supported"],
  ["^(?=a)a$", "(?= is not supported"],
  ["^(?P<name>a)$", "(?P< is not supported"],
  ["^(a)\\1$", "\\1 is not supported"],
  ["\\Ahttps://a\\z$", "\\A is not supported"],
  ["^[[:alpha:]]$", "[[:alpha:]] is not supported"],
  ["^($", "Unterminated group"],
])("the pattern %s is refused", (text, reason) => {
  expect(() => originPattern(text, "--cors-allowed-origins")).toThrow(
    `--cors-allowed-origins has an invalid regular expression: ${JSON.stringify(text)}: `,
  );
  expect(() => originPattern(text, "--cors-allowed-origins")).toThrow(reason);
});
