import { dirname, join, normalize } from "node:path";
import { parseSync } from "oxc-parser";
import type { Declarations } from "./build-types.ts";
import { type Entry, entries } from "./entries.ts";

/** An exported name with its declaration, as the reference shows it. */
interface Documented {
  readonly name: string;
  readonly kind: "function" | "class" | "constant" | "type";
  /** The text of the doc comment. */
  readonly comment: string;
  /** The declaration, overloads side by side. */
  readonly code: string;
}

/** The parts of a module that the reference needs. */
interface Module {
  readonly declared: ReadonlyMap<string, Documented>;
  /** Public name to where it is: a module of ours and the name there. */
  readonly exported: ReadonlyMap<string, { readonly module: string; readonly name: string }>;
  readonly exportedModules: readonly string[];
}

const titles = [
  ["function", "Functions"],
  ["constant", "Values"],
  ["class", "Classes"],
  ["type", "Types"],
] as const;

/** The pages of the API reference: file name to Markdown. They are generated from the doc comments. */
export function referencePages(declarations: Declarations): ReadonlyMap<string, string> {
  const pages = new Map(entries.map((entry) => [`${entry.name}.md`, pageOf(entry, declarations)]));
  return new Map([["index.md", indexPage(declarations)], ...[...pages].map(renameIndex)]);
}

/** The entry `.` is named `index`, but that page is the list of entries. */
function renameIndex([file, page]: [string, string]): [string, string] {
  return [file === "index.md" ? "kubedouble.md" : file, page];
}

/** The sidebar of the reference: title and file name without extension. */
export function referenceItems(): readonly (readonly [title: string, file: string])[] {
  return entries.map((entry) => [packageName(entry), entry.name === "index" ? "kubedouble" : entry.name]);
}

function packageName({ subpath }: Entry): string {
  return subpath.replace(/^\./, "kubedouble");
}

function indexPage(declarations: Declarations): string {
  const rows = entries.map((entry) => {
    const names = documentedOf(entry, declarations).filter(({ kind }) => kind !== "type");
    const file = entry.name === "index" ? "kubedouble" : entry.name;
    const links = names.map(({ name }) => `[\`${name}\`](${file}.md#${anchorOf(name)})`).join(", ");
    return `| [\`${packageName(entry)}\`](${file}.md) | ${links} |`;
  });
  const head =
    "# API reference\n\nGenerated from the doc comments of each entry.\n\n| Import from | Exports |\n| --- | --- |";
  return `${head}\n${rows.join("\n")}\n`;
}

function pageOf(entry: Entry, declarations: Declarations): string {
  const documented = documentedOf(entry, declarations);
  const parts = [`# ${packageName(entry)}`];
  for (const [kind, title] of titles) {
    const found = documented.filter((one) => one.kind === kind);
    if (found.length > 0) parts.push(`## ${title}`, ...found.map(section));
  }
  if (documented.length === 0)
    parts.push("This module has no named exports: name it in a configuration file.");
  return `${parts.join("\n\n")}\n`;
}

function section({ name, comment, code }: Documented): string {
  return [`### ${name} {#${anchorOf(name)}}`, prose(comment), `\`\`\`ts\n${code}\n\`\`\``]
    .filter((part) => part !== "")
    .join("\n\n");
}

function anchorOf(name: string): string {
  return name.toLowerCase();
}

/** Markdown of a doc comment: tags become sentences, and VitePress must not see HTML or interpolation. */
function prose(comment: string): string {
  return comment
    .replace(/@throws\s+\{([^}]*)\}\s*/g, "\n\nThrows `$1`: ")
    .replace(/@param\s+(\w+)\s*/g, "\n\n`$1`: ")
    .replace(/@returns?\s+(?:\{[^}]*\}\s*)?/g, "\n\nReturns ")
    .replace(
      /(`[^`]*`)|<|\{\{/g,
      (match, code: string | undefined) => code ?? (match === "<" ? "&lt;" : "{ {"),
    )
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function documentedOf(entry: Entry, declarations: Declarations): readonly Documented[] {
  const modules = new Map<string, Module>();
  const moduleAt = (path: string): Module => {
    const module = modules.get(path) ?? parseModule(path, declarations.get(path) ?? "");
    modules.set(path, module);
    return module;
  };
  const resolve = (path: string, name: string): Documented | undefined => {
    const module = moduleAt(path);
    const target = module.exported.get(name);
    if (target !== undefined && target.module !== path) return resolve(target.module, target.name);
    return module.declared.get(target?.name ?? name);
  };
  const found = new Map<string, Documented>();
  const collect = (path: string): void => {
    const module = moduleAt(path);
    for (const name of module.exported.keys()) {
      const documented = resolve(path, name);
      if (documented !== undefined) found.set(name, { ...documented, name });
    }
    for (const next of module.exportedModules) collect(next);
  };
  collect(entry.source.replace(/^src\//, "").replace(/\.ts$/, ""));
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

type Parsed = ReturnType<typeof parseSync>;
type Statement = Parsed["program"]["body"][number];

function parseModule(path: string, text: string): Module {
  const { program, comments } = parseSync(`${path}.d.ts`, text);
  const declared = new Map<string, Documented>();
  const exported = new Map<string, { module: string; name: string }>();
  const exportedModules: string[] = [];
  const imported = new Map<string, { module: string; name: string }>();
  const commentBefore = (start: number): string => {
    const comment = comments.find(({ end, type, value }) => {
      return (
        type === "Block" && value.startsWith("*") && end <= start && text.slice(end, start).trim() === ""
      );
    });
    return comment === undefined
      ? ""
      : comment.value
          .slice(1)
          .replace(/^\s*\* ?/gm, "")
          .trim();
  };
  const declare = (node: Statement, start: number): readonly string[] => {
    const names = namesOf(node);
    for (const name of names) {
      const code = tidy(text.slice(node.start, node.end));
      const known = declared.get(name);
      const comment = known?.comment || commentBefore(start);
      declared.set(name, {
        name,
        kind: kindOf(node),
        comment,
        code: known === undefined ? code : `${known.code}\n${code}`,
      });
    }
    return names;
  };
  for (const statement of program.body) {
    if (statement.type === "ImportDeclaration") {
      const module = targetOf(path, statement.source.value);
      for (const specifier of statement.specifiers) {
        const name = specifier.type === "ImportSpecifier" ? nameOf(specifier.imported) : "*";
        if (module !== undefined) imported.set(specifier.local.name, { module, name });
      }
    } else if (statement.type === "ExportAllDeclaration") {
      const module = targetOf(path, statement.source.value);
      if (module !== undefined) exportedModules.push(module);
    } else if (statement.type === "ExportNamedDeclaration") {
      const module = statement.source === null ? path : targetOf(path, statement.source.value);
      for (const { local, exported: outer } of statement.specifiers) {
        const inner = nameOf(local);
        const target = statement.source === null ? imported.get(inner) : undefined;
        if (module !== undefined) exported.set(nameOf(outer), target ?? { module, name: inner });
      }
      if (statement.declaration !== null) {
        for (const name of declare(statement.declaration, statement.start))
          exported.set(name, { module: path, name });
      }
    } else declare(statement, statement.start);
  }
  return { declared, exported, exportedModules };
}

function kindOf(node: Statement): Documented["kind"] {
  if (node.type === "ClassDeclaration") return "class";
  if (node.type === "VariableDeclaration") return "constant";
  return /Function/.test(node.type) ? "function" : "type";
}

function namesOf(node: Statement): readonly string[] {
  if (node.type === "VariableDeclaration") {
    return node.declarations.flatMap(({ id }) => (id.type === "Identifier" ? [id.name] : []));
  }
  if (!("id" in node) || node.id === null) return [];
  return "name" in node.id && typeof node.id.name === "string" ? [node.id.name] : [];
}

/** A declaration without the parts that are not for users, indented by two spaces. */
function tidy(code: string): string {
  return code
    .replace(/^declare /, "")
    .replace(/^\s*(#private;|\/\*\* Use `createCluster`\. \*\/|constructor\(core: ClusterCore\);)\n/gm, "")
    .replace(/^( {4})+/gm, (indent) => " ".repeat(indent.length / 2));
}

/** The path of a module of ours below `src`, or undefined for other packages. */
function targetOf(path: string, specifier: string): string | undefined {
  if (!specifier.startsWith(".")) return undefined;
  return normalize(join(dirname(path), specifier))
    .replaceAll("\\", "/")
    .replace(/\.ts$/, "");
}

function nameOf(node: { type: string; name?: string; value?: string }): string {
  return node.name ?? node.value ?? "";
}
