import { execFileSync } from "node:child_process";
import { cpSync, linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

interface Manifest {
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
  readonly bin?: string | Record<string, string>;
}

/** Peers are installed under an alias for each version; these are the newest that run on this Node. */
const isNewNode = Number(process.versions.node.split(".")[0]) >= 22;
const installed: { readonly [name: string]: string } = {
  "@kubernetes/client-node": isNewNode ? "client-node-2" : "client-node-1",
  msw: isNewNode ? "msw-3" : "msw-2",
  nock: isNewNode ? "nock-15" : "nock-14",
  undici: isNewNode ? "undici-8" : "undici-7",
};

/** Projects with the package installed as npm would install it from the registry: packed, copied, with its dependencies. */
export class Projects {
  readonly #directory: string = mkdtempSync(join(tmpdir(), "kubedouble-projects-"));
  readonly #packed: string = join(this.#directory, "packed");

  constructor() {
    for (const path of packedFiles()) {
      mkdirSync(dirname(join(this.#packed, path)), { recursive: true });
      cpSync(path, join(this.#packed, path));
    }
  }

  /**
   * A new project with these packages, linked from our own node_modules, and our package. `aliases` has the names of peers that
   * are not the newest.
   */
  create(
    name: string,
    packages: readonly string[],
    aliases: { readonly [name: string]: string } = {},
  ): string {
    const project = join(this.#directory, name);
    const modules = join(project, "node_modules");
    mkdirSync(join(modules, ".bin"), { recursive: true });
    // Links are enough, and much faster: tests do not change the package.
    for (const path of packedFiles()) {
      const file = join(modules, "kubedouble", path);
      mkdirSync(dirname(file), { recursive: true });
      linkSync(join(this.#packed, path), file);
    }
    const dependencies = Object.keys(readManifest(this.#packed).dependencies ?? {});
    for (const name of new Set([...packages, ...dependencies])) {
      mkdirSync(dirname(join(modules, name)), { recursive: true });
      symlinkSync(resolve("node_modules", aliases[name] ?? installed[name] ?? name), join(modules, name));
    }
    for (const name of [...packages, "kubedouble"]) {
      const { bin = {} } = readManifest(join(modules, name));
      for (const [command, path] of Object.entries(typeof bin === "string" ? { [name]: bin } : bin)) {
        symlinkSync(join("..", name, path), join(modules, ".bin", command));
      }
    }
    return project;
  }

  remove(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

let packed: readonly string[] | undefined;

/** The files that `npm pack` would include. */
export function packedFiles(): readonly string[] {
  packed ??= listPackedFiles();
  return packed;
}

function listPackedFiles(): readonly string[] {
  const output = execFileSync("npm", ["pack", "--dry-run", "--json"], {
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  const [{ files }]: [{ files: { path: string }[] }] = JSON.parse(output);
  return files.map(({ path }) => path);
}

/** The package.json of a directory. */
export function readManifest(directory: string): Manifest {
  return JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
}
