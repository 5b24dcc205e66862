import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { builtInKinds } from "../../tools/built-in-kinds.ts";
import { builtInKindsFile } from "../../tools/built-in-kinds-file.ts";
import { TypeNames } from "../../tools/type-names.ts";

describe("the types of the built-in kinds", () => {
  const text = builtInKinds();

  test("are those of the catalog (otherwise: npm run api)", () => {
    expect(readFileSync(builtInKindsFile, "utf8")).toBe(text);
  });

  test("have each name once", () => {
    const names = [...text.matchAll(/^export (?:type|interface) (\w+)/gm)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(500);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  test.each([
    ["required fields", "containers: Container[];"],
    ["optional fields", "replicas?: number;"],
    ["quantities as text", "export type ResourceRequirements = {\n  limits?: { [key: string]: string };"],
    ["numbers or texts", "targetPort?: string | number;"],
    ["times that may be null", "creationTimestamp?: string | null;"],
    ["alternatives", "export type JSONSchemaPropsOrBool = JSONSchemaProps | boolean;"],
    ["keys that are no identifiers", '"x-kubernetes-int-or-string"?: boolean;'],
    ["apiVersion and kind", 'export type CronJob = {\n  apiVersion: "batch/v1";\n  kind: "CronJob";'],
    ["kinds of several groups", 'export type EventsEvent = {\n  apiVersion: "events.k8s.io/v1";'],
    ["what a server always writes", 'Deployment: Stored<Deployment, "spec" | "status">;'],
    ["kinds that are not stored", 'SubjectAccessReview: Returned<SubjectAccessReview, "status">;'],
  ])("have %s", (_title, part) => {
    expect(text).toContain(part);
  });
});

test("a name belongs to the first group and version that declares it", () => {
  const core = { group: "", version: "v1" };
  const v2 = { group: "autoscaling", version: "v2" };
  const v1 = { group: "autoscaling", version: "v1" };
  const names = new TypeNames([core, v2, v1]);
  for (const gv of [v1, v2]) names.add(gv, "Scaler");
  for (const gv of [v1, v2, core]) names.add(gv, "Event");
  expect([v2, v1].map((gv) => names.nameOf(gv, "Scaler"))).toEqual(["Scaler", "ScalerV1"]);
  expect([core, v2, v1].map((gv) => names.nameOf(gv, "Event"))).toEqual([
    "Event",
    "AutoscalingEvent",
    "AutoscalingEventV1",
  ]);
});
