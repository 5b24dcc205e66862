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

test.each([
  ["", 0],
  ["\n\r\n", 0],
  ["t,alice,1", 1],
  ["t,alice,1\r", 1],
  ['"t,1","ali""ce","1"\n', 1],
  ["# no comment,alice,1\n", 1],
])("%j has records", (text, count) => {
  const { tokens } = parseTokenAuthFile(text, "tokens.csv");
  expect(tokens.size).toBe(count);
  for (const { uid } of tokens.values()) expect(uid).toBe("1");
});

test("spaces, empty groups and quoted line breaks are kept as they are", () => {
  const { tokens } = parseTokenAuthFile(' t , alice , 1 , a\nu,bob,2,\nv,"e\nve",3\n', "f");
  expect([...tokens]).toEqual([
    [" t ", { name: " alice ", uid: " 1 ", groups: [" a"], extra: {} }],
    ["u", { name: "bob", uid: "2", groups: [""], extra: {} }],
    ["v", { name: "e\nve", uid: "3", groups: [], extra: {} }],
  ]);
});

const tooFew = "must have at least 3 columns (token, user name, user uid), found";
test.each([
  ["a record needs a token, a user and a uid", "t,alice\n", `${tooFew} 2 in line 1`],
  ["lines are counted with empty and quoted ones", 't,"a\nb",1\n\nsecret\n', `${tooFew} 1 in line 4`],
  ["a comment is a record", "t,a,1\n# tokens\n", `${tooFew} 1 in line 2`],
])("%s", (_title, text, problem) => {
  expect(() => parseTokenAuthFile(text, "tokens.csv")).toThrow(`token file 'tokens.csv' ${problem}`);
});

test.each([
  ['t,a"b,1\n', 'parse error on line 1, column 4: bare " in non-quoted field'],
  ['t,a,1\nt,b,2,"dev', 'parse error on line 2, column 11: extraneous or missing " in quoted-field'],
])("%j is no CSV, and the error tells no token", (text, problem) => {
  expect(() => parseTokenAuthFile(text, "tokens.csv")).toThrow(`token file 'tokens.csv': ${problem}`);
});
