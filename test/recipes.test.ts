import { execFile, execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const run = promisify(execFile);

interface Manifest {
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
  readonly bin?: string | Record<string, string>;
}

/** The newest major of each client that runs on this Node. */
const isNewNode = Number(process.versions.node.split(".")[0]) >= 22;
const installed: { readonly [name: string]: string } = {
  "@kubernetes/client-node": isNewNode ? "client-node-2" : "client-node-1",
  msw: isNewNode ? "msw-3" : "msw-2",
  nock: isNewNode ? "nock-15" : "nock-14",
  undici: isNewNode ? "undici-8" : "undici-7",
};

const hasKubectl = spawnSync("kubectl", ["version", "--client"]).status === 0;
const recipes = readdirSync("recipes").filter((name) => existsSync(`recipes/${name}/package.json`));

// Each recipe runs in a project of its own that has the packed package installed.
const directory = mkdtempSync(join(tmpdir(), "kubedouble-recipes-"));
const packed = join(directory, "packed");
beforeAll(() => {
  const output = execFileSync("npm", ["pack", "--dry-run", "--json"], { encoding: "utf8" });
  const [{ files }]: [{ files: { path: string }[] }] = JSON.parse(output);
  for (const { path } of files) {
    mkdirSync(dirname(join(packed, path)), { recursive: true });
    cpSync(path, join(packed, path));
  }
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

for (const name of recipes) {
  test.concurrent.skipIf(name === "kubectl" && !hasKubectl)(`the recipe for ${name} works`, async () => {
    const project = join(directory, name);
    cpSync(`recipes/${name}`, project, { recursive: true });
    install(project);
    const env = { ...process.env, CI: "true" };
    const result = await run("npm", ["test"], { cwd: project, env }).catch((error: unknown) => error);
    expect(result instanceof Error && "stdout" in result ? result.stdout : "").toBe("");
    expect(result).not.toBeInstanceOf(Error);
  });
}

/** What npm would do, with packages that are here already. */
function install(project: string): void {
  const { dependencies, devDependencies } = readManifest(project);
  const names = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => name !== "kubedouble");
  const modules = join(project, "node_modules");
  mkdirSync(join(modules, ".bin"), { recursive: true });
  cpSync(packed, join(modules, "kubedouble"), { recursive: true });
  for (const name of [...names, ...Object.keys(readManifest(packed).dependencies ?? {})]) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(resolve("node_modules", installed[name] ?? name), join(modules, name));
  }
  for (const name of [...names, "kubedouble"]) {
    const { bin = {} } = readManifest(join(modules, name));
    for (const [command, path] of Object.entries(typeof bin === "string" ? { [name]: bin } : bin)) {
      symlinkSync(join("..", name, path), join(modules, ".bin", command));
    }
  }
}

function readManifest(path: string): Manifest {
  return JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
}
