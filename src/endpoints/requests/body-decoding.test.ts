import { describe, expect, test } from "vitest";
import type { ResourceScope } from "../contract/scope.ts";
import { checkVersion, isAccepted, isSameKind, summarize, validateFields } from "./body-decoding.ts";

const deployment = { group: "apps", version: "v1", kind: "Deployment" };
/** An endpoint that also takes deployments of `v1beta1`. The functions read no other parts. */
const scope = {
  gvk: deployment,
  rest: { acceptsVersion: ({ version }: { version: string }) => version === "v1beta1" },
} as unknown as ResourceScope;

test.each([
  ["", "<empty>"],
  ["{}", "{}"],
  [`{"a":"${"x".repeat(24)}"}`, `{"a":"${"x".repeat(24)} ...`],
  [`{"a":"${"x".repeat(22)}"}`, `{"a":"${"x".repeat(22)}"}`],
  ["a: b\n", "613a20620a"],
  ["\u0001".repeat(31), `${"01".repeat(30)} ...`],
])("the summary of the body %j is %j", (body, summary) => {
  expect(summarize(new TextEncoder().encode(body))).toBe(summary);
});

describe("an endpoint", () => {
  test("takes bodies of its type, and of other versions that its kind accepts", () => {
    for (const [change, accepted] of [
      [{}, true],
      [{ version: "v1beta1" }, true],
      [{ version: "v1beta2" }, false],
      [{ kind: "Scale", version: "v1beta1" }, false],
      [{ group: "extensions" }, false],
    ] as const)
      expect(isAccepted({ ...deployment, ...change }, scope)).toBe(accepted);
    expect(
      isAccepted({ ...deployment, version: "v1beta1" }, { ...scope, rest: {} as ResourceScope["rest"] }),
    ).toBe(false);
  });

  test("refuses other versions", () => {
    expect(() => checkVersion({ ...deployment, version: "v1beta1" }, scope)).not.toThrow();
    expect(() => checkVersion({ ...deployment, version: "v2" }, scope)).toThrow(
      "the API version in the data (apps/v2) does not match the expected API version (apps/v1)",
    );
  });

  test("compares every part of a type", () => {
    expect(isSameKind(deployment, { ...deployment })).toBe(true);
    for (const change of [{ group: "" }, { version: "v2" }, { kind: "X" }])
      expect(isSameKind(deployment, { ...deployment, ...change })).toBe(false);
  });
});

describe("field validation", () => {
  const findings = ['unknown field "a"', 'duplicate field "b"'];
  const validated = (level: "Ignore" | "Warn" | "Strict", strictErrors: readonly string[] = findings) => {
    const warnings: string[] = [];
    const decoded = { gvk: { ...deployment, version: "v1beta1" }, object: {}, strictErrors };
    validateFields(decoded, level, scope, { warn: (text) => warnings.push(text) });
    return warnings;
  };

  test("warns of what strict decoding finds, refuses it, or ignores it", () => {
    expect(validated("Warn")).toEqual(findings);
    expect(validated("Ignore")).toEqual([]);
    expect(() => validated("Strict")).toThrow(
      'Deployment in version "v1beta1" cannot be handled as a Deployment: strict decoding error: unknown field "a", duplicate field "b"',
    );
  });

  test("has nothing to say without findings", () => {
    for (const level of ["Ignore", "Warn", "Strict"] as const) expect(validated(level, [])).toEqual([]);
  });
});
