import { documents, type Example, examplesOf } from "./examples.ts";
import type { FreshProject } from "./fresh-project.ts";

/** What fragments use without declaring it. Complete files declare everything themselves. */
const fragmentGlobals = `import type { Cluster, ClusterSnapshot, JsonObject } from "kubedouble";
declare global {
  const cluster: Cluster;
  const pod: JsonObject;
  const manifests: readonly JsonObject[];
  const backup: ClusterSnapshot;
  /** Code under test. */
  function reconcile(cluster: Cluster): Promise<void>;
  function scale(kubeconfig: string, name: string, replicas: number): Promise<void>;
  /** Jest's globals. */
  const expect: typeof import("vitest").expect;
  function test(title: string, run: () => unknown): void;
}
`;

const compilerOptions = {
  target: "es2023",
  lib: ["es2023", "esnext.disposable", "dom", "dom.iterable", "dom.asynciterable"],
  module: "nodenext",
  strict: true,
  skipLibCheck: true,
  allowJs: true,
  checkJs: true,
  types: ["node"],
  rewriteRelativeImportExtensions: true,
  rootDir: "examples",
  outDir: "compiled",
};

/** How a complete example is run. */
export type Runner = "vitest" | "jest" | "node --test" | "node" | "python" | undefined;

/** An example in the fresh project. */
export interface ExampleFile extends Example {
  readonly path: string;
  readonly runner: Runner;
  /** The arguments and the expected output of a program, from the `console` block after it; `…` stands for anything. */
  readonly args: readonly string[];
  readonly expected: string | undefined;
}

const isScript = ({ language }: Example) => ["ts", "js"].includes(language);
const isCommonJs = ({ language, text }: Example) =>
  language === "js" && /\brequire\(|module\.exports/.test(text);

/** Every example that is code, where it stands in the fresh project. */
export function exampleFiles(): readonly ExampleFile[] {
  return documents.flatMap((document) => {
    const examples = examplesOf(document);
    return examples.flatMap((example, at) => {
      if (!isScript(example) && example.name === undefined) return [];
      const next = examples[at + 1];
      const [, line = "", expected] =
        /^\$ node \S+(.*)\n([\s\S]*)$/.exec(next?.language === "console" ? next.text : "") ?? [];
      const args = line.split(" ").filter((part) => part !== "");
      const runner = runnerOf(example, examples);
      return [{ ...example, path: pathOf(example), runner, args, expected }];
    });
  });
}

/** Writes the examples and the configuration of the compiler. */
export function writeExamples(project: FreshProject, files: readonly ExampleFile[]): void {
  project.write("examples/package.json", { type: "module" });
  project.write("examples/commonjs/package.json", { type: "commonjs" });
  project.write("compiled/package.json", { type: "module" });
  project.write("examples/fragments.d.ts", fragmentGlobals);
  project.write("tsconfig.json", { compilerOptions, include: ["examples"] });
  for (const file of files) {
    // Without an import, a fragment would be a script, which has no await.
    const isModule = !isScript(file) || isCommonJs(file) || file.name !== undefined;
    project.write(file.path, isModule ? file.text : `${file.text}export {};\n`);
  }
}

function pathOf(example: Example): string {
  const name = example.name ?? `line-${example.line}.${example.language}`;
  return `examples/${isCommonJs(example) ? "commonjs/" : ""}${folderOf(example.document)}/${name}`;
}

function folderOf(document: string): string {
  return document.replace(/\.md$/, "").replaceAll("/", "-").toLowerCase();
}

function runnerOf(example: Example, others: readonly Example[]): Runner {
  const { name, text } = example;
  if (name === undefined || /\.config\.[a-z]+$/.test(name)) return undefined;
  if (/(^|\/)test_\w+\.py$/.test(name)) return "python";
  if (/\.test\.[cm]?[jt]s$/.test(name)) {
    if (text.includes('"node:test"')) return "node --test";
    return /"(kubedouble\/)?vitest"/.test(text) ? "vitest" : "jest";
  }
  const isImported = others.some((other) => other !== example && other.text.includes(`${name}"`));
  return isScript(example) && !isImported ? "node" : undefined;
}
