import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseManifests, readManifests } from "./manifests.ts";
import { createPrivateDirectory } from "./private-file.ts";

const pod = (name: string) => ({ apiVersion: "v1", kind: "Pod", metadata: { name } });
const yaml = (name: string) => `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\n`;
const json = (value: unknown) => JSON.stringify(value, null, 2);

test.each([
  ["a document", yaml("a"), [pod("a")], ["f"]],
  [
    "documents",
    `# none\n---\n${yaml("a")}--- # next\n${yaml("b")}---\n\n`,
    [pod("a"), pod("b")],
    ["f, document 1", "f, document 2"],
  ],
  ["JSON", json(pod("a")), [pod("a")], ["f"]],
  [
    "several JSON values",
    `${json(pod("a"))}\n${json(pod("b"))}`,
    [pod("a"), pod("b")],
    ["f, document 1", "f, document 2"],
  ],
  [
    "a List of any kinds",
    json({ apiVersion: "v1", kind: "List", items: [pod("a"), pod("b")] }),
    [pod("a"), pod("b")],
    ["f", "f"],
  ],
  [
    "a typed list from a server",
    json({ apiVersion: "v1", kind: "PodList", items: [{ metadata: { name: "a" } }] }),
    [pod("a")],
    ["f"],
  ],
  ["nothing", "# nothing\n", [], []],
  ["white space", " ".repeat(50_000), [], []],
])("%s", (_title, text, objects, sources) => {
  const manifests = parseManifests(text, "f");
  expect(manifests.map(({ object }) => object)).toEqual(objects);
  expect(manifests.map(({ source }) => source)).toEqual(sources);
});

test.each([
  [`${yaml("a")}---\nkind: Pod\n`, "f, document 2: apiVersion not set"],
  ["apiVersion: v1\n", "f: kind not set"],
  ["- a\n", "f: not an object"],
  ['{"apiVersion": "v1", "kind": "List", "items": [1]}', "f: not an object"],
])("%j is refused", (text, message) => {
  expect(() => parseManifests(text, "f")).toThrow(new Error(message));
});

test.each(["a: [\n", '{"a": }', "a: b: c\n"])("%j is refused with an error that names the file", (text) => {
  expect(() => parseManifests(text, "f")).toThrow(/^f: ./);
});

const directory = createPrivateDirectory();

beforeAll(() => {
  mkdirSync(join(directory, "below.yaml"));
  writeFileSync(join(directory, "b.yml"), yaml("b"));
  writeFileSync(join(directory, "a.json"), json(pod("a")));
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
