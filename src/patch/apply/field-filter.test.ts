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
});
