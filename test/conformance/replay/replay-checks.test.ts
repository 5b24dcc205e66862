import { describe, expect, test } from "vitest";
import { Bindings } from "./bindings.ts";
import { compare } from "./compare.ts";
import { parseTranscript } from "./exchange.ts";
import { compareHeaders, type RecordedExchange } from "./headers.ts";

const ids = ["1f0e5a52-0b7c-4c39-8a40-3a5b1f1a7c01", "2f0e5a52-0b7c-4c39-8a40-3a5b1f1a7c02"];
const [first = "", second = ""] = ids;

const places = (recorded: unknown, actual: unknown, bindings = new Bindings()) =>
  compare(recorded, actual, bindings).map(({ path }) => path);

describe("uids", () => {
  test("correspond one to one", () => {
    const bindings = new Bindings();
    expect(places([{ uid: "a" }, { uid: "a" }], [{ uid: first }, { uid: first }], bindings)).toEqual([]);
    expect(places({ uid: "a" }, { uid: second }, bindings)).toEqual(["uid"]);
    expect(places({ uid: "b" }, { uid: first }, bindings)).toEqual(["uid"]);
    expect(places({ uid: "b" }, { uid: second }, bindings)).toEqual([]);
    expect(places({ uid: "c" }, { uid: "c-no-uid" }, bindings)).toEqual(["uid"]);
  });
});

describe("node ports", () => {
  test("are exchanged in texts even if this server draws a port of the recorded one", () => {
    const bindings = new Bindings();
    const ports = (...all: number[]) => all.map((nodePort) => ({ nodePort }));
    expect(places(ports(31456, 30560), ports(30560, 31456), bindings)).toEqual([]);
    expect(bindings.translate("80:31456/TCP,81:30560/TCP")).toBe("80:30560/TCP,81:31456/TCP");
    expect(places("80:31456/TCP", "80:30560/TCP", bindings)).toEqual([]);
    expect(places("80:31456/TCP", "80:31456/TCP", new Bindings())).toEqual([]);
  });
});

test("the longest of the known values is exchanged, and none is a pattern", () => {
  const bindings = new Bindings();
  bindings.bind("name", "a.b", "x");
  bindings.bind("name", "a.b-c", "y");
  expect(bindings.translate("a.b a.b-c acb")).toBe("x y acb");
});

describe("revisions", () => {
  const object = (resourceVersion: string) => ({ metadata: { name: "a", resourceVersion } });
  const list = (resourceVersion: string) => ({ metadata: { resourceVersion } });
  const comparedInOrder = (steps: readonly (readonly [recorded: object, actual: object])[]) => {
    const bindings = new Bindings();
    return steps.map(([recorded, actual]) => places(recorded, actual, bindings).length === 0);
  };

  test("of objects move where those of the transcript do, and only there", () => {
    expect(
      comparedInOrder([
        [object("10"), object("3")],
        [object("10"), object("3")],
      ]),
    ).toEqual([true, true]);
    expect(
      comparedInOrder([
        [object("10"), object("3")],
        [object("10"), object("4")],
      ]),
    ).toEqual([true, false]);
    expect(
      comparedInOrder([
        [object("10"), object("3")],
        [object("12"), object("3")],
      ]),
    ).toEqual([true, false]);
    expect(
      comparedInOrder([
        [object("10"), object("3")],
        [object("12"), object("4")],
      ]),
    ).toEqual([true, true]);
  });

  test("keep their order", () => {
    expect(
      comparedInOrder([
        [object("10"), object("3")],
        [object("9"), object("4")],
      ]),
    ).toEqual([true, false]);
    expect(
      comparedInOrder([
        [object("10"), object("3")],
        [list("12"), list("2")],
      ]),
    ).toEqual([true, false]);
  });

  test("of lists may stay where only unrecorded writes moved them", () => {
    expect(
      comparedInOrder([
        [list("10"), list("3")],
        [list("12"), list("3")],
      ]),
    ).toEqual([true, true]);
    expect(
      comparedInOrder([
        [list("10"), list("3")],
        [list("10"), list("4")],
      ]),
    ).toEqual([true, false]);
  });

  test("are numbers", () => {
    expect(
      comparedInOrder([
        [object("10"), object("x")],
        [object(""), object("")],
      ]),
    ).toEqual([false, true]);
  });
});

describe("headers", () => {
  const usual = {
    "audit-id": first,
    "cache-control": "no-cache, private",
    date: "Fri, 20 Nov 2026 14:55:19 GMT",
    "x-kubernetes-pf-flowschema-uid": first,
    "x-kubernetes-pf-prioritylevel-uid": second,
    "content-type": "application/json",
  };
  const recorded = (
    headers: Readonly<Record<string, string>> = {},
    response: { readonly status?: number; readonly body?: object; readonly path?: string } = {},
  ): RecordedExchange => ({
    req: { method: "GET", path: response.path ?? "/api", as: "admin" },
    res: {
      status: response.status ?? 200,
      headers: { "Content-Type": "application/json", ...headers },
      body: response.body ?? {},
    },
  });

  test.each<[title: string, change: Readonly<Record<string, string>>, found: readonly string[]]>([
    ["as recorded", {}, []],
    ["that are not recorded", { "x-extra": "1" }, ["x-extra"]],
    ["of another kind", { "audit-id": "1", date: "now" }, ["audit-id", "date"]],
    ["of another value", { "content-type": "text/plain" }, ["content-type"]],
    ["of the port", { "content-length": "5", "transfer-encoding": "chunked" }, []],
  ])("%s", (_title, change, found) => {
    const headers = new Map(Object.entries({ ...usual, ...change }));
    expect(
      compareHeaders(recorded(), { status: 200, headers }, new Bindings()).map(({ path }) => path),
    ).toEqual(found);
  });

  test("may not be missing", () => {
    const found = compareHeaders(
      recorded({ Warning: "x" }),
      { status: 200, headers: new Map() },
      new Bindings(),
    );
    expect(found.map(({ path }) => path)).toEqual([
      "content-type",
      "warning",
      "audit-id",
      "cache-control",
      "date",
      "x-kubernetes-pf-flowschema-uid",
      "x-kubernetes-pf-prioritylevel-uid",
    ]);
  });

  test.each([
    ["without a user", { status: 401 }],
    [
      "that may not impersonate",
      { status: 403, body: { message: 'users "a" is forbidden: User "b" cannot impersonate resource' } },
    ],
  ])("of priority and fairness are not for clients %s", (_title, response) => {
    const answer = { status: response.status, headers: new Map(Object.entries(usual)) };
    const found = compareHeaders(recorded({}, response), answer, new Bindings());
    expect(found.map(({ path }) => path)).toEqual([
      "x-kubernetes-pf-flowschema-uid",
      "x-kubernetes-pf-prioritylevel-uid",
    ]);
  });

  test("may be cached for the documents of the issuer alone", () => {
    const headers = new Map(Object.entries({ ...usual, "cache-control": "public, max-age=3600" }));
    const found = (path: string) =>
      compareHeaders(recorded({}, { path }), { status: 200, headers }, new Bindings());
    expect(found("/openid/v1/jwks")).toEqual([]);
    expect(found("/api").map(({ path }) => path)).toEqual(["cache-control"]);
  });
});

describe("a transcript", () => {
  const line = (n: number, rest: object = {}) =>
    JSON.stringify({
      n,
      note: "",
      req: { method: "GET", path: "/api", as: "admin" },
      res: { status: 200, headers: {}, body: "" },
      ...rest,
    });

  test("is a list of exchanges, with numbers that rise", () => {
    expect(parseTranscript(`${line(1)}\n${line(3)}\n`, "x").map(({ n }) => n)).toEqual([1, 3]);
  });

  test.each<[title: string, text: string]>([
    ["that does not parse", `${line(1)}\n${line(2).slice(0, -1)}\n`],
    ["that is empty", `${line(1)}\n\n${line(2)}\n`],
    ["that is not an object", `${line(1)}\nnull\n`],
    ["without a request", `${line(1)}\n${line(2, { req: {} })}\n`],
    ["without a response", `${line(1)}\n${line(2, { res: undefined })}\n`],
    ["with the number of another", `${line(1)}\n${line(1)}\n`],
  ])("fails at a line %s", (_title, text) => {
    expect(() => parseTranscript(text, "x")).toThrow("x:2 is not an exchange that follows");
  });
});
