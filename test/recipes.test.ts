import { execFile, spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Projects, readManifest } from "./installed-package.ts";

const run = promisify(execFile);
const hasKubectl = spawnSync("kubectl", ["version", "--client"]).status === 0;
const recipes = readdirSync("recipes").filter((name) => existsSync(`recipes/${name}/package.json`));

let projects: Projects;
beforeAll(() => {
  projects = new Projects();
});
afterAll(() => projects.remove());

for (const name of recipes) {
  const cannotRun = name === "kubectl" && !hasKubectl;
  test.skipIf(cannotRun)(`the recipe for ${name} works`, { concurrent: true }, async () => {
    const { dependencies, devDependencies } = readManifest(`recipes/${name}`);
    const packages = Object.keys({ ...dependencies, ...devDependencies });
    const project = projects.create(
      name,
      packages.filter((wanted) => wanted !== "kubedouble"),
    );
    cpSync(`recipes/${name}`, project, { recursive: true });
    const env = { ...process.env, CI: "true" };
    const failure = await run("npm", ["test"], { cwd: project, env, timeout: 100_000 }).then(
      () => "",
      ({ stdout, stderr }: { stdout: string; stderr: string }) => `failed\n${stdout}${stderr}`,
    );
    expect(failure).toBe("");
  });
}
