import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { outcomeOf } from "../../test/cli/command-outcome.ts";
import { lintCommand } from "./lint-command.ts";
import { lintHelp } from "./lint-help.ts";

const directory = mkdtempSync(join(tmpdir(), "kubedouble-lint-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
afterEach(() => vi.restoreAllMocks());

function file(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

const plan = (removed: string) => `apis:
  - group: example.com
    kind: Widget
    timeline:
      v1beta1: { introduced: "1.28", deprecated: "1.29", removed: "${removed}" }
      v1: { introduced: "1.29" }
`;
const early = file("early.yaml", plan("1.31"));
const clean = file("clean.yaml", plan("1.32"));
const json = file(
  "plan.json",
  JSON.stringify({ flags: [{ name: "--foo", deprecated: "1.30", warns: false }] }),
);
const run = (...args: readonly string[]) => outcomeOf(lintCommand, args);

test("a plan that breaks no rule exits with 0", async () => {
  expect(await run(clean)).toEqual({ status: 0, out: "", err: "" });
});

test("what plans break is a line each, and exits with 1", async () => {
  expect(await run(early, json)).toEqual({
    status: 1,
    out:
      "#4a example.com/v1beta1 Widget: removed in 1.31, but deprecated in 1.29: it has to function for 3 releases or 9 months, whichever is longer; earliest: 1.32\n" +
      "#6 flag --foo of kube-apiserver: deprecated, but its use does not print a warning\n",
    err: "",
  });
});

test("the findings as JSON have the rule and the earliest release", async () => {
  const { status, out } = await run("-o", "json", early);
  expect([status, JSON.parse(out)]).toMatchObject([
    1,
    { findings: [{ rule: "#4a", subject: "example.com/v1beta1 Widget", earliest: "1.32" }] },
  ]);
});

test("each document of a file is a plan", async () => {
  const { status, out } = await run(file("two.yaml", `# first\n---\n${plan("1.32")}---\n${plan("1.31")}`));
  expect([status, out]).toEqual([1, expect.stringMatching(/^#4a .*; earliest: 1.32\n$/)]);
  expect(await run(file("mark.json", '\ufeff{"flags": []}'))).toMatchObject({ status: 0 });
});

test("--help shows the usage", async () => {
  expect(await run("--help")).toEqual({ status: 0, out: lintHelp, err: "" });
});

test.each<[title: string, args: readonly string[], message: string]>([
  ["no file", [], "lint-deprecations needs a file"],
  ["a file that does not exist", [join(directory, "none.yaml")], "none.yaml: ENOENT"],
  ["a file that is no plan", [file("list.yaml", "- a\n")], "list.yaml: it is not an object with apis"],
  ["broken YAML", [file("broken.yaml", "apis: [")], "broken.yaml: "],
  ["an unknown member", [file("unknown.yaml", "api: []\n")], 'unknown option "api"; did you mean "apis"?'],
  ["an unknown release", [file("release.yaml", plan("2.0"))], 'release "2.0" is not supported'],
  [
    "a version that is there twice",
    [file("twice.yaml", `${plan("1.32")}      v1: { introduced: "1.30" }\n`)],
    'twice.yaml: yaml: unmarshal errors:\n  line 7: key "v1" already set in map',
  ],
  [
    "a version that is there twice in JSON",
    [
      file(
        "twice.json",
        '{"apis": [{"group": "a.b", "timeline": {"v1": {}, "v1": {"introduced": "1.30"}}}]}',
      ),
    ],
    'twice.json: duplicate field "apis[0].timeline.v1"',
  ],
  ["an empty file", [file("empty.yaml", "# nothing\n")], "empty.yaml: it is not an object with apis"],
  [
    "a directory without plans",
    [mkdtempSync(join(directory, "none-"))],
    "the directory has no files of YAML or JSON",
  ],
  ["control characters", [file("binary.yaml", "a: \u0000\u0001")], "control characters are not allowed"],
  [
    "the name of a prototype as a version",
    [file("prototype.yaml", 'apis:\n- group: a.b\n  timeline:\n    __proto__: { introduced: "1.30" }\n')],
    '"__proto__" is not a version',
  ],
  ["one of two plans that is none", [clean, file("text.yaml", "text")], "text.yaml: it is not an object"],
  ["an unknown flag", ["--strict"], "unknown flag: --strict"],
  ["an unknown format", ["-o", "xml", clean], '--output "xml" is not "text" or "json"'],
])("%s exits with 2", async (_, args, message) => {
  const { status, out, err } = await run(...args);
  expect({ status, out }).toEqual({ status: 2, out: "" });
  expect(err).toContain(message);
});
