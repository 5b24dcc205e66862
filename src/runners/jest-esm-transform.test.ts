import { expect, test } from "vitest";
import { process as transform } from "./jest-esm-transform.ts";

/** What a module exports if `require` returns `modules`. */
function load(source: string, modules: Record<string, unknown> = {}): Record<string, unknown> {
  const exports = {};
  const evaluate = new Function("exports", "require", transform(source).code);
  evaluate(exports, (name: string) => modules[name]);
  return { ...exports };
}

const esModule = { __esModule: true, default: "the default", one: 1, two: 2 };

test.each<[string, string, Record<string, unknown>]>([
  [
    "a list of exports",
    "const a = 1;\nfunction b() {}\nexport { a, b as c };",
    { a: 1, c: expect.any(Function) },
  ],
  [
    "declarations",
    "export const a = 1;\nexport class B {}\nexport async function c() {}",
    {
      a: 1,
      B: expect.any(Function),
      c: expect.any(Function),
    },
  ],
  ["a default", "export default 1;", { default: 1 }],
  ["named imports", 'import { one, two as deux } from "es";\nexport const sum = one + deux;', { sum: 3 }],
  [
    "imports over several lines",
    'import {\n  one,\n  two\n} from "es";\nexport { one, two };',
    { one: 1, two: 2 },
  ],
  ["a namespace", 'import * as all from "es";\nexport { all };', { all: esModule }],
  ["a default import of an ES module", 'import it from "es";\nexport { it };', { it: "the default" }],
  ["a default import of a CommonJS module", 'import it from "cjs";\nexport { it };', { it: { a: 1 } }],
  ["exports of another module", 'export { one as uno } from "es";', { uno: 1 }],
  ["all exports of another module", 'export * from "cjs";', { a: 1 }],
])("%s", (_what, source, expected) => {
  expect(load(source, { es: esModule, cjs: { a: 1 } })).toMatchObject(expected);
});

test("texts and comments stay as they are", () => {
  const source = '// import { a } from "b"\nexport const text = "export { a }";';
  expect(load(source)["text"]).toBe("export { a }");
});
