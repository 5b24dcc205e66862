import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readManifests } from "./manifests.ts";
import { createPrivateDirectory } from "./private-file.ts";

const pod = (name: string) => ({ apiVersion: "v1", kind: "Pod", metadata: { name } });
const yaml = (name: string) => `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\n`;

const directory = createPrivateDirectory();

beforeAll(() => {
  mkdirSync(join(directory, "below.yaml"));
  writeFileSync(join(directory, "b.yml"), yaml("b"));
  writeFileSync(join(directory, "a.json"), JSON.stringify(pod("a")));
  writeFileSync(join(directory, "notes.txt"), "notes");
});

afterAll(() => rmSync(directory, { recursive: true }));

test("a directory contains its manifests, sorted by name", () => {
  const found = readManifests([join(directory, "b.yml"), directory]);
  expect(found.map(({ object }) => object)).toEqual([pod("b"), pod("a"), pod("b")]);
});

test("the error names a missing file", () => {
  expect(() => readManifests([join(directory, "none")])).toThrow(/ENOENT.*none/);
});
