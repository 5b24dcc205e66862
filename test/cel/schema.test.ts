import { expect, test } from "vitest";
import { compileExpression } from "../../src/cel/evaluate.ts";

const schema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        replicas: { type: "integer" },
        ratio: { type: "number" },
        since: { type: "string", format: "date-time" },
        day: { type: "string", format: "date" },
        timeout: { type: "string", format: "duration" },
        secret: { type: "string", format: "byte" },
        port: { "x-kubernetes-int-or-string": true },
        namespace: { type: "string" },
        "foo.bar/baz-qux__x": { type: "string" },
        finalizers: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
        conditions: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["type"],
          items: { type: "object", properties: { type: { type: "string" }, status: { type: "string" } } },
        },
        labels: { type: "object", additionalProperties: { type: "string" } },
        anything: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        template: { type: "object", "x-kubernetes-embedded-resource": true },
        ratios: { type: "array", items: { type: "number" } },
      },
    },
  },
};

const self = {
  apiVersion: "a/v1",
  kind: "A",
  metadata: { name: "n" },
  spec: {
    replicas: 3,
    ratio: 2,
    since: "2020-01-02T03:04:05Z",
    day: "2020-01-02",
    timeout: "90s",
    secret: "aGk=",
    port: "http",
    namespace: "ns",
    "foo.bar/baz-qux__x": "odd",
    finalizers: ["a", "b"],
    conditions: [
      { type: "Ready", status: "True" },
      { type: "Live", status: "False" },
    ],
    labels: { a: "1" },
    template: { kind: "Pod", metadata: { name: "p" } },
    ratios: [1, 2.5],
  },
};
const oldSelf = {
  spec: { finalizers: ["b", "a"], conditions: [{ type: "Ready", status: "Unknown" }] },
};

test.each([
  ["self.spec.replicas + 1", "int", 4],
  ["type(self.spec.ratio) == double && self.spec.ratio / 4.0 == 0.5", "bool", true],
  ["self.spec.since.getFullYear()", "int", 2020],
  ["self.spec.since - self.spec.day", "duration", "11045s"],
  ["self.spec.timeout.getMinutes()", "int", 1],
  ["string(self.spec.secret)", "string", "hi"],
  ["self.spec.port", "dyn", "http"],
  ["self.spec.__namespace__", "string", "ns"],
  ["self.spec.foo__dot__bar__slash__baz__dash__qux__underscores__x", "string", "odd"],
  ["self.spec.finalizers == oldSelf.spec.finalizers", "bool", true],
  ["self.spec.finalizers != oldSelf.spec.finalizers", "bool", false],
  ["self.spec.finalizers + ['c', 'a']", "list(string)", ["a", "b", "c"]],
  [
    "(self.spec.conditions + oldSelf.spec.conditions).map(c, c.type + c.status)",
    "list(string)",
    ["ReadyUnknown", "LiveFalse"],
  ],
  ["self.spec.labels.a", "string", "1"],
  ["self.spec.template.metadata.name", "string", "p"],
  ["self.metadata.name + self.kind", "string", "nA"],
  ["self.spec.ratios.sum()", "double", 3.5],
  ["self.spec.ratios.map(r, type(r) == double)", "list(bool)", [true, true]],
  ["has(self.spec.__namespace__) && !has(self.metadata.generateName)", "bool", true],
])("%s has the type %s", (expression, type, value) => {
  const compiled = compileExpression(expression, { schema });
  expect(compiled.type).toBe(type);
  expect(compiled.evaluate({ self, oldSelf }).value).toEqual(value);
});

test.each([
  ["self.spec.nothing", "undefined field 'nothing'"],
  ["self.spec.anything.a", "undefined field 'a'"],
  ["self.spec.replicas == 'a'", "found no matching overload for '_==_' applied to '(int, string)'"],
  ["self.metadata.labels", "undefined field 'labels'"],
  ["self.spec.replicas.x", "type 'int' does not support field selection"],
])("%s does not compile", (expression, message) => {
  expect(() => compileExpression(expression, { schema })).toThrow(message);
});

test("the sizes that a schema declares bound the cost", () => {
  const cost = (maxItems: object) => {
    const names = { type: "array", items: { type: "string", maxLength: 10 }, ...maxItems };
    const own = { type: "object", properties: { names } };
    return compileExpression("self.names.all(n, n.contains('aaaaaaaaaaa'))", { schema: own }).estimatedCost
      .max;
  };
  expect(cost({ maxItems: 10 })).toBe(123);
  expect(cost({})).toBeGreaterThan(1_000_000);
});
