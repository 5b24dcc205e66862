import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { allowedMetricLabels } from "./metric-label-files.ts";

const directory = mkdtempSync(join(tmpdir(), "kubedouble-metric-labels-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function file(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

test.each<[pairs: readonly string[] | undefined, allowed: object | undefined]>([
  [undefined, undefined],
  [["a,b=v1,v2"], { "a,b": "v1,v2" }],
  [['"a,b=v1,v2","c,d="'], { "a,b": "v1,v2", "c,d": "" }],
  [["a,b=1", "c,d=2"], { "a,b": "1", "c,d": "2" }],
])("--allow-metric-labels %j allows %j", (pairs, allowed) => {
  expect(allowedMetricLabels(pairs, undefined)).toEqual(allowed);
});

test("a flag overrides the manifest", () => {
  const manifest = file("labels.yaml", '"a,b": v1\n"c,d": v2\n');
  expect(allowedMetricLabels(["a,b=v3"], manifest)).toEqual({ "a,b": "v3", "c,d": "v2" });
});

test("pairs and manifests of another form are refused", () => {
  expect(() => allowedMetricLabels(["a"], undefined)).toThrow("a must be formatted as key=value");
  expect(() => allowedMetricLabels([], join(directory, "missing"))).toThrow(
    "failed to read allow list manifest: ENOENT",
  );
  expect(() => allowedMetricLabels([], file("list.yaml", "- a\n"))).toThrow(
    "failed to parse allow list manifest: ",
  );
});
