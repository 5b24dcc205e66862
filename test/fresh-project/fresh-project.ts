import { execFile } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The directories in `recipes`. */
export const recipes: readonly string[] = readdirSync("recipes").filter((name) =>
  existsSync(`recipes/${name}/package.json`),
);

/** Which major versions of the client libraries are installed. */
export type Majors = "pinned" | "newest";

/** The packages of the project, and the names under which this repository has them. The last ones need Node 22. */
const installed: { readonly [name: string]: { readonly [majors in Majors]: string } } = {
  "@kubernetes/client-node": { pinned: "client-node-1", newest: "client-node-2" },
  msw: { pinned: "msw-2", newest: "msw-3" },
  nock: { pinned: "nock-14", newest: "nock-15" },
  undici: { pinned: "undici-7", newest: "undici-8" },
  ...Object.fromEntries(
    ["@types/node", "jest", "playwright-core", "typescript", "vite", "vitest"].map((name) => [
      name,
      { pinned: name, newest: name },
    ]),
  ),
};

/** Whether a package has a newer major version for newer releases of Node. */
export function hasNewerMajor(name: string): boolean {
  const versions = installed[name];
  return versions !== undefined && versions.pinned !== versions.newest;
}

/**
 * A project outside of this repository with the packed package and all recipes, as a user would have it: one `npm
 * install` for everything. The versions of the packages are those of our lock file.
 */
export class FreshProject {
  readonly directory: string = mkdtempSync(join(tmpdir(), "kubedouble-project-"));
  readonly #majors: Majors;

  constructor(majors: Majors) {
    this.#majors = majors;
  }

  /** Packs, copies the recipes and installs. */
  async install(): Promise<void> {
    const tarball = await this.#pack();
    for (const recipe of recipes) this.#copyRecipe(recipe);
    const devDependencies: Record<string, string> = { kubedouble: `file:${tarball}` };
    for (const [name, versions] of Object.entries(installed)) {
      devDependencies[name] = versionOf(versions[this.#majors]);
    }
    this.write("package.json", {
      private: true,
      type: "module",
      workspaces: ["recipes/*"],
      devDependencies,
      // It is not in the registry yet.
      overrides: { kubedouble: "$kubedouble" },
    });
    const options = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", "--strict-peer-deps"];
    await run("npm", ["install", ...options], { cwd: this.directory });
  }

  /** Writes a file of the project; an object as JSON. */
  write(path: string, content: string | object): void {
    const file = this.path(path);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content, null, 2));
  }

  /** Writes a program of the project. */
  writeProgram(path: string, content: string): void {
    this.write(path, content);
    chmodSync(this.path(path), 0o755);
  }

  path(path: string): string {
    return join(this.directory, path);
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** Packs with the scripts of package.json, as `npm publish` would, and returns the name of the file. */
  async #pack(): Promise<string> {
    const options = ["--json", "--ignore-scripts=false", "--pack-destination", this.directory];
    const { stdout } = await run("npm", ["pack", ...options], { maxBuffer: 1 << 26 });
    const [{ filename }]: [{ filename: string }] = JSON.parse(stdout.slice(stdout.indexOf("[\n")));
    return filename;
  }

  #copyRecipe(name: string): void {
    cpSync(`recipes/${name}`, this.path(`recipes/${name}`), { recursive: true });
    if (this.#majors === "pinned") return;
    const manifest = readManifest(`recipes/${name}`);
    for (const group of [manifest.dependencies, manifest.devDependencies]) {
      for (const dependency of Object.keys(group ?? {}).filter(hasNewerMajor)) {
        if (group !== undefined)
          group[dependency] = `^${versionOf(installed[dependency]?.newest ?? dependency)}`;
      }
    }
    this.write(`recipes/${name}/package.json`, manifest);
  }
}

/** The parts of a package.json that concern us. */
interface Manifest {
  readonly version: string;
  readonly scripts?: Record<string, string>;
  readonly engines?: Record<string, string>;
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
}

/** The package.json of a directory. */
export function readManifest(directory: string): Manifest {
  return JSON.parse(readFileSync(resolve(directory, "package.json"), "utf8"));
}

function versionOf(installedAs: string): string {
  return readManifest(`node_modules/${installedAs}`).version;
}
