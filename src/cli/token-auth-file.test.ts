import { expect, test } from "vitest";
import { parseTokenAuthFile } from "./token-auth-file.ts";

test("a token file contains user, uid and groups", () => {
  const text = 't1,alice,1,"dev,ops"\nt2,bob,2\nt3,eve,3,one,ignored\n';
  const { tokens, warnings } = parseTokenAuthFile(text, "tokens.csv");
  expect(Object.fromEntries(tokens)).toEqual({
    t1: { name: "alice", uid: "1", groups: ["dev", "ops"], extra: {} },
    t2: { name: "bob", uid: "2", groups: [], extra: {} },
    t3: { name: "eve", uid: "3", groups: ["one"], extra: {} },
  });
  expect(warnings).toEqual([]);
});

test("an empty token is ignored and a later duplicate wins, with a warning", () => {
  const { tokens, warnings } = parseTokenAuthFile("t,a,1\n,b,2\nt,c,3\n", "tokens.csv");
  expect([...tokens.values()].map((user) => user.name)).toEqual(["c"]);
  expect(warnings).toEqual([
    "empty token has been found in token file 'tokens.csv', record number '2'",
    "duplicate token has been found in token file 'tokens.csv', record number '3'",
  ]);
});

test("a record needs a token, a user and a uid", () => {
  expect(() => parseTokenAuthFile("t,alice\n", "tokens.csv")).toThrow(
    "token file 'tokens.csv' must have at least 3 columns (token, user name, user uid), found 2",
  );
});
