import fc from "fast-check";
import { expect, test } from "vitest";
import { nearly } from "../../../test/arbitraries/nearly.ts";
import { parseAccept, parseContentType } from "./media-type.ts";

const token = fc.string({ unit: fc.constantFrom(..."abz09-+."), minLength: 1, maxLength: 8 });
const params = fc.dictionary(
  token.filter((name) => name !== "q"),
  token,
  { maxKeys: 3, noNullPrototype: true },
);
const clause = fc.record({ type: token, subtype: token, q: fc.integer({ min: 0, max: 10 }), params });
const odd = '/;=, *"\\\tq1.';

type Clause = typeof clause extends fc.Arbitrary<infer C> ? C : never;

function textOf({ type, subtype, q, params }: Clause): string {
  const others = Object.entries(params).map(([name, value]) => `${name}=${value}`);
  return [`${type}/${subtype}`, ...others, `q=${q / 10}`].join(";");
}

test("a valid Accept header has its clauses, the best first", () => {
  fc.assert(
    fc.property(fc.array(clause), (clauses) => {
      const parsed = parseAccept(clauses.map(textOf).join(", "));
      const found = parsed.map(({ type, subtype, q, params }) =>
        textOf({ type, subtype, q: Math.round(q * 10), params: Object.fromEntries(params) }),
      );
      expect(found.toSorted()).toEqual(clauses.map(textOf).toSorted());
      expect(parsed.map(({ q }) => q)).toEqual(parsed.map(({ q }) => q).toSorted((a, b) => b - a));
    }),
  );
});

test("any other Accept header has at most as many clauses as it has parts", () => {
  const header = nearly(
    fc.array(clause).map((clauses) => clauses.map(textOf).join()),
    odd,
  );
  fc.assert(
    fc.property(header, (text) => {
      const parsed = parseAccept(text);
      expect(parsed.length).toBeLessThanOrEqual(text.split(",").length);
      for (const { q } of parsed) expect(q).not.toBeNaN();
    }),
    { numRuns: 1000 },
  );
});

test("a valid Content-Type has its media type and its parameters, quoted or not", () => {
  const quoted = fc.string({ unit: fc.constantFrom(...'ab ;=,"\\') });
  const parameters = fc.uniqueArray(fc.tuple(token, fc.oneof(token, quoted)), { selector: ([name]) => name });
  fc.assert(
    fc.property(token, token, parameters, (type, subtype, pairs) => {
      const shown = pairs.map(([name, value]) => `; ${name}="${value.replace(/["\\]/g, "\\$&")}"`);
      const parsed = parseContentType(`${type}/${subtype}${shown.join("")}`);
      expect(parsed?.mediaType).toBe(`${type}/${subtype}`);
      expect([...(parsed?.params ?? [])]).toEqual(pairs);
    }),
  );
});

test("any other Content-Type is read or invalid, but never throws", () => {
  const header = nearly(clause.map(textOf), odd);
  fc.assert(
    fc.property(header, (text) => {
      const mediaType = parseContentType(text)?.mediaType;
      expect(mediaType).toBe(mediaType?.toLowerCase());
    }),
    { numRuns: 1000 },
  );
});
