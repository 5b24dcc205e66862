import { expect, test } from "vitest";
import { parseManifests } from "./manifest-text.ts";

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
    ["f, items[0]", "f, items[1]"],
  ],
  [
    "a typed list from a server",
    json({ apiVersion: "v1", kind: "PodList", items: [{ metadata: { name: "a" } }] }),
    [pod("a")],
    ["f, items[0]"],
  ],
  [
    "lists in lists",
    json({ apiVersion: "v1", kind: "List", items: [{ apiVersion: "v1", kind: "List", items: [pod("a")] }] }),
    [pod("a")],
    ["f, items[0], items[0]"],
  ],
  [
    "documents that a Windows editor saved",
    `${yaml("a")}---\r\n${yaml("b")}`.replaceAll("\n", "\r\n"),
    [pod("a"), pod("b")],
    ["f, document 1", "f, document 2"],
  ],
  ["nothing", "# nothing\n", [], []],
  ["white space", " ".repeat(50_000), [], []],
])("%s", (_title, text, objects, sources) => {
  const manifests = parseManifests(text, "f");
  expect(manifests.map(({ object }) => object)).toEqual(objects);
  expect(manifests.map(({ source }) => source)).toEqual(sources);
});

test.each([
  [
    `${yaml("a")}---\nkind: Pod\n`,
    `f, document 2: apiVersion not set; a manifest needs apiVersion and kind: {"kind":"Pod"}`,
  ],
  ["apiVersion: v1\n", `f: kind not set; a manifest needs apiVersion and kind: {"apiVersion":"v1"}`],
  ["- a\n", 'f: not an object: ["a"]'],
  ['{"apiVersion": "v1", "kind": "List", "items": [1]}', "f, items[0]: not an object: 1"],
  [
    `${yaml("a")}---\n${json({ apiVersion: "v1", kind: "List", items: [pod("a"), { kind: "Pod" }] })}`,
    `f, document 2, items[1]: apiVersion not set; a manifest needs apiVersion and kind: {"kind":"Pod"}`,
  ],
])("%j is refused", (text, message) => {
  expect(() => parseManifests(text, "f")).toThrow(new Error(message));
});

test.each(["a: [\n", '{"a": }', "a: b: c\n"])("%j is refused with an error that names the file", (text) => {
  expect(() => parseManifests(text, "f")).toThrow(/^f: ./);
});
