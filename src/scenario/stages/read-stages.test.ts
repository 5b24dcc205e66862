import { expect, test } from "vitest";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { readStages } from "./read-stages.ts";
import type { Stage } from "./stage.ts";

function stage(spec: object): object {
  const metadata = { name: "one" };
  return { apiVersion: "kwok.x-k8s.io/v1alpha1", kind: "Stage", metadata, spec };
}

function read(spec: object): Stage {
  const [only] = readStages(stage({ resourceRef: { kind: "Pod" }, ...spec }));
  if (only === undefined) throw new Error("no stage");
  return only;
}

function pod(annotations: { readonly [name: string]: string } = {}, status = {}): KubeObject {
  return { apiVersion: "v1", kind: "Pod", metadata: { name: "a", annotations, labels: { a: "b" } }, status };
}

test.each<[selector: object | undefined, isSelected: boolean]>([
  [undefined, false],
  [{}, true],
  [{ matchLabels: { a: "b" } }, true],
  [{ matchLabels: { a: "c" } }, false],
  [{ matchAnnotations: { toString: "x" } }, false],
  [{ matchExpressions: [{ key: ".status.ready", operator: "In", values: ["true"] }] }, true],
  [{ matchExpressions: [{ key: ".status.size", operator: "In", values: ["3"] }] }, false],
  [{ matchExpressions: [{ key: ".status.phase", operator: "NotIn", values: ["Running"] }] }, true],
  [{ matchExpressions: [{ key: ".status.phase", operator: "Exists" }] }, false],
  [{ matchExpressions: [{ jq: { key: ".status.ready", operator: "DoesNotExist" } }] }, false],
])("the selector %j", (selector, isSelected) => {
  const { selects } = read(selector === undefined ? {} : { selector });
  expect(selects(pod({}, { ready: true, size: 3 }))).toBe(isSelected);
});

test.each<[annotation: string | undefined, weight: number | undefined]>([
  [undefined, 2],
  ["7", 7],
  ["", undefined],
  ["much", undefined],
])("a weight from the annotation %j", (annotation, weight) => {
  const { weight: of } = read({ weight: 2, weightFrom: { expressionFrom: ".metadata.annotations.w" } });
  expect(of(pod(annotation === undefined ? {} : { w: annotation }))).toBe(weight);
});

test.each([
  [undefined, { least: 1000, most: 5000 }],
  ["3s", { least: 3000, most: 5000 }],
  ["1970-01-01T00:00:10Z", { least: 4000, most: 5000 }],
  ["soon", { least: 1000, most: 5000 }],
  ["", { least: 0, most: undefined }],
])("a delay from the annotation %j", (annotation, delay) => {
  const { delay: of } = read({
    delay: {
      durationMilliseconds: 1000,
      durationFrom: { jq: { expression: ".metadata.annotations.d" } },
      jitterDurationMilliseconds: 5000,
    },
  });
  expect(of(pod(annotation === undefined ? {} : { d: annotation }), 6000)).toEqual(delay);
});

test("the steps of a stage have the order of KWOK", () => {
  const next = {
    delete: true,
    statusTemplate: "a: 1",
    finalizers: { empty: true, add: [{ value: "x" }] },
    event: {},
  };
  const { steps } = read({ next });
  expect(steps.map(({ type }) => type)).toEqual(["event", "finalizers", "patch", "delete"]);
  const [, finalizers, patch] = steps;
  expect(finalizers?.type === "finalizers" && finalizers.changed(["a", "b"])).toEqual(["x"]);
  expect(patch?.type === "patch" && patch.patch).toMatchObject({ type: "strategic", subresource: "status" });
});

test("a JSON patch gets its root", () => {
  const patch = { root: "metadata", type: "json", template: '[{"op":"add","path":"/labels/a","value":"b"}]' };
  const [step] = read({ steps: [{ patch }] }).steps;
  expect(step?.type === "patch" && step.patch.patchOf(pod(), () => "")).toEqual([
    { op: "add", path: "/metadata/labels/a", value: "b" },
  ]);
});

test("a text has several stages, and objects of other kinds are left out", () => {
  const one = JSON.stringify(stage({ resourceRef: { kind: "Pod" } }));
  const text = `# a comment\n---\n${one}\n---\nkind: Kustomization\n---\n${one.replace('"one"', '"two"')}\n`;
  expect(readStages(text).map(({ name }) => name)).toEqual(["one", "two"]);
});

test.each<[spec: object, message: string]>([
  [{ selecter: {} }, 'spec: unknown field "selecter"; did you mean "selector"?'],
  [{ resourceRef: {} }, "spec.resourceRef.kind: must be set"],
  [{ weight: -1 }, "spec.weight: must be an integer that is not negative"],
  [
    { selector: { matchExpressions: [{ key: "length", operator: "Exists" }] } },
    "spec.selector.matchExpressions[0].key: the jq query",
  ],
  [
    { selector: { matchExpressions: [{ cel: { expression: "self." } }] } },
    "spec.selector.matchExpressions[0].cel.expression: ",
  ],
  [{ selector: { matchExpressions: [{ key: ".a", operator: "Gt" }] } }, '"Gt"'],
  [{ selector: { matchExpressions: [{ key: ".a", operator: "In" }] } }, "In needs values"],
  [
    { next: { statusTemplate: "{{ env }}" } },
    "spec.next.statusTemplate: line 1: the function env is not supported",
  ],
  [{ steps: [{ apply: { type: "json" } }] }, 'steps[0].apply.type: not supported: "json"'],
  [{ steps: [{ apply: { template: "{{ env }}" } }] }, "spec.steps[0].apply.template: line 1"],
  [{ next: { patches: [{ type: "apply" }] } }, "spec.next.patches[0].type: not supported"],
])("%j is refused", (spec, message) => {
  expect(() => readStages(stage({ resourceRef: { kind: "Pod" }, ...spec }))).toThrow(message);
  expect(() => readStages(stage({ resourceRef: { kind: "Pod" }, ...spec }))).toThrow('Stage "one"');
});

test.each([
  ["", "no object of kind Stage"],
  ["a: [", "stages: document 1: yaml"],
  ["kind: Stage\napiVersion: kwok.x-k8s.io/v1", "is not supported; supported: kwok.x-k8s.io/v1alpha1"],
  ["text", "must be text, an object of kind Stage"],
])("%j is refused", (text, message) => {
  expect(() => readStages(text)).toThrow(message);
});
