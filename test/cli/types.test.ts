import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { typesCommand } from "../../src/cli/types-command.ts";
import { outcomeOf } from "./command-outcome.ts";

const directory = mkdtempSync(join(tmpdir(), "kubedouble-types-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
afterEach(() => vi.restoreAllMocks());

function file(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

const spec = {
  type: "object",
  description: "What is wanted.\n\nIt ends */ a comment.",
  required: ["size", "color", "mode"],
  properties: {
    size: { type: "integer", description: "How large." },
    color: { type: "string", enum: ["red", "blue"], default: "red" },
    mode: { type: "string", nullable: true },
    port: { "x-kubernetes-int-or-string": true },
    labels: { type: "object", additionalProperties: { type: "string" } },
    parts: { type: "array", items: { type: "object", properties: { name: { type: "string" } } } },
    steps: { type: "array", items: { type: "string", enum: ["a", "b"] } },
    any: { "x-kubernetes-preserve-unknown-fields": true },
    open: {
      type: "object",
      "x-kubernetes-preserve-unknown-fields": true,
      properties: { known: { type: "boolean" } },
    },
    template: {
      type: "object",
      "x-kubernetes-embedded-resource": true,
      "x-kubernetes-preserve-unknown-fields": true,
    },
    empty: { type: "object" },
    "x-y": { type: "number" },
    ["__proto__"]: { type: "string" },
  },
};

const definition = (group: string, versions: readonly object[]) => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `widgets.${group}` },
  spec: { group, names: { kind: "Widget", plural: "widgets" }, scope: "Namespaced", versions },
});

const version = (name: string, more: object = {}) => ({
  name,
  served: true,
  storage: name === "v1",
  schema: {
    openAPIV3Schema: {
      type: "object",
      description: "A widget.",
      required: ["spec"],
      properties: {
        metadata: { type: "object" },
        spec,
        status: { type: "object", properties: { ready: { type: "boolean" } } },
      },
    },
  },
  ...more,
});

const deprecated = version("v1beta1", { deprecated: true, deprecationWarning: "use v1" });
const crd = file("crd.json", JSON.stringify(definition("example.com", [version("v1"), deprecated])));
const others = file(
  "others.json",
  [
    definition("a.test", [version("v1")]),
    definition("b.test", [version("v1")]),
    { apiVersion: "v1", kind: "ConfigMap" },
  ]
    .map((object) => JSON.stringify(object))
    .join("\n"),
);

test("kubedouble types writes types that the compiler accepts, and that say what the schema says", async () => {
  const { status, out } = await outcomeOf(typesCommand, [crd]);
  expect(status).toBe(0);
  expect(out).toContain("  /** How large. */\n    size: number;\n");
  expect(out).toContain("/**\n * A widget.\n * @deprecated use v1\n */\nexport interface WidgetV1beta1 {");
  const twice = await outcomeOf(typesCommand, [others]);
  expect(twice.out).toContain("export type WidgetATest = WidgetATestV1;");
  file("widget.ts", out);
  file("others.ts", twice.out);
  const uses = `import type { Widget, WidgetV1, WidgetV1beta1 } from "./widget.ts";
    import type { WidgetBTest } from "./others.ts";
    const head = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "a" } } as const;
    const spec = { size: 1, mode: null };
    export const all: Widget[] = [
      { ...head, spec },
      { ...head, spec: { ...spec, color: "blue", port: "http", labels: { a: "b" }, steps: ["a"], any: 1 } },
      { ...head, spec: { ...spec, port: 80, open: { known: true, more: [] }, "x-y": 1.5, empty: {} } },
      { ...head, spec: { ...spec, template: { apiVersion: "v1", kind: "Pod", spec: {} }, parts: [{ name: "x" }] } },
    ];
    export const same: WidgetV1 | undefined = all[0];
    export const other: WidgetBTest["apiVersion"] = "b.test/v1";
    // @ts-expect-error a required field
    export const noSize: Widget = { ...head, spec: { mode: "a" } };
    // @ts-expect-error another value
    export const green: Widget = { ...head, spec: { ...spec, color: "green" } };
    // @ts-expect-error a field that the schema does not have
    export const unknown: Widget = { ...head, spec: { ...spec, other: 1 } };
    // @ts-expect-error another version
    export const older: WidgetV1beta1 = { ...head, spec };
    // @ts-expect-error an object whose fields are all pruned
    export const full: Widget = { ...head, spec: { ...spec, empty: { a: 1 } } };
  `;
  file("uses.ts", uses);
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    isolatedDeclarations: true,
    declaration: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    target: "es2023",
    module: "nodenext",
    types: [],
  };
  const files = ["widget.ts", "others.ts", "uses.ts"];
  const project = file("tsconfig.json", JSON.stringify({ compilerOptions, files }));
  const compiler = createRequire(import.meta.url).resolve("typescript/package.json");
  const tsc = join(dirname(compiler), "bin/tsc");
  const compiled = spawnSync(process.execPath, [tsc, "-p", project], { encoding: "utf8" });
  expect(compiled.stdout).toBe("");
  expect(compiled.status).toBe(0);
});

test("a definition of v1beta1 has one version and one schema", async () => {
  const older = {
    group: "old.test",
    version: "v1",
    names: { kind: "My-kind" },
    validation: { openAPIV3Schema: {} },
  };
  const path = file(
    "old.json",
    JSON.stringify({
      apiVersion: "apiextensions.k8s.io/v1beta1",
      kind: "CustomResourceDefinition",
      metadata: { name: "k" },
      spec: older,
    }),
  );
  const { out } = await outcomeOf(typesCommand, [path]);
  expect(out).toContain(
    'export interface MyKindV1 {\n  apiVersion: "old.test/v1";\n  kind: "My-kind";\n  metadata: ObjectMeta;\n  [field: string]: unknown;\n}',
  );
});

test("kubedouble types needs a definition", async () => {
  await expect(typesCommand([])).rejects.toThrow("types needs the file of a CustomResourceDefinition");
  const path = file("map.yaml", "apiVersion: v1\nkind: ConfigMap\n");
  await expect(typesCommand([path])).rejects.toThrow(`no CustomResourceDefinition in ${path}`);
  expect((await outcomeOf(typesCommand, ["--help"])).out).toContain("kubedouble types FILE...");
});
