import { describe, expect, test } from "vitest";
import { viewOf } from "../../../test/api-view.ts";
import { StatusError } from "../../apimachinery/errors/errors.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { featureGates } from "../../catalog/feature-gates.ts";
import type { ChangeType } from "../../codec/media-types/patch-types.ts";
import { horizontalPodAutoscalerV1 } from "../../kinds/autoscaling/horizontal-pod-autoscaler/horizontal-pod-autoscaler-conversion.ts";
import type { FieldValidation } from "../../patch/field-validation.ts";
import { type ConversionOf, conversionBetween } from "../contract/conversion.ts";
import type { ResourceContext, ResourceScope } from "../contract/scope.ts";
import { patchMechanism } from "./patch-mechanism.ts";

const view = viewOf({ release: "1.32" });

/** The endpoint of a kind whose objects are stored in another version, and which sets a label by default. */
function scopeOf(
  resource: string,
  gvk: { group: string; version: string; kind: string },
  stored: string = gvk.version,
  conversionOf: ConversionOf = () => undefined,
): ResourceScope {
  const kindAt = (version: string) => {
    const schema = view.kind({ ...gvk, version }) ?? expect.unreachable("it has a schema");
    return { gvk: { ...gvk, version }, schema };
  };
  const { schema } = kindAt(gvk.version);
  const definition = { ...kindAt(stored), groupResource: { group: gvk.group, resource } };
  // A patch reads only these parts.
  return {
    resource: view.resource({ ...gvk, resource }),
    gvk,
    schema,
    gates: featureGates("1.32"),
    rest: { definition },
    conversion: conversionBetween(definition, { gvk, schema }, conversionOf),
    conversionOf,
    defaultsOf: () => (object: MutableKubeObject) => {
      object.metadata.labels = { ...object.metadata.labels, defaulted: "yes" };
    },
  } as unknown as ResourceScope;
}

const maps = scopeOf("configmaps", { group: "", version: "v1", kind: "ConfigMap" });
const scaler = { group: "autoscaling", version: "v1", kind: "HorizontalPodAutoscaler" };
const scalers = scopeOf("horizontalpodautoscalers", scaler, "v2", () => horizontalPodAutoscalerV1);

const map: KubeObject = {
  kind: "ConfigMap",
  apiVersion: "v1",
  metadata: { name: "m", annotations: { a: "1" } },
  data: { k: "v", l: "w" },
};
const autoscaler: KubeObject = {
  kind: scaler.kind,
  apiVersion: "autoscaling/v1",
  metadata: { name: "h" },
  spec: { maxReplicas: 3, scaleTargetRef: { kind: "Deployment", name: "d" } },
};

const types: Readonly<Record<string, ChangeType>> = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
};

interface Sent {
  readonly scope?: ResourceScope;
  readonly fieldValidation?: FieldValidation;
  readonly current?: KubeObject;
}

/** The patched object, or the refusal, with the warnings. */
async function patched(
  type: string,
  patch: unknown,
  { scope = maps, fieldValidation = "Warn", current = map }: Sent = {},
) {
  const warnings: string[] = [];
  // The mechanism reads nothing else of the request.
  const context = { warn: (text: string) => warnings.push(text) } as unknown as ResourceContext;
  const text = typeof patch === "string" ? patch : JSON.stringify(patch);
  const mechanism = patchMechanism(types[type] ?? expect.unreachable(type), new TextEncoder().encode(text), {
    scope,
    context,
    view,
    fieldValidation,
  });
  expect(mechanism.create).toBeUndefined();
  try {
    const object = await mechanism.patch(current);
    // A lost race applies the same patch again.
    expect(await mechanism.patch(current)).toEqual(object);
    return { object, warnings };
  } catch (error) {
    if (error instanceof StatusError) return { code: error.code, message: error.message, warnings };
    throw error;
  }
}

const strict = { fieldValidation: "Strict" } as const;
describe("a patch", () => {
  test.each([
    ["json", [{ op: "replace", path: "/data/k", value: "x" }]],
    ["merge", { data: { k: "x" } }],
    ["strategic", { data: { k: "x" } }],
  ])("(%s) changes an object, which then gets its defaults", async (type, patch) => {
    expect(await patched(type, patch)).toEqual({
      object: {
        ...map,
        metadata: { ...map.metadata, labels: { defaulted: "yes" } },
        data: { k: "x", l: "w" },
      },
      warnings: [],
    });
  });

  test.each([
    ["json", "["],
    ["json", "{}"],
    ["merge", "{"],
    ["strategic", "{"],
  ])("(%s) that is %s is a bad request", async (type, text) => {
    expect(await patched(type, text)).toMatchObject({
      code: 400,
      message: expect.stringMatching(/JSON|json/),
    });
  });

  test("that does not apply is unprocessable, too large, or an error of the server", async () => {
    expect(await patched("json", [{ op: "remove", path: "/data/nothing" }])).toMatchObject({
      code: 422,
      message: "the server rejected our request due to an error in our request",
    });
    const many = Array.from({ length: 10_001 }, () => ({ op: "test", path: "/kind", value: "ConfigMap" }));
    expect(await patched("json", many)).toMatchObject({ code: 413 });
    expect(await patched("strategic", { $patch: "x" })).toMatchObject({ code: 500 });
  });

  test("that leaves no object of the kind shows what it left", async () => {
    const broken = { kind: "ConfigMap", apiVersion: "v1", metadata: { name: "m" }, data: { k: 1 } };
    const patch = { metadata: { annotations: null }, data: { k: 1, l: null } };
    const answer = await patched("merge", patch);
    expect(answer).toMatchObject({ code: 422, message: expect.stringContaining("cannot unmarshal number") });
    expect(
      JSON.parse(JSON.parse(/Invalid value: ("(?:[^"\\]|\\.)*")/.exec(answer.message ?? "")?.[1] ?? "")),
    ).toEqual(broken);
    expect(await patched("strategic", patch)).toMatchObject({
      code: 422,
      message: expect.stringMatching(/^ "" is invalid: patch: Invalid value: "map\[data:map\[k:/),
    });
  });
});

describe("field validation of a patch", () => {
  test.each([
    ["json", [{ op: "add", path: "/x", value: 1 }], 'unknown field "x"'],
    ["merge", { x: 1 }, 'unknown field "x"'],
    ["strategic", { x: 1 }, 'unknown field "x"'],
    ["merge", '{"data":{"k":"1"},"data":{"k":"2"}}', 'duplicate field "data"'],
    ["strategic", '{"data":{"k":"1"},"data":{"k":"2"}}', 'duplicate field "data"'],
    [
      "json",
      '[{"op":"add","path":"/data/z","value":"1","value":"2"}]',
      'json patch duplicate field "[0].value"',
    ],
  ])("(%s) %j", async (type, patch, finding) => {
    const loose = await patched(type, patch);
    expect(loose.warnings.slice(0, 1)).toEqual([expect.stringContaining(finding)]);
    expect(loose).toHaveProperty("object");
    expect((await patched(type, patch, { fieldValidation: "Ignore" })).warnings).toEqual([]);
    const refused = await patched(type, patch, strict);
    expect(refused).toMatchObject({
      message: expect.stringContaining("strict decoding error: "),
      warnings: [],
    });
    expect(refused).toMatchObject({ message: expect.stringContaining(finding), code: 422 });
    expect("message" in refused && refused.message.match(/is invalid/g)).toHaveLength(1);
  });

  test("finds nothing in what the kind has", async () => {
    for (const [type, patch] of [
      ["merge", { data: { k: "x" } }],
      ["strategic", {}],
      ["json", []],
    ] as const)
      expect(await patched(type, patch, strict)).toHaveProperty("object");
  });
});

describe("a patch of the version", () => {
  test("converts to the version of the endpoint what it leaves in another", async () => {
    const metrics = [
      {
        type: "Resource",
        resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } },
      },
    ];
    const answer = await patched(
      "merge",
      { apiVersion: "autoscaling/v2", spec: { metrics } },
      { scope: scalers, current: autoscaler },
    );
    expect(answer).toMatchObject({
      object: {
        kind: scaler.kind,
        apiVersion: "autoscaling/v1",
        metadata: { name: "h", labels: { defaulted: "yes" } },
        spec: { maxReplicas: 3, targetCPUUtilizationPercentage: 50 },
      },
    });
  });

  test("converts nothing in that of the endpoint", async () => {
    const unconverted = scopeOf("horizontalpodautoscalers", scaler, "v2", () => {
      throw new Error("nothing is converted");
    });
    for (const type of ["merge", "strategic"]) {
      const patch = { spec: { maxReplicas: 4 } };
      const answer = await patched(type, patch, { scope: unconverted, current: autoscaler });
      expect(answer).toMatchObject({ object: { spec: { maxReplicas: 4 } } });
    }
  });

  test("stays as it is in that of the endpoint", async () => {
    const answer = await patched(
      "merge",
      { spec: { maxReplicas: 4 } },
      { scope: scalers, current: autoscaler },
    );
    expect(answer).toMatchObject({ object: { apiVersion: "autoscaling/v1", spec: { maxReplicas: 4 } } });
  });

  test.each([
    [{ kind: "Namespace" }, "converting (v1.Namespace) to (core.ConfigMap): unknown conversion"],
    [{ apiVersion: "v9" }, 'no kind "ConfigMap" is registered for version "v9"'],
  ])("cannot be %j", async (patch, problem) => {
    expect(await patched("merge", patch)).toMatchObject({
      code: 422,
      message: expect.stringContaining(problem),
    });
  });

  test("leaves an empty object without one: internal types have none of its fields", async () => {
    expect(await patched("merge", { apiVersion: null }, { fieldValidation: "Ignore" })).toEqual({
      object: { kind: "ConfigMap", apiVersion: "v1", metadata: { labels: { defaulted: "yes" } } },
      warnings: [],
    });
    expect(await patched("merge", { apiVersion: null }, strict)).toMatchObject({
      code: 422,
      message: expect.stringMatching(
        /: strict decoding error: unknown field "data", unknown field "metadata"$/,
      ),
    });
  });

  test("changes nothing if it is strategic", async () => {
    expect(await patched("strategic", { kind: "Secret", apiVersion: "v2" })).toMatchObject({
      object: { kind: "ConfigMap", apiVersion: "v1" },
    });
  });
});
