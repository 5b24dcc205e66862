import { describe, expect, test } from "vitest";
import { structAt } from "../../../src/apimachinery/fields.ts";
import type { JsonObject, JsonValue } from "../../../src/apimachinery/json.ts";
import { createCluster } from "../../../src/index.ts";
import {
  definitionKind,
  gadget,
  gadgetDefinition,
  gadgetsName,
  gadgetsPath,
  gadgetVersion,
  send,
} from "./gadgets.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const rule = (text: string): JsonObject => ({ "x-kubernetes-validations": [{ rule: text }] });

/** The causes of the refusal of gadgets with this schema of the spec. */
async function causesOf(spec: JsonObject): Promise<JsonValue | undefined> {
  await using cluster = createCluster();
  const { body } = await send(cluster, "POST", definitions, gadgetDefinition([gadgetVersion("v1", spec)]));
  const causes = structAt(body, "details")["causes"];
  return Array.isArray(causes)
    ? causes.map((one) => `${structAt({ one }, "one")["field"]}: ${structAt({ one }, "one")["message"]}`)
    : undefined;
}

const defaultOf = "spec.validation.openAPIV3Schema.properties[spec].properties[size].default";

describe("a default", () => {
  test.each<[string, JsonObject, problem: string | undefined]>([
    [
      "that fails a rule",
      { type: "integer", default: 1, ...rule("self > 1") },
      `${defaultOf}: Invalid value: "integer": failed rule: self > 1`,
    ],
    ["that passes its rules", { type: "integer", default: 2, ...rule("self > 1") }, undefined],
    [
      "that fails a rule for new values",
      {
        type: "integer",
        default: 2,
        "x-kubernetes-validations": [{ rule: "oldSelf.hasValue()", optionalOldSelf: true }],
      },
      `${defaultOf}: Invalid value: "integer": failed rule: oldSelf.hasValue()`,
    ],
    [
      "that could not stay",
      { type: "integer", default: 2, ...rule("self > oldSelf") },
      `${defaultOf}: Invalid value: "integer": failed rule: self > oldSelf`,
    ],
  ])("%s", async (_title, size, problem) => {
    const causes = await causesOf({ type: "object", properties: { size } });
    expect(causes).toEqual(problem === undefined ? undefined : [problem]);
  });
});

describe("a definition that could do harm", () => {
  const deep = (depth: number): JsonObject =>
    depth === 0 ? { type: "string" } : { type: "object", properties: { a: deep(depth - 1) } };

  test.each<[string, JsonObject, code: number]>([
    ["refers to itself", { type: "object", properties: { a: { $ref: "#" } } }, 422],
    ["has definitions", { type: "object", definitions: { a: { type: "string" } } }, 422],
    [
      "has a pattern that is too large",
      { type: "object", properties: { a: { type: "string", pattern: "(a{1000}){1000}" } } },
      422,
    ],
    [
      "has 10,000 properties",
      {
        type: "object",
        properties: Object.fromEntries(
          Array.from({ length: 10_000 }, (_, i) => [`p${i}`, { type: "string" }]),
        ),
      },
      201,
    ],
    ["is 100 levels deep", deep(100), 201],
    [
      "has a pattern with 1,200 groups within each other",
      { type: "object", properties: { a: { type: "string", pattern: "(".repeat(1200) + ")".repeat(1200) } } },
      422,
    ],
    [
      "has 1,000 alternatives",
      {
        type: "object",
        properties: Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`p${i}`, { type: "string" }])),
        oneOf: Array.from({ length: 1000 }, (_, i) => ({ required: [`p${i}`] })),
      },
      201,
    ],
    [
      "has names of prototypes, and rules that use them",
      JSON.parse(
        '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"object"}},"x-kubernetes-validations":[{"rule":"self.constructor.prototype == 1"}]}',
      ),
      422,
    ],
    [
      "has rules over unbounded lists",
      {
        type: "object",
        properties: {
          a: {
            type: "array",
            items: { type: "array", items: { type: "string", ...rule("self.matches('a')") } },
          },
        },
      },
      422,
    ],
  ])("that %s: the server goes on", async (_title, spec, code) => {
    await using cluster = createCluster();
    const answer = await send(cluster, "POST", definitions, gadgetDefinition([gadgetVersion("v1", spec)]));
    expect(answer.code).toBe(code);
    await cluster.settle();
    expect((await send(cluster, "GET", gadgetsPath("v1"))).code).toBe(code === 201 ? 200 : 404);
    expect((await send(cluster, "GET", "/api/v1/namespaces/default/configmaps")).code).toBe(200);
  });

  test("that has the name of a built-in resource leaves that as it is", async () => {
    await using cluster = createCluster();
    const deployments = gadgetDefinition([gadgetVersion("v1", { type: "object" })]);
    const spec = {
      ...structAt(deployments, "spec"),
      group: "apps",
      names: { plural: "deployments", kind: "Deployment" },
    };
    await send(cluster, "POST", definitions, {
      ...deployments,
      metadata: { name: "deployments.apps" },
      spec,
    });
    await cluster.settle();
    const { body } = await send(cluster, "GET", "/apis/apps/v1/namespaces/default/deployments");
    expect(body["kind"]).toBe("DeploymentList");
    expect(Object.keys(body)[0]).toBe("kind");
  });

  test("whose pattern would explode elsewhere is matched in linear time", async () => {
    await using cluster = createCluster();
    const a = { type: "string", pattern: "^(a+)+$" };
    await cluster.create(gadgetDefinition([gadgetVersion("v1", { type: "object", properties: { a } })]));
    await cluster.settle();
    const { code } = await send(
      cluster,
      "POST",
      gadgetsPath("v1"),
      gadget("a", { a: `${"a".repeat(10_000)}!` }),
    );
    expect(code).toBe(422);
  });
});

test("an update keeps what the stored definition has, and its rules", async () => {
  await using cluster = createCluster();
  const size = { type: "integer", ...rule("self >= 0") };
  await cluster.create(gadgetDefinition([gadgetVersion("v1", { type: "object", properties: { size } })]));
  await cluster.settle();
  await cluster.create(gadget("a", { size: 1 }));
  await cluster.patch(...definitionKind, gadgetsName, { metadata: { labels: { a: "b" } } });
  expect((await send(cluster, "POST", gadgetsPath("v1"), gadget("b", { size: -1 }))).body).toMatchObject({
    message: 'Gadget.example.com "b" is invalid: spec.size: Invalid value: "integer": failed rule: self >= 0',
  });
});
