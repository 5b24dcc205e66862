import { expect, test } from "vitest";
import { addDomainPrefixedPathErrors } from "./domain-prefixed-path.ts";
import { collectErrors } from "./findings.ts";

const notPrefixed = 'must be a domain-prefixed path (such as "acme.io/foo")';

test.each<[text: string, bodies: readonly string[]]>([
  ["acme.io/foo", []],
  ["acme.io/foo/bar", []],
  ["", ["Required value"]],
  ["foo", [`Invalid value: "foo": ${notPrefixed}`]],
  ["/foo", [`Invalid value: "/foo": ${notPrefixed}`]],
  ["acme.io/", [`Invalid value: "acme.io/": ${notPrefixed}`]],
  [
    "acme.io/a b",
    [
      "Invalid value: \"a b\": Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')",
    ],
  ],
])("%s", (text, bodies) => {
  expect(
    collectErrors((errors) => addDomainPrefixedPathErrors(errors, text, "spec.controller")).map(
      ({ body }) => body,
    ),
  ).toEqual(bodies);
});
