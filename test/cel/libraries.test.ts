import { expect, test } from "vitest";
import { type Release, releases } from "../../src/apimachinery/release.ts";
import { compileExpression } from "../../src/cel/evaluate.ts";

/** An expression of each library, its value, and the first release in which a new expression may use it. */
const table: readonly (readonly [library: string, since: Release, expression: string, value: unknown])[] = [
  ["strings", "1.16", "'a-b'.split('-').join('+').upperAscii()", "A+B"],
  ["strings", "1.16", "'tacocat'.lastIndexOf('a') + 'tacocat'.indexOf('c', 3)", 9],
  [
    "strings",
    "1.16",
    "' x '.trim() + 'abc'.substring(1, 2) + 'aXa'.replace('X', '') + 'ab'.charAt(1)",
    "xbaab",
  ],
  ["lists", "1.16", "[[3, 1].isSorted(), [1, 3].isSorted()]", [false, true]],
  [
    "lists",
    "1.16",
    "[[1, 2].sum(), [4, 2].min(), [4, 2].max(), [4, 2].indexOf(2), [2, 2].lastIndexOf(2)]",
    [3, 2, 4, 1, 1],
  ],
  ["regex", "1.16", "'a1b22'.findAll('[0-9]+', 1) + ['a1b22'.find('b[0-9]')]", ["1", "b2"]],
  ["urls", "1.16", "url('https://a.b:80/c?d=e').getHostname() + url('/x').getEscapedPath()", "a.b/x"],
  ["urls", "1.16", "[isURL('http://a'), isURL('a')]", [true, false]],
  ["cross-type comparison", "1.29", "1 < 1.5", true],
  ["optionals", "1.29", "self.?spec.?replicas.orValue(0)", 3],
  ["optionals", "1.29", "optional.ofNonZeroValue(0).hasValue()", false],
  ["quantity", "1.29", "quantity('1Gi').isGreaterThan(quantity('1G')) && !isQuantity('x')", true],
  ["quantity", "1.29", "quantity('500m').add(quantity('1')).asApproximateFloat()", 1.5],
  ["format", "1.30", "'%d of %s'.format([1, 'a'])", "1 of a"],
  ["format", "1.30", "'%.2f %e'.format([1234.5, 1500.0])", "1,234.50 1.500000×10⁰³"],
  [
    "sets",
    "1.30",
    "sets.contains([1, 2], [2]) && sets.equivalent([1], [1, 1]) && !sets.intersects([1], [2])",
    true,
  ],
  ["ip", "1.31", "ip('::1').isLoopback() && ip('10.0.0.1').family() == 4 && ip.isCanonical('::1')", true],
  ["cidr", "1.31", "string(cidr('10.0.0.1/8').masked())", "10.0.0.0/8"],
  ["cidr", "1.31", "cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')", true],
  ["named formats", "1.32", "format.dns1123Label().validate('a').hasValue()", false],
  [
    "named formats",
    "1.32",
    "format.named('uuid').value().validate('x').value()",
    ["does not match the UUID format"],
  ],
  ["two-variable comprehensions", "1.33", "{'a': 1}.transformList(k, v, k + string(v))", ["a1"]],
  ["two-variable comprehensions", "1.33", "['x'].transformMapEntry(i, v, {v: i})", { x: 0 }],
  [
    "semver",
    "1.34",
    "semver('1.2.3-rc.1').isLessThan(semver('v1.2.3', true)) && semver('1.2.3').minor() == 2",
    true,
  ],
  [
    "extended lists",
    "1.35",
    "[3, 1, 1].distinct().sort().reverse() + [[1], [2]].flatten().slice(0, 1)",
    [3, 1, 1],
  ],
  ["extended lists", "1.35", "lists.range(3).sortBy(x, -x)", [2, 1, 0]],
];

const self = { spec: { replicas: 3 } };

test.each(table)("%s may be used from %s on: %s", (_library, since, expression, value) => {
  for (const release of releases) {
    const isOlder = releases.indexOf(release) < releases.indexOf(since);
    const compile = () => compileExpression(expression, { release });
    if (isOlder) expect(compile, `in ${release}`).toThrow("ERROR: <input>");
    else expect(compile().evaluate({ self }).value, `in ${release}`).toEqual(value);
  }
});

test("a stored expression may use what its own release brought", () => {
  const expression = "semver('1.2.3').major()";
  expect(() => compileExpression(expression, { release: "1.33" })).toThrow(
    "undeclared reference to 'semver'",
  );
  expect(compileExpression(expression, { release: "1.33", expressions: "stored" }).evaluate().value).toBe(1);
});

test("jsonpatch.escapeKey is there for those who ask for it", () => {
  const expression = "'/metadata/labels/' + jsonpatch.escapeKey('example.com/a~b')";
  expect(() => compileExpression(expression)).toThrow("undeclared reference to 'jsonpatch'");
  const { value } = compileExpression(expression, { extensions: ["jsonpatch"] }).evaluate();
  expect(value).toBe("/metadata/labels/example.com~1a~0b");
});
