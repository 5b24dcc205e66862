import { execFile, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { parseSync } from "oxc-parser";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, expect, test } from "vitest";
import { entries, packageExports } from "../tools/entries.ts";
import { Projects, packedFiles } from "./installed-package.ts";

const run = promisify(execFile);
const manifest = JSON.parse(readFileSync("package.json", "utf8"));

/** Packages that are too expensive to load before code needs them. */
const heavy = ["protobufjs"];

let projects: Projects;
let project: string;
beforeAll(() => {
  projects = new Projects();
  project = projects.create("entries", Object.keys(manifest.peerDependencies));
});
afterAll(() => projects.remove());

// Entries that need a test runner are loaded by their recipe.
const names = entries
  .filter(({ within }) => within === undefined)
  .map(
    ({ subpath, name, typesOnly = false }) =>
      [subpath.replace(/^\./, "kubedouble"), name, typesOnly] as const,
  );

test("package.json exports what tools/entries.ts lists", () => {
  expect(manifest.exports).toEqual(packageExports());
});

test("every file that package.json names is built", () => {
  const named = JSON.stringify([manifest.exports, manifest.bin]).match(/\.\/dist\/[^"]+/g) ?? [];
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});

test.each(names)("%s exports the same names to import and require", async (name, file, typesOnly) => {
  writeFileSync(
    join(project, "esm.mjs"),
    `import * as m from "${name}"; console.log(JSON.stringify(Object.keys(m).sort()));`,
  );
  writeFileSync(
    join(project, "cjs.cjs"),
    `const m = require("${name}"); console.log(JSON.stringify(Object.keys(m).filter((k) => k !== "__esModule").sort()));`,
  );
  const esm = await run(process.execPath, ["esm.mjs"], { cwd: project });
  // As in Jest, which cannot require ESM. Peers decide for themselves.
  const hasPeer = Object.keys(manifest.peerDependencies).some((peer) => requires(`dist/${file}.cjs`, peer));
  const noEsm = hasPeer
    ? []
    : ["--no-experimental-require-module"].filter((flag) => process.allowedNodeEnvironmentFlags.has(flag));
  const cjs = await run(process.execPath, [...noEsm, "cjs.cjs"], { cwd: project });
  if (typesOnly) expect(JSON.parse(esm.stdout)).toEqual([]);
  else expect(JSON.parse(esm.stdout)).not.toEqual([]);
  expect(JSON.parse(cjs.stdout)).toEqual(JSON.parse(esm.stdout));
});

test.each([
  ["strictly", []],
  ["with exact optional properties", ["--exactOptionalPropertyTypes"]],
  ["loosely", ["--strict", "false"]],
])("users can compile %s with checked declarations", (how, options) => {
  const user = projects.create(`types-${how.replaceAll(" ", "-")}`, ["@types/node", "typescript"]);
  writeFileSync(
    join(user, "user.mts"),
    `import { createCluster, type KubeObject } from "kubedouble";
import { serve } from "kubedouble/node";
import { watchGone } from "kubedouble/scenarios";
const cluster = createCluster();
cluster.inject(watchGone());
const pod: KubeObject = await cluster.get("v1", "Pod", "web");
console.log(pod.metadata.name?.length, (await serve(cluster)).url);
`,
  );
  const compiler = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--types", "node"];
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(user, "node_modules/typescript/bin/tsc"), ...compiler, ...options, "user.mts"],
    { cwd: user, encoding: "utf8" },
  );
  expect(stdout).toBe("");
  expect(status).toBe(0);
});

test("entries for browsers import no Node modules", () => {
  const found = entries
    .filter(({ nodeOnly }) => !nodeOnly)
    .flatMap(({ name }) =>
      [...packagesOf(`dist/${name}.js`, { dynamic: true })].map((used) => `${name}: ${used}`),
    )
    .filter((line) => builtinModules.includes(line.replace(/^.*: (node:)?/, "")) || line.includes("node:"));
  expect(found).toEqual([]);
});

test("heavy packages are loaded on demand", () => {
  const files = [...entries.map(({ name }) => `dist/${name}.js`), "dist/cli.js"];
  const found = files.flatMap((file) =>
    [...packagesOf(file, { dynamic: false })]
      .filter((used) => heavy.includes(used))
      .map((used) => `${file}: ${used}`),
  );
  expect(found).toEqual([]);
});

test("code that only requests need is loaded with the first request", () => {
  const [server = ""] = chunksOf("server");
  const isLoaded = (file: string) => filesOf(file).has(server);
  expect([...entries.map(({ name }) => `dist/${name}.js`), "dist/cli.js"].filter(isLoaded)).toEqual([]);
});

test("failures are loaded without a cluster", () => {
  const [cluster = ""] = chunksOf("cluster");
  expect(cluster).not.toBe("");
  expect(filesOf("dist/scenarios.js").has(cluster)).toBe(false);
});

test("a page that uses one failure loads at most 30 kB", async () => {
  const page = join(project, "page.mjs");
  writeFileSync(page, 'import { conflict } from "kubedouble/scenarios"; console.log(conflict);');
  const bundle = await rolldown({ input: page, platform: "browser" });
  const { output } = await bundle.generate({ format: "es", minify: true });
  await bundle.close();
  expect(output.map((part) => part.type)).toEqual(["chunk"]);
  expect(output[0].code.length).toBeLessThan(30_000);
});

test("code that only some requests need is not loaded with the server", () => {
  const [server = ""] = chunksOf("server");
  const loaded = filesOf(server);
  const forms = ["cbor", "openapi", "protobuf", "table-response", "yaml"].flatMap(chunksOf);
  expect(forms.filter((form) => loaded.has(form))).toEqual([]);
});

test("code that only some writes need is not loaded with the rules of pods", () => {
  const files = ["pod-rules", "resource-plugins"].flatMap(chunksOf);
  const loaded = new Set(files.flatMap((file) => [...filesOf(file)]));
  const rare = ["tables", "kinds-certificates", "kinds-core", "certificates"].flatMap(chunksOf);
  expect(rare.filter((file) => loaded.has(file))).toEqual([]);
  expect(files.flatMap((file) => [...packagesOf(file, { dynamic: false })])).not.toContain("protobufjs");
});

test("installing the package runs no script", () => {
  const names = Object.keys(manifest.scripts).filter((name) => /install|prepare|postpack/.test(name));
  expect(names).toEqual([]);
});

test("no script needs a POSIX shell", () => {
  const scripts = Object.entries<string>(manifest.scripts);
  expect(scripts.filter(([, line]) => !/^node [\w./ -]+$/.test(line))).toEqual([]);
});

test("the lock file names no registry", () => {
  const lock: { packages: Record<string, { resolved?: string; link?: boolean }> } = JSON.parse(
    readFileSync("package-lock.json", "utf8"),
  );
  const resolved = Object.entries(lock.packages).filter(([, { resolved }]) => resolved?.includes("://"));
  expect(resolved.map(([name]) => name)).toEqual([]);
});

test("the lock file has the optional packages of every platform, as npm ci requires", () => {
  const { status, stdout } = spawnSync(process.execPath, ["tools/complete-lock.mjs", "--check"], {
    encoding: "utf8",
  });
  expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
});

test("the package contains only built files, their sources and documents", () => {
  const other = packedFiles()
    .filter((path) => !/^dist\/.*\.(js|cjs|d\.ts|d\.cts|txt|map)$/.test(path))
    .filter((path) => !/^src\/.*\.ts$/.test(path) || path.endsWith(".test.ts"))
    .filter((path) => !/^docs\/[\w/-]+\.md$/.test(path))
    .filter((path) => !/^recipes\/[\w/.-]+\.(md|js|json|ts|html|yaml|sh|py|go|mod)$/.test(path))
    .sort();
  const documents = [
    "CHANGELOG.md",
    "LICENSE",
    "NOTICE",
    "README.md",
    "SECURITY.md",
    "licenses/Apache-2.0.txt",
    "package.json",
  ];
  expect(other).toEqual(documents);
});

test("every source map names only sources that are in the package", () => {
  const packed = new Set(packedFiles());
  const maps = [...packed].filter((path) => path.endsWith(".map"));
  const isMissing = (map: string, source: string | null) =>
    source !== null && !packed.has(join(dirname(map), source).replaceAll("\\", "/"));
  const missing = maps.flatMap((map) => {
    const { sources }: { sources: (string | null)[] } = JSON.parse(readFileSync(map, "utf8"));
    return sources.filter((source) => isMissing(map, source)).map((source) => `${map}: ${source}`);
  });
  // Short files only pass on the exports of others.
  const unmapped = [...packed].filter(
    (path) => /^dist\/.*\.c?js$/.test(path) && !packed.has(`${path}.map`) && statSync(path).size > 10_000,
  );
  expect(maps.length).toBeGreaterThan(0);
  expect({ missing, unmapped }).toEqual({ missing: [], unmapped: [] });
});

test("the relative links of the package's documents lead to files in the package", () => {
  const packed = new Set(packedFiles());
  const documents = [...packed].filter((path) => path.endsWith(".md"));
  const broken = documents.flatMap((document) =>
    linksOf(readFileSync(document, "utf8"))
      .filter((link) => !/^([a-z]+:|#)/.test(link))
      .map((link) =>
        join(dirname(document), link.replace(/#.*/, "")).replaceAll("\\", "/").replace(/\/$/, ""),
      )
      .filter((path) => !packed.has(path) && ![...packed].some((file) => file.startsWith(`${path}/`)))
      .map((path) => `${document}: ${path}`),
  );
  expect(broken).toEqual([]);
});

/** The targets of the links in a Markdown text, outside code. */
function linksOf(markdown: string): readonly string[] {
  const prose = markdown.replace(/^```[\s\S]*?^```/gm, "").replace(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
}

function requires(file: string, name: string): boolean {
  return readFileSync(file, "utf8").includes(`require("${name}")`);
}

/** The chunks named after a module. */
function chunksOf(name: string): readonly string[] {
  const named = new RegExp(`^${name}-[\\w-]{8}\\.js$`);
  const found = readdirSync("dist/chunks").filter((file) => named.test(file));
  expect(found).not.toEqual([]);
  return found.map((file) => join("dist/chunks", file));
}

/** The packages and Node modules that a built file imports, directly or through its chunks. */
function packagesOf(file: string, { dynamic }: { dynamic: boolean }): Set<string> {
  const found = new Set<string>();
  for (const chunk of filesOf(file, { dynamic })) {
    for (const specifier of specifiersOf(chunk, { dynamic })) {
      if (!specifier.startsWith(".")) found.add(/^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier);
    }
  }
  return found;
}

/** A built file and the chunks that it imports, directly or indirectly. */
function filesOf(file: string, { dynamic } = { dynamic: false }, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const specifier of specifiersOf(file, { dynamic })) {
    if (specifier.startsWith(".")) filesOf(join(dirname(file), specifier), { dynamic }, seen);
  }
  return seen;
}

function specifiersOf(file: string, { dynamic }: { dynamic: boolean }): readonly string[] {
  const text = readFileSync(file, "utf8");
  const { module } = parseSync(file, text);
  return [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap((entry) => entry.moduleRequest?.value ?? []),
    ),
    ...(dynamic
      ? module.dynamicImports.map(({ moduleRequest }) =>
          text.slice(moduleRequest.start + 1, moduleRequest.end - 1),
        )
      : []),
  ];
}
