import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { queriesOf } from "../../../test/conformance/golden-queries.ts";
import { StatusError } from "../errors/errors.ts";
import { sinceOf } from "../release.ts";
import { formatRequirement, type LabelRequirement, type Labels } from "../validation/label-requirement.ts";
import { labelSelector, noLabel, parseLabelSelector } from "./label-selector.ts";

const since = sinceOf("1.32");

function messageOf(text: string): string | undefined {
  try {
    parseLabelSelector(text, since);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(StatusError);
    expect(error).toMatchObject({ code: 400, status: { reason: "BadRequest" } });
    return error instanceof Error ? error.message : undefined;
  }
}

describe("a label selector from a recorded request", () => {
  test.each(queriesOf("labelSelector"))("%j", (text, message) => {
    expect(messageOf(text)).toBe(message);
  });
});

describe("a label selector is rejected", () => {
  test.each([
    ["a in (b,", "unable to parse requirement: found '', expected: ',', or identifier"],
    ["a in (b,,)", "unable to parse requirement: found ')', expected: ',', or identifier"],
    ["a in (=)", "unable to parse requirement: found '=', expected: ',', ')' or identifier"],
    ["!a=b", "found '=', expected: ',' or 'end of string'"],
    ["a)", "unable to parse requirement: found ')', expected: in, notin, =, ==, !=, gt, lt"],
    ["a=b,c=", undefined],
    ["a>9223372036854775807", undefined],
    [
      "a>9223372036854775808",
      "unable to parse requirement: values[0]: Invalid value: \"9223372036854775808\": for 'Gt', 'Lt' operators, the value must be an integer",
    ],
  ])("%j: %s", (text, message) => {
    expect(messageOf(text)).toBe(message);
  });

  test("with an error for every invalid value, in order", () => {
    const message = messageOf("a in (-z,-y,x)") ?? "";
    expect(message).toMatch(
      /^unable to parse requirement: \[values\[0\]\[a\]: Invalid value: "-y": a valid label/,
    );
    expect(message).toContain(', values[1][a]: Invalid value: "-z": a valid label');
  });
});

describe("a label selector is parsed", () => {
  test.each([
    ["", ""],
    [" \t\r\n", ""],
    ["b,a", "a,b"],
    ["  a =  b ", "a=b"],
    ["a==b", "a==b"],
    ["a!=b", "a!=b"],
    ["a=", "a="],
    ["a in (c, b ,b)", "a in (b,c)"],
    ["a in ()", "a in ()"],
    ["a in (,)", "a in ()"],
    ["a in (b,,c)", "a in (,b,c)"],
    ["a in (b,)", "a in (,b)"],
    ["a notin (in, notin)", "a notin (in,notin)"],
    ["in in (in)", "in in (in)"],
    ["notin=in", "notin=in"],
    ["! a", "!a"],
    ["a>1,b<-2", undefined],
    ["a>1,b<2", "a>1,b<2"],
    ["example.com/a=b", "example.com/a=b"],
    ["a\0b", undefined],
    ["a\0", "a"],
    ["a,\0b", undefined],
  ])("%j: %j", (text, expected) => {
    if (expected === undefined) expect(messageOf(text)).toBeDefined();
    else expect(parseLabelSelector(text, since).text).toBe(expected);
  });
});

describe("a label selector matches", () => {
  const labels: Labels = { app: "web", tier: "", n: "5", big: "9007199254740993", bad: "5x" };
  test.each([
    ["", true],
    ["app", true],
    ["!app", false],
    ["other", false],
    ["!other", true],
    ["app=web", true],
    ["app==web", true],
    ["app!=web", false],
    ["other!=web", true],
    ["tier=", true],
    ["other=", false],
    ["app in (web,db)", true],
    ["app in (db)", false],
    ["tier in ()", true],
    ["other in ()", false],
    ["app notin (web,db)", false],
    ["other notin (web)", true],
    ["n>4", true],
    ["n>5", false],
    ["n<6", true],
    ["other>1", false],
    ["bad>1", false],
    ["big>9007199254740992", true],
    ["big<9007199254740994", true],
    ["big>9007199254740993", false],
    ["app=web,n>9", false],
    ["constructor", false],
    ["!constructor", true],
    ["toString notin (a)", true],
    ["__proto__=a", undefined],
  ])("%s: %s", (text, expected) => {
    if (expected === undefined) expect(messageOf(text)).toContain("name part must consist of");
    else expect(parseLabelSelector(text, since).matches(labels)).toBe(expected);
  });

  test("nothing if it is absent from an object", () => {
    expect(noLabel.matches({})).toBe(false);
    expect(noLabel.isEmpty).toBe(false);
  });
});

const word = fc.constantFrom("a", "b", "c", "in", "notin", "x.y/z", "1", "22");
const value = fc.constantFrom("", "a", "b", "in", "1", "5", "22");
const integer = fc.constantFrom("0", "1", "5", "22");
const requirement: fc.Arbitrary<LabelRequirement> = fc.oneof(
  fc.record({ key: word, operator: fc.constantFrom("exists", "!"), values: fc.constant([]) }),
  fc.record({ key: word, operator: fc.constantFrom("=", "==", "!="), values: fc.tuple(value) }),
  fc.record({ key: word, operator: fc.constantFrom("gt", "lt"), values: fc.tuple(integer) }),
  fc.record({
    key: word,
    operator: fc.constantFrom("in", "notin"),
    values: fc.uniqueArray(value, { minLength: 1, maxLength: 4 }),
  }),
);

/** Whether a requirement matches, in the simplest way. */
function holds({ key, operator, values }: LabelRequirement, labels: Labels): boolean {
  const has = Object.hasOwn(labels, key);
  const label = labels[key] ?? "";
  const isListed = has && values.includes(label);
  const isNumber = has && label !== "" && Number.isInteger(Number(label));
  switch (operator) {
    case "exists":
      return has;
    case "!":
      return !has;
    case "=":
    case "==":
    case "in":
      return isListed;
    case "!=":
    case "notin":
      return !isListed;
    case "gt":
      return isNumber && Number(label) > Number(values[0]);
    case "lt":
      return isNumber && Number(label) < Number(values[0]);
  }
}

describe("any label selector", () => {
  test("matches if all of its requirements match", () => {
    fc.assert(
      fc.property(fc.array(requirement), fc.dictionary(word, value), (requirements, labels) => {
        const expected = requirements.every((one) => holds(one, labels));
        expect(labelSelector(requirements).matches(labels)).toBe(expected);
      }),
      { numRuns: 1000 },
    );
  });

  test("survives formatting and parsing", () => {
    fc.assert(
      fc.property(fc.array(requirement), (requirements) => {
        const { text } = labelSelector(requirements);
        expect(parseLabelSelector(text, since).text).toBe(text);
      }),
    );
  });

  test("is parsed or rejected for any text", () => {
    const text = fc.array(
      fc.constantFrom("a", "in", "notin", " ", ",", "=", "!", "(", ")", "<", ">", "1", "\0", "é"),
    );
    fc.assert(
      fc.property(text, (pieces) => {
        messageOf(pieces.join(""));
      }),
      { numRuns: 1000 },
    );
  });

  test("formats its requirements in the order of their keys", () => {
    expect(formatRequirement({ key: "a", operator: "in", values: ["b", "a"] })).toBe("a in (a,b)");
  });
});

/** Upstream: apimachinery, pkg/labels/selector.go, parseIdentifiersList. */
test.each(["a in (b,,)", "a in (b,,,)", "a in (b,,,,,,)", "a in (b,,b,,)"])(
  "since 1.35, %s can be parsed",
  (text) => {
    expect(parseLabelSelector(text, sinceOf("1.35")).text).toBe("a in (,b)");
  },
);
