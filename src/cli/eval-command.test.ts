import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { outcomeOf } from "../../test/cli/command-outcome.ts";
import { evalCommand } from "./eval-command.ts";

const directory = mkdtempSync(join(tmpdir(), "kubedouble-eval-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
afterEach(() => vi.restoreAllMocks());

function file(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

const object = file("object.yaml", "spec:\n  replicas: 3\n  big: 9007199254740993\n");
const oldObject = file("old.json", '{"spec": {"replicas": 2}}');
const crd = file(
  "crd.yaml",
  `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  versions:
    - name: v1
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec: { type: object, properties: { replicas: { type: integer } } }
`,
);

const run = (...args: readonly string[]) => outcomeOf(evalCommand, args);

test.each([
  ["without a file", ["1 + 2"], "3\n"],
  ["with an object", ["self.spec.replicas <= 5 && object.spec.replicas == 3", "-f", object], "true\n"],
  ["with an integer beyond 2^53", ["self.spec.big + 1", "-f", object], "9007199254740994\n"],
  [
    "with the object before",
    ["[oldSelf.spec.replicas, self.spec.replicas]", "-f", object, "--old-file", oldObject],
    "[2,3]\n",
  ],
  ["with a release", ["semver('1.2.3').major()", "--release", "1.34"], "1\n"],
  [
    "with a schema, verbosely",
    ["self.spec.replicas < 5", "-f", object, "--schema", crd, "--verbose"],
    "true\ntype: bool\nestimated cost: 4 to 4\ncost: 4\n",
  ],
])("the command writes a value %s", async (_title, args, out) => {
  expect(await run(...args)).toEqual({ status: 0, out, err: "" });
});

test.each([
  [
    "an error of the compiler",
    ["self.spec.nothing", "-f", object, "--schema", crd],
    "ERROR: <input>:1:10: undefined field 'nothing'\n | self.spec.nothing\n | .........^\n",
  ],
  ["an error of the evaluation", ["self.nothing", "-f", object], "no such key: nothing\n"],
  ["an error of a constant part", ["int('a')"], "type conversion error from 'string' to 'int'\n"],
])("the command writes %s on standard error", async (_title, args, err) => {
  expect(await run(...args)).toEqual({ status: 1, out: "", err });
});

test.each([
  [[], "eval needs one expression"],
  [["1", "2"], "eval needs one expression"],
  [["1", "--shema", "x"], "did you mean --schema?"],
])("the command refuses the arguments %j", async (args, message) => {
  await expect(evalCommand(args)).rejects.toThrow(message);
});
