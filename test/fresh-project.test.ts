import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { pythonWithKubernetes } from "../scoreboard/python.ts";
import { parseAdmitFlags } from "../src/cli/admit-command.ts";
import { parseCheckFlags } from "../src/cli/check-command.ts";
import { parseControlFlags } from "../src/cli/control-commands.ts";
import { parseConvertFlags } from "../src/cli/convert-command.ts";
import { parseCredentialStep } from "../src/cli/credential-steps.ts";
import { parseEvalFlags } from "../src/cli/eval-command.ts";
import { parseLintFlags } from "../src/cli/lint-command.ts";
import { parseServeFlags } from "../src/cli/serve-flags.ts";
import { parseScenario } from "../src/scenario/named-scenarios.ts";
import { type ExampleFile, exampleFiles, writeExamples } from "./fresh-project/example-files.ts";
import { documents, examplesOf } from "./fresh-project/examples.ts";
import {
  FreshProject,
  hasNewerMajor,
  type Majors,
  readManifest,
  recipes,
} from "./fresh-project/fresh-project.ts";
import { type Outcome, runProgram, succeeds } from "./fresh-project/programs.ts";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const ofNode: readonly Majors[] = major >= 22 ? ["pinned", "newest"] : ["pinned"];
const runsTypeScript = major > 22 || (major === 22 && minor >= 18);

const python = pythonWithKubernetes();
const browsers = ["chromium", "chromium-browser", "google-chrome"];

/** What some recipes and examples need on this machine. */
const needs: { readonly [user: string]: readonly [what: string, isHere: boolean] } = {
  kubectl: ["kubectl on PATH", succeeds("kubectl", "version", "--client")],
  python: ["a Python with the package kubernetes", python !== undefined],
  pytest: [
    "a Python with the packages kubernetes and pytest",
    python !== undefined && succeeds(python, "-c", "import pytest"),
  ],
  shell: ["kubectl on PATH", succeeds("kubectl", "version", "--client")],
  webhooks: ["openssl on PATH", succeeds("openssl", "version")],
  go: ["go on PATH", succeeds("go", "version")],
  dashboard: [
    "chromium, chromium-browser or google-chrome on PATH",
    browsers.some((name) => succeeds(name, "--version")),
  ],
};

function isMissing(user: string): boolean {
  const [what, isHere] = needs[user] ?? ["", true];
  if (!isHere) console.log(`skipped: ${user} needs ${what}`);
  return !isHere;
}

const files = exampleFiles();
const projects = new Map(ofNode.map((majors) => [majors, new FreshProject(majors)]));
const projectWith = (majors: Majors): FreshProject => {
  const found = projects.get(majors);
  if (found === undefined) throw new Error(`no project with the ${majors} majors`);
  return found;
};

beforeAll(async () => {
  // npm writes to its cache: one after the other.
  for (const project of projects.values()) {
    await project.install();
    // Programs call it python3, whatever its path.
    if (python !== undefined) project.writeProgram("bin/python3", `#!/bin/sh\nexec ${python} "$@"\n`);
  }
  writeExamples(projectWith("pinned"), files);
}, 600_000);
afterAll(() => {
  for (const project of projects.values()) project.remove();
}, 120_000);

const ofRecipes = ofNode.flatMap((majors) =>
  recipes
    .filter((name) => majors === "pinned" || dependenciesOf(name).some(hasNewerMajor))
    .map((name) => [name, majors] as const),
);

describe.concurrent("recipes", () => {
  for (const [name, majors] of ofRecipes) {
    test.skipIf(isMissing(name))(`the recipe ${name} works with the ${majors} major versions`, async () => {
      const { directory } = projectWith(majors);
      const outcome = await runProgram("npm", ["test", ...patienceOf(name)], {
        cwd: `${directory}/recipes/${name}`,
        path: `${directory}/bin`,
        // Go works without a C compiler as well.
        environment: { CGO_ENABLED: "0" },
      });
      expect(outcome.status === 0 ? "" : outcome.output).toBe("");
    });
  }
});

/** The arguments with which a test runner waits longer than its default of five seconds: all recipes run at once. */
function patienceOf(recipe: string): readonly string[] {
  const { scripts } = readManifest(`recipes/${recipe}`);
  return /^(?:vitest|jest)\b/.test(scripts?.["test"] ?? "") ? ["--", "--testTimeout=60000"] : [];
}

test.each(recipes)("the recipe %s says what it shows and on which Node it runs", (name) => {
  const { engines, devDependencies } = readManifest(`recipes/${name}`);
  expect(readdirSync(`recipes/${name}`)).toContain("README.md");
  expect(engines).toEqual({ node: ">=20.19" });
  expect(devDependencies?.["kubedouble"]).toBe(`^${readManifest(".").version}`);
});

describe.concurrent("examples in documents", () => {
  test("compile", async () => {
    expect(await compiled()).toEqual({ status: 0, output: "" });
  });

  for (const runner of ["vitest", "jest", "node --test"] as const) {
    const paths = files.filter((file) => file.runner === runner).map(({ path }) => path);
    test(`pass in ${runner}`, async () => {
      expect(paths).not.toEqual([]);
      const outcome = await runTests(runner, paths);
      expect(outcome.status === 0 ? "" : outcome.output).toBe("");
    });
  }

  for (const file of files.filter(({ runner }) => runner === "node")) {
    test(`${file.document}: ${file.name} runs`, async () => {
      await compiled();
      const path = file.language === "ts" && !runsTypeScript ? compiledPath(file) : file.path;
      const { status, output } = await runProgram(process.execPath, [path, ...file.args], {
        cwd: projectWith("pinned").directory,
      });
      expect({ status, output }).toEqual({ status: 0, output: matching(file.expected ?? "…", output) });
    });
  }

  const inPython = files.filter(({ runner }) => runner === "python");
  test.skipIf(isMissing("python"))("pass in Python", async () => {
    const { directory } = projectWith("pinned");
    for (const folder of new Set(inPython.map(({ path }) => dirname(path)))) {
      const command = ["kubedouble", "exec", "--", "python3", "-m", "unittest", "--verbose"];
      const options = { cwd: `${directory}/${folder}`, path: `${directory}/bin` };
      const outcome = await runProgram("npx", command, options);
      expect(outcome.status === 0 ? "" : outcome.output).toBe("");
    }
    expect(inPython).not.toEqual([]);
  });
});

/** The commands whose flags can be read without running them. */
const parsers: { readonly [command: string]: (args: readonly string[]) => unknown } = {
  admit: parseAdmitFlags,
  check: parseCheckFlags,
  convert: parseConvertFlags,
  eval: parseEvalFlags,
  "lint-deprecations": parseLintFlags,
};

test.each(commandLines())("%s: the flags exist", (_document, command, args) => {
  if (command === "serve" || command === "exec") expect(parseServeFlags(command, args)).toBeDefined();
  else if (command === "inject") {
    const { operands } = parseControlFlags(command, args);
    expect(operands.map((text) => parseScenario(text).name)).not.toEqual([]);
  } else if (command in parsers) expect(() => parsers[command]?.(args)).not.toThrow();
  else if (command === "credential")
    expect(args.map((step) => parseCredentialStep(step).type)).not.toEqual([]);
  else expect.fail(`no command ${command}`);
});

test("the data in documents can be read", () => {
  const data = documents.flatMap(examplesOf).filter(({ language }) => ["yaml", "json"].includes(language));
  for (const { language, text } of data) {
    if (language === "json") expect(() => parse(text)).not.toThrow();
    else expect(parseAllDocuments(text).flatMap(({ errors }) => errors)).toEqual([]);
  }
});

let compiling: Promise<Outcome> | undefined;

/** The outcome of the compiler, which runs once for all examples. */
function compiled(): Promise<Outcome> {
  const cwd = projectWith("pinned").directory;
  compiling ??= runProgram(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "."], { cwd });
  return compiling;
}

function compiledPath({ path }: ExampleFile): string {
  return path.replace(/^examples/, "compiled").replace(/\.ts$/, ".js");
}

/** What the program should print: the expected text, with what it really printed in place of `…`. */
function matching(expected: string, output: string): string {
  const parts = expected
    .trimEnd()
    .split("…")
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}\\s*$`).test(output) ? output : expected;
}

/** Examples have the defaults of Vitest, which are short for a busy machine. */
const patience = ["--testTimeout=60000", "--hookTimeout=60000", "--expect.poll.timeout=30000"];

async function runTests(
  runner: "vitest" | "jest" | "node --test",
  paths: readonly string[],
): Promise<Outcome> {
  const { directory: cwd } = projectWith("pinned");
  switch (runner) {
    case "vitest":
      return runProgram("npx", ["vitest", "run", ...patience, ...paths], { cwd });
    case "jest":
      return runProgram(
        "npx",
        ["jest", "--testTimeout=60000", "--rootDir", ".", "--runTestsByPath", ...paths],
        { cwd },
      );
    case "node --test":
      return runProgram(process.execPath, ["--test", ...paths], { cwd });
  }
}

/** Every call of the command in shell examples: the document, the subcommand, its arguments. */
function commandLines(): readonly (readonly [document: string, command: string, args: readonly string[]])[] {
  const shells = documents.flatMap(examplesOf).filter(({ language }) => language === "sh");
  return shells.flatMap(({ document, text }) =>
    [...text.matchAll(/^(?:npx )?kubedouble (.*)$/gm)].map(([, line = ""]) => {
      const [command = "", ...args] = line.replace(/ +#.*/, "").replace(/ &$/, "").split(/ +/);
      return [document, command, args] as const;
    }),
  );
}

function dependenciesOf(recipe: string): readonly string[] {
  const { dependencies, devDependencies } = readManifest(`recipes/${recipe}`);
  return Object.keys({ ...dependencies, ...devDependencies });
}
