import { execFile } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Projects } from "./installed-package.ts";

const run = promisify(execFile);

let projects: Projects;
beforeAll(() => {
  projects = new Projects();
});
afterAll(() => projects.remove());

test("Vitest workers share a server if the global setup starts one, next to their own clusters", async () => {
  const project = projects.create("shared-server", ["vitest"]);
  cpSync("test/vitest/shared-server", project, { recursive: true });
  const vitest = join(project, "node_modules/vitest/vitest.mjs");
  const env = { ...process.env, CI: "true" };
  const failure = await run(process.execPath, [vitest, "run"], { cwd: project, env }).then(
    () => "",
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `failed\n${stdout}${stderr}`,
  );
  expect(failure).toBe("");
  const [one, other] = ["one", "other"].map((worker) => readFileSync(join(project, `${worker}.uid`), "utf8"));
  expect(one).toMatch(/^[0-9a-f-]{36}$/);
  expect(other).toBe(one);
});
