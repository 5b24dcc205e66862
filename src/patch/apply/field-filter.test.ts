import { describe, expect, test } from "vitest";
import { allBut, fieldPath, only } from "./field-filter.ts";
import { setOf } from "./field-set-algebra.ts";

describe("an endpoint that resets fields", () => {
  test("owns no fields in them", () => {
    const set = setOf(fieldPath("status"), fieldPath("status.replicas"), fieldPath("spec.replicas"));
    expect(allBut(["status"])(set)).toEqual(setOf(fieldPath("spec.replicas")));
  });

  test("owns their siblings", () => {
    const set = setOf(fieldPath("status.conditions"), fieldPath("status.certificate"), fieldPath("spec"));
    expect(allBut(["spec", "status.conditions"])(set)).toEqual(setOf(fieldPath("status.certificate")));
  });

  test("owns everything if it resets no fields", () => {
    const set = setOf(fieldPath("a"));
    expect(allBut([])(set)).toBe(set);
  });
});

describe("an endpoint limited to some fields", () => {
  const resize = only(["spec.containers.*.resources", "spec.containers.*.resizePolicy"]);
  const container = [...fieldPath("spec.containers"), 'k:{"name":"a"}'];

  test("owns everything below them", () => {
    const cpu = [...container, ...fieldPath("resources.limits.cpu")];
    expect(resize(setOf(cpu, [...container, "f:image"], fieldPath("metadata.labels.a")))).toEqual(setOf(cpu));
  });

  test("owns the containers on the path if they were owned", () => {
    const policy = [...container, "f:resizePolicy"];
    const set = setOf(container, policy, [...container, "f:image"]);
    expect(resize(set)).toEqual(setOf(container, policy));
    expect(resize(setOf(container))).toEqual(setOf(container));
  });

  test("owns no containers on the path if they were not owned, and nothing of an object without the fields", () => {
    const policy = [...container, "f:resizePolicy"];
    expect(resize(setOf(policy, [...container, "f:image"]))).toEqual(setOf(policy));
    expect(resize(setOf(fieldPath("spec.nodeName"), [...container, "f:image"]))).toEqual({});
  });

  test("owns a container alone if it was owned with other fields", () => {
    const set = setOf(fieldPath("spec.containers"), [...container, "f:image"]);
    expect(resize(set)).toEqual(setOf(fieldPath("spec.containers")));
  });

  test("owns all of a field of which another pattern names a part", () => {
    const some = only(["spec", "spec.replicas"]);
    expect(some(setOf(fieldPath("spec.selector")))).toEqual(setOf(fieldPath("spec.selector")));
  });

  test("owns nothing because the container itself matches a pattern for any field", () => {
    const any = only(["spec.*.resources"]);
    const set = setOf(fieldPath("spec"), fieldPath("spec.a.resources"));
    expect(any(set)).toEqual(set);
    expect(only(["spec.*"])(set)).toEqual(set);
  });
});
