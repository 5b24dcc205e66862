import { describe, expect, test } from "vitest";
import type { Release } from "../../../src/apimachinery/release.ts";
import { compileDeviceSelector } from "../../../src/cel/device-selector.ts";
import { quietCluster, testClient } from "../../registry/test-client.ts";

function classesOf(release: Release) {
  const version = release === "1.32" ? "v1beta1" : "v1";
  const runtimeConfig = new Map([[`resource.k8s.io/${version}`, true]]);
  return {
    path: `/apis/resource.k8s.io/${version}/deviceclasses`,
    send: testClient(quietCluster({ release, runtimeConfig })),
  };
}

function deviceClass(...expressions: readonly string[]): object {
  const selectors = expressions.map((expression) => ({ cel: { expression } }));
  return { metadata: { name: "c" }, spec: { selectors } };
}

const at = "spec.selectors[0].cel.expression";
const attribute = 'device.attributes["dra.example.com"]';
const numbers = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]";
const nested = ["a", "b", "c", "d", "e", "f", "g"].reduceRight(
  (body, name) => `${numbers}.all(${name}, ${body})`,
  "1 < 2",
);

/** Upstream: dynamic-resource-allocation, cel/compile_test.go; pkg/apis/resource/validation, validateCELSelector. */
describe("an expression that selects devices", () => {
  test.each<[string, Release, string]>([
    ["may read the driver", "1.32", 'device.driver == "dra.example.com"'],
    ["may read an attribute of any type", "1.32", `${attribute}.healthy`],
    ["may compare attributes", "1.32", `${attribute}.size > 10 && ${attribute}.model == "a"`],
    ["may compare versions", "1.32", `${attribute}.version.isGreaterThan(semver("1.0.0"))`],
    [
      "may compare capacities",
      "1.32",
      'device.capacity["dra.example.com"].memory.isLessThan(quantity("1Gi"))',
    ],
    ["may bind names", "1.32", `cel.bind(dra, ${attribute}, dra.one && dra.two)`],
    ["may ask whether a device is shared since 1.36", "1.36", "device.allowMultipleAllocations"],
  ])("%s", async (_title, release, expression) => {
    const { path, send } = classesOf(release);
    const { code, findings } = await send("POST", path, deviceClass(expression));
    expect({ code, findings }).toMatchObject({ code: 201 });
  });

  test.each<[string, string, string]>([
    [
      "compiles",
      "device.attributes[true].someBoolean",
      `${at}: Invalid value: "device.attributes[true].someBoolean": compilation failed: ERROR: <input>:1:18: found no matching overload for '_[_]' applied to '(map(string, map(string, any)), bool)'\n | device.attributes[true].someBoolean\n | .................^`,
    ],
    [
      "is a condition",
      "device.driver",
      `${at}: Invalid value: "device.driver": must evaluate to bool or the unknown type, not string`,
    ],
    ["costs little", nested, `${at}: Forbidden: too complex, exceeds cost limit`],
    [
      "cannot ask before 1.36 whether a device is shared",
      "device.allowMultipleAllocations",
      `${at}: Invalid value: "device.allowMultipleAllocations": compilation failed: ERROR: <input>:1:7: undefined field 'allowMultipleAllocations'\n | device.allowMultipleAllocations\n | ......^`,
    ],
  ])("%s", async (_title, expression, finding) => {
    const { path, send } = classesOf("1.32");
    expect((await send("POST", path, deviceClass(expression))).findings).toEqual([finding]);
  });

  test("is bounded in its cost by the sizes of a device", async () => {
    const { path, send } = classesOf("1.32");
    const all = `${attribute}.all(a, ${attribute}.all(b, a.contains(b)))`;
    expect((await send("POST", path, deviceClass(all))).code).toBe(201);
  });

  // There are ranges since 1.34.
  test.each([
    ["a new one may not use what the release before does not have", "new", "problem"],
    ["a stored one may", "stored", "compiled"],
  ] as const)("%s", (_title, expressions, outcome) => {
    const options = { release: "1.34", expressions, sharing: "unknown" } as const;
    expect(compileDeviceSelector("lists.range(2).size() == 2", options)).toHaveProperty(outcome);
  });
});
