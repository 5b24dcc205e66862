import { execFile, spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pythonWithKubernetes } from "../scoreboard/python.ts";
import { Projects, readManifest } from "./installed-package.ts";

const run = promisify(execFile);
const recipes = readdirSync("recipes").filter((name) => existsSync(`recipes/${name}/package.json`));

/** What a recipe needs on this machine: environment variables for it, or undefined if it is missing. */
type Needs = () => NodeJS.ProcessEnv | undefined;

const needs: { readonly [recipe: string]: readonly [what: string, find: Needs] } = {
  kubectl: ["kubectl on PATH", () => (succeeds("kubectl", "version", "--client") ? {} : undefined)],
  python: ["a Python with the package kubernetes", findPython],
  dashboard: ["chromium, chromium-browser or google-chrome on PATH", findBrowser],
};

let projects: Projects;
beforeAll(() => {
  projects = new Projects();
});
afterAll(() => projects.remove());

for (const name of recipes) {
  const [what = "", find = () => ({})] = needs[name] ?? [];
  const found = find();
  if (found === undefined) console.log(`skipped: the recipe ${name} needs ${what}`);
  test.skipIf(found === undefined)(`the recipe for ${name} works`, { concurrent: true }, async () => {
    const { dependencies, devDependencies } = readManifest(`recipes/${name}`);
    const packages = Object.keys({ ...dependencies, ...devDependencies });
    const project = projects.create(
      name,
      packages.filter((wanted) => wanted !== "kubedouble"),
    );
    cpSync(`recipes/${name}`, project, { recursive: true });
    const env = { ...process.env, ...found, CI: "true" };
    const failure = await run("npm", ["test"], { cwd: project, env, timeout: 100_000 }).then(
      () => "",
      ({ stdout, stderr }: { stdout: string; stderr: string }) => `failed\n${stdout}${stderr}`,
    );
    expect(failure).toBe("");
  });
}

function findPython(): NodeJS.ProcessEnv | undefined {
  const found = pythonWithKubernetes();
  return found === undefined ? undefined : { PYTHON: found };
}

function findBrowser(): NodeJS.ProcessEnv | undefined {
  const names = ["chromium", "chromium-browser", "google-chrome"];
  return names.some((browser) => succeeds(browser, "--version")) ? {} : undefined;
}

function succeeds(command: string, ...args: string[]): boolean {
  return spawnSync(command, args).status === 0;
}
