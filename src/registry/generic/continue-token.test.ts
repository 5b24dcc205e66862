import { describe, expect, test } from "vitest";
import { StatusError } from "../../apimachinery/errors/errors.ts";
import { decodeContinueToken, encodeContinueToken } from "./continue-token.ts";

function tokenOf(text: string): string {
  return Buffer.from(text).toString("base64url");
}

function refusalOf(token: string): string {
  try {
    decodeContinueToken(token);
  } catch (error) {
    if (error instanceof StatusError) return `${error.code} ${error.message}`;
    throw error;
  }
  return "";
}

test.each([
  [{ revision: 7, start: "a\0" }, '{"v":"meta.k8s.io/v1","rv":7,"start":"a\\u0000"}'],
  [
    { revision: -1, start: "n/<&>\0" },
    '{"v":"meta.k8s.io/v1","rv":-1,"start":"n/\\u003c\\u0026\\u003e\\u0000"}',
  ],
])("the token of %j is %s, and is decoded again", (content, text) => {
  const token = encodeContinueToken(content);
  expect(Buffer.from(token, "base64url").toString()).toBe(text);
  expect(token).not.toContain("=");
  expect(decodeContinueToken(token)).toEqual(content);
});

describe("a token of another origin", () => {
  const token = (rest: string) => tokenOf(`{"v":"meta.k8s.io/v1",${rest}}`);

  test.each([
    ["from the watch cache", token('"rv":5,"start":"/a\\u0000"'), { revision: 5, start: "a\0" }],
    ["that starts from the beginning", token('"rv":5,"start":"/"'), { revision: 5, start: "" }],
    ["with more than it needs", token('"rv":5,"start":"a","x":[]'), { revision: 5, start: "a" }],
    [
      "with a revision that is no safe integer",
      token('"rv":9007199254740993,"start":"a"'),
      { revision: 9007199254740992, start: "a" },
    ],
    ["with a duplicate key", token('"rv":4,"rv":5,"start":"a"'), { revision: 5, start: "a" }],
    [
      "of another collection",
      token('"rv":5,"start":"kube-system/x"'),
      { revision: 5, start: "kube-system/x" },
    ],
  ])("%s is accepted", (_title, text, content) => {
    expect(decodeContinueToken(text)).toEqual(content);
  });

  const unclean = (start: string): [string, string] => [
    token(`"rv":5,"start":${JSON.stringify(start)}`),
    start,
  ];
  test.each([
    ["!!", "illegal base64 data at input byte 0"],
    ["abcd=", "illegal base64 data at input byte 4"],
    [tokenOf("x"), "invalid character 'x' looking for beginning of value"],
    [tokenOf("{"), "unexpected end of JSON input"],
    [tokenOf("[]"), "json: cannot unmarshal array into Go value of type storage.continueToken"],
    [tokenOf('"a"'), "json: cannot unmarshal string into Go value of type storage.continueToken"],
    [tokenOf("null"), "server does not recognize this encoded version "],
    [tokenOf('{"v":1}'), "json: cannot unmarshal number into Go struct field continueToken.v of type string"],
    [token('"rv":"5"'), "json: cannot unmarshal string into Go struct field continueToken.rv of type int64"],
    [
      token('"rv":1.5'),
      "json: cannot unmarshal number 1.5 into Go struct field continueToken.rv of type int64",
    ],
    [
      token('"rv":5,"start":{}'),
      "json: cannot unmarshal object into Go struct field continueToken.start of type string",
    ],
    [
      tokenOf('{"v":"meta.k8s.io/v2","rv":5,"start":"a"}'),
      "server does not recognize this encoded version meta.k8s.io/v2",
    ],
    [token('"start":"a"'), "incorrect encoded start resourceVersion (version meta.k8s.io/v1)"],
    [token('"rv":5'), "encoded start key empty (version meta.k8s.io/v1)"],
    unclean("../../secrets/"),
    unclean("a/../b"),
    unclean("a/./b"),
    unclean("a//b"),
    unclean("a/"),
    unclean("//"),
  ])("%s is rejected: %s", (text, detail) => {
    expect(refusalOf(text)).toBe(`400 invalid continue token: continue key is not valid: ${detail}`);
  });
});
