import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compile } from "../../src/cel/compilation.ts";
import { kubernetesEnvironment } from "../../src/cel/kubernetes-environment.ts";
import { formatStringClause } from "../../src/cel/libraries/extensions/format-string.ts";
import {
  authorizerType,
  authorizerValue,
  requestResourceValue,
  resourceCheckType,
} from "../../src/cel/libraries/kubernetes/authorizers.ts";
import { types } from "../../src/cel/types/cel-type.ts";
import type { CelValue } from "../../src/cel/values/value.ts";

/** An expression, and what a kube-apiserver of 1.32 said in a ValidatingAdmissionPolicy. */
interface Recorded {
  readonly expr: string;
  readonly value?: string;
  readonly runtimeError?: string;
  readonly compileError?: string;
  readonly note?: string;
}

const recorded = readFileSync("test/cel/data/golden.jsonl", "utf8")
  .trim()
  .split("\n")
  // The lines of the file have this form.
  .map((line) => JSON.parse(line) as Recorded);

const environment = kubernetesEnvironment({
  release: "1.32",
  expressions: "new",
  variables: [
    ["object", types.dyn],
    ["oldObject", types.dyn],
    ["request", types.dyn],
    ["namespaceObject", types.dyn],
    ["authorizer", authorizerType],
    ["authorizer.requestResource", resourceCheckType],
  ],
});

const check = () => ({ isAllowed: true, reason: "" });
const anything = { subresource: "", namespace: "celns", name: "cm", fieldSelector: "", labelSelector: "" };
const activation: Record<string, CelValue> = {
  object: {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "cm", namespace: "celns" },
    data: { a: "1" },
  },
  oldObject: null,
  request: {
    operation: "CREATE",
    resource: { group: "", version: "v1", resource: "configmaps" },
    userInfo: { username: "admin", groups: ["system:masters", "system:authenticated"] },
  },
  namespaceObject: { metadata: { name: "celns" } },
  authorizer: authorizerValue(check),
  "authorizer.requestResource": requestResourceValue(check, {
    kind: "resource",
    group: "",
    resource: "configmaps",
    ...anything,
  }),
};

/** The words around an error of instantiation in the status of the server. */
const instantiation = /Internal error: program instantiation failed: (.*)$/;

test.each(recorded)("$expr", ({ expr, value, runtimeError, compileError }) => {
  const compiled = compile(expr, environment);
  if (compileError !== undefined) {
    const message = "program" in compiled ? undefined : compiled.message;
    const instantiated = instantiation.exec(compileError)?.[1];
    expect(message).toBe(instantiated ?? compileError.replace("compilation failed: ", ""));
    return;
  }
  if (!("program" in compiled)) throw new Error(compiled.message);
  const outcome = compiled.program.evaluate(activation);
  if (runtimeError !== undefined || outcome.error !== undefined) {
    expect(outcome.error).toBe(runtimeError);
    return;
  }
  if (value !== undefined) expect(formatStringClause(outcome.value, "localized")).toBe(value);
});

test("the recorded expressions are all there", () => {
  expect(recorded).toHaveLength(140);
});
