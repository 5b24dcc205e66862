import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { type CodeSplittingGroup, type OutputChunk, type RolldownOutput, rolldown } from "rolldown";
import { command, entries } from "./entries.ts";
import { rawText } from "./raw-text.mjs";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly type?: string;
  readonly main?: string;
  readonly license?: string;
  readonly exports?: unknown;
  readonly dependencies?: Record<string, string>;
}

/** Bundles every entry as ESM and as CJS, and the command as ESM, into `directory`. */
export async function buildCode(directory: string): Promise<void> {
  const manifest = readManifest("package.json");
  const outside = Object.keys(manifest.dependencies ?? {});
  const inside = outside.filter((name) => isEsmOnly(readManifest(`node_modules/${name}/package.json`)));
  await bundle("esm", directory, []);
  const output = await bundle("cjs", directory, inside);
  writeNotices(directory, output);
}

/** `require` cannot load these everywhere (for example in Jest), so the CJS output contains them. */
function isEsmOnly(manifest: Manifest): boolean {
  const { exports } = manifest;
  return manifest.type === "module" && !JSON.stringify(exports ?? "").includes('"require"');
}

const kindsFolder = /[\\/]src[\\/]kinds[\\/]([^\\/]+)[\\/](?!.*-printer\.ts$)/;

// Code that few requests need stays out of the group whose folders it is in.
const notPrinter = "(?!.*-printer\\.)";
const notRare =
  "(?!registry/(generic/(seed|storage-size)|subresources/scale-(verbs|printer)|table-shape)\\.)";

/**
 * Code that is loaded together shares a file, because each file costs a starting process a fraction of a millisecond. Each
 * group includes its imports, unless an earlier group has them: first the code that scenarios share with a cluster, so
 * that a page which only describes failures does not load a server; then the cluster and its server; then the rules that
 * only writes need: those of the kinds that controllers create in every cluster, those of pods and of workloads, and those of
 * each other API group.
 */
const fewFiles: CodeSplittingGroup[] = [
  {
    name: "foundation",
    test: inSource(
      "(codec/(json/json|base64-url)|request/(plain-request|connection-failure)|apimachinery/(clock|errors/errors|fields)|scenario/(scenario|label-option-type|pod-life))",
    ),
  },
  // What expressions share with a cluster, so that a page which only evaluates expressions does not load a server.
  {
    name: "words",
    test: inSource(
      "apimachinery/(base64|decode-error|der|der-writer|duration|go/(go-quote|go-value)|ip|json|pem|quantity|release|text-order|to-json|utf8|errors/wording|validation/(names|qualified-names))",
    ),
  },
  // What some expressions and some kinds share, and few pages need.
  { name: "urls", test: inSource("apimachinery/go/go-url") },
  // What latencies and calls of other servers share.
  { name: "held-time", test: inSource("apimachinery/held-time") },
  { name: "exchange", test: inSource("transports/(web/fetch|contract/kubeconfig)") },
  // What ports and clusters share.
  { name: "certificates", test: inSource("apimachinery/x509/.*") },
  { name: "cluster", test: inSource("cluster/(cluster|options)") },
  { name: "server", test: inSource("cluster/server") },
  { name: "expressions", test: inSource("cel/.*") },
  {
    name: "kinds-initial",
    test: inSource(`kinds/core/(config-map/|service-account/service-account)${notPrinter}.*`),
  },
  {
    name: "kinds-shared",
    test: inSource(
      `${notRare}((registry|apimachinery|kinds/(findings|quantities|addresses|defaulting|core/config-data))/.*|kinds/core/persistent-volume/storage-class-name|kinds/admissionregistration/webhook/client-config-validation)`,
    ),
  },
  {
    name: "kinds-pod",
    test: inSource(`kinds/(pod-spec|internal-types|core/(pod|pod-template))/${notPrinter}.*`),
  },
  { name: "kinds-workload", test: inSource(`kinds/workload/${notPrinter}.*`) },
  {
    name: (id: string) => `kinds-${kindsFolder.exec(id)?.[1]}`,
    debugName: "kinds of an API group",
    test: kindsFolder,
  },
  // Few clients but kubectl want Tables.
  {
    name: "tables",
    test: inSource(
      "(kinds/.*-printer|catalog/table-columns|codec/tables/.*|endpoints/responses/table-response|registry/(table-shape|subresources/scale-printer))",
    ),
  },
].map((group, at, { length }) => ({ ...group, priority: length - at }));

/** Tests for files below `src`, given as a pattern with slashes and without the ending. */
function inSource(pattern: string): RegExp {
  return new RegExp(`/src/${pattern}\\.ts$`.replaceAll("/", String.raw`[\\/]`));
}

async function bundle(
  format: "esm" | "cjs",
  directory: string,
  inside: readonly string[],
): Promise<RolldownOutput> {
  const extension = format === "esm" ? "js" : "cjs";
  const input = Object.fromEntries(entries.map(({ name, source }) => [name, source]));
  if (format === "esm") input.cli = command;
  const build = await rolldown({
    input,
    platform: "neutral",
    // "neutral" has no main fields; bundled packages may need one.
    resolve: { mainFields: ["module", "main"] },
    external: (id) => isOutside(id, inside),
    plugins: [rawText()],
    onwarn(warning, warn) {
      if (warning.code === "CIRCULAR_DEPENDENCY" || warning.code === "UNRESOLVED_IMPORT") {
        throw new Error(warning.message);
      }
      warn(warning);
    },
  });
  const output = await build.write({
    dir: directory,
    format,
    exports: "named",
    entryFileNames: `[name].${extension}`,
    codeSplitting: { groups: fewFiles },
    chunkFileNames: `chunks/[name]-[hash].${extension}`,
    // A stack trace of a user's failing test shows our lines: keep names and formatting.
    minify: false,
    // The sources are in the package as well, once for both formats.
    sourcemap: true,
    sourcemapExcludeSources: true,
    comments: { legal: true, annotation: true, jsdoc: false },
  });
  await build.close();
  for (const { fileName } of output.output) {
    if (fileName.endsWith(".map")) keepPublishedSources(join(directory, fileName));
  }
  return output;
}

/** Removes the sources that the package does not contain: data, and code of other packages. */
function keepPublishedSources(file: string): void {
  const map: { sources: (string | null)[] } = JSON.parse(readFileSync(file, "utf8"));
  const sources = map.sources.map((source) => (/^(\.\.\/)+src\/.*\.ts$/.test(source ?? "") ? source : null));
  writeFileSync(file, JSON.stringify({ ...map, sources }));
}

function isOutside(id: string, inside: readonly string[]): boolean {
  if (id.startsWith(".") || id.startsWith("/") || id.startsWith("\0") || id.startsWith("src/")) return false;
  if (isBuiltin(id)) return true;
  return !inside.some((name) => id === name || id.startsWith(`${name}/`));
}

/** The licenses of the packages whose code the CJS files contain. */
function writeNotices(directory: string, { output }: RolldownOutput): void {
  const chunks = output.filter((part): part is OutputChunk => part.type === "chunk");
  const packages = new Set<string>();
  for (const id of chunks.flatMap((chunk) => chunk.moduleIds)) {
    const found = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0];
    if (found !== undefined) packages.add(found);
  }
  const notices = [...packages].sort().map((path) => {
    const { name, version, license } = readManifest(join(path, "package.json"));
    return `${name} ${version} (${license})\n\n${licenseText(path)}`;
  });
  if (notices.length > 0) writeFileSync(join(directory, "THIRD-PARTY.txt"), notices.join("\n\n"));
}

function licenseText(path: string): string {
  const file = readdirSync(path).find((name) => /^licen[cs]e/i.test(name));
  if (file === undefined) throw new Error(`${path} is bundled and has no license file`);
  return readFileSync(join(path, file), "utf8");
}

function readManifest(path: string): Manifest {
  return JSON.parse(readFileSync(path, "utf8"));
}
