import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { catalogFiles } from "./catalog-files.ts";
import {
  builtinPriority,
  compareKubeVersions,
  customResourcePriority,
  inPriorityOrder,
} from "./group-priority.ts";

const served = catalogFiles.keys().flatMap((key) => {
  const file = catalogFiles.file(key);
  return file?.resources === undefined ? [] : [{ group: file.group, version: file.version }];
});

test("every version that a release can serve has a priority", () => {
  expect(served.filter((gv) => builtinPriority(gv) === undefined)).toEqual([]);
  expect(builtinPriority({ group: "ex.io", version: "v1" })).toBeUndefined();
  expect(builtinPriority({ group: "", version: "constructor" })).toBeUndefined();
});

test("the groups have the observed order up to 1.31", () => {
  const { groupOrder } = JSON.parse(readFileSync("src/catalog/generated/apimachinery.json", "utf8")) as {
    groupOrder: readonly string[];
  };
  const before = served.filter(
    ({ group, version }) => group !== "resource.k8s.io" || version.includes("alpha"),
  );
  const ranked = before.flatMap((gv) => {
    const priority = builtinPriority(gv);
    return priority === undefined ? [] : [{ ...gv, priority }];
  });
  const groups = [...new Set(inPriorityOrder(ranked).map(({ group }) => group))];
  expect(groups.filter((group) => groupOrder.includes(group))).toEqual(groupOrder);
});

test("a group has the place of its highest version; equal ones go by name, newest version first", () => {
  const gv = (group: string, version: string, priority = customResourcePriority) => ({
    group,
    version,
    priority,
  });
  const ordered = inPriorityOrder([
    gv("b.io", "v1"),
    gv("a.io", "v1beta1"),
    gv("c.io", "v1", { group: 10, version: 1 }),
    gv("a.io", "v2"),
    gv("c.io", "v2alpha1", { group: 2000, version: 9 }),
    gv("a.io", "v10"),
  ]);
  expect(ordered.map(({ group, version }) => `${group}/${version}`)).toEqual([
    "c.io/v2alpha1",
    "c.io/v1",
    "a.io/v10",
    "a.io/v2",
    "a.io/v1beta1",
    "b.io/v1",
  ]);
});

test("versions are ordered by stability, then by number; other names come last, in alphabetical order", () => {
  const newestFirst = [
    "v10",
    "v2",
    "v1",
    "v11beta2",
    "v10beta3",
    "v3beta1",
    "v12alpha1",
    "v11alpha2",
    "foo1",
    "foo10",
  ];
  expect([...newestFirst].reverse().sort((a, b) => compareKubeVersions(b, a))).toEqual(newestFirst);
});
