import { describe, expect, test } from "vitest";
import { parseAccept, parseContentType } from "./media-type.ts";

describe("the clauses of an Accept header", () => {
  const order = (header: string): string[] =>
    parseAccept(header).map(({ type, subtype, params }) =>
      [`${type}/${subtype}`, ...[...params].map(([name, value]) => `${name}=${value}`)].join(";"),
    );

  test.each([
    ["", []],
    [" ", []],
    ["application/json", ["application/json"]],
    ["application/json, application/yaml", ["application/json", "application/yaml"]],
    ["application/json;q=0.1,application/yaml", ["application/yaml", "application/json"]],
    ["*/*, application/yaml", ["application/yaml", "*/*"]],
    ["application/*,application/yaml", ["application/yaml", "application/*"]],
    ["*", ["*/*"]],
    ["*/", ["*/*"]],
    ["application", []],
    ["application/", []],
    ["a/b/c, text/html", ["text/html"]],
    ["application/json;q=x, application/yaml;q=0.5", ["application/yaml", "application/json"]],
    [
      " application/json ; as=Table ; g = meta.k8s.io;v=v1 ",
      ["application/json;as=Table;g=meta.k8s.io;v=v1"],
    ],
    ["application/json;pretty;as=;a=b=c;stream=watch", ["application/json;stream=watch"]],
    // Upstream's comparison is inconsistent: it prefers specific types and higher quality in either order.
    ["*/*;q=0.9, application/json;q=0.1", ["application/json", "*/*"]],
    ["application/json;q=0.1, */*;q=0.9", ["*/*", "application/json"]],
    [
      "application/json;as=Bogus;g=meta.k8s.io;v=v1,application/yaml",
      ["application/json;as=Bogus;g=meta.k8s.io;v=v1", "application/yaml"],
    ],
  ])("%j", (header, clauses) => {
    expect(order(header)).toEqual(clauses);
  });

  test.each([
    ["a/b", 1],
    ["a/b;q=0.5", 0.5],
    ["a/b;q=.5e0", 0.5],
    ["a/b;q= 0.5", 0],
    ["a/b;q=one", 0],
  ])("%j has quality %d", (header, q) => {
    expect(parseAccept(header)[0]?.q).toBe(q);
  });
});

describe("the media type of a body", () => {
  test.each([
    ["application/json", "application/json"],
    ["Application/JSON; Charset=UTF-8", "application/json"],
    ["application/json;", "application/json"],
    ["application/json ; ", "application/json"],
    ['application/yaml;a="b \\"c\\" ;d";b=c', "application/yaml"],
    ["application/yaml;a=1;A=1", "application/yaml"],
    ["text", "text"],
    ["", undefined],
    ["application/", undefined],
    ["application/json/x", undefined],
    ["application json", undefined],
    ["application/json; charset", undefined],
    ["application/json; charset=", undefined],
    ['application/json; charset="x', undefined],
    ["application/json;;a=b", undefined],
    ["application/json;a=1;a=2", undefined],
  ])("%j", (header, mediaType) => {
    expect(parseContentType(header)?.mediaType).toBe(mediaType);
  });

  test("has parameters", () => {
    const params = parseContentType('a/b; Charset=UTF-8;a="b \\"c\\" \\d"')?.params;
    expect(Object.fromEntries(params ?? [])).toEqual({ charset: "UTF-8", a: 'b "c" \\d' });
  });
});
