import { dirname, join, normalize } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import type { Declarations } from "./build-types.ts";

/** Something a module declares or passes on, by its name there. */
type Binding =
  | { readonly kind: "declaration"; readonly texts: string[]; readonly mentions: Set<string> }
  | { readonly kind: "import"; readonly module: string; readonly name: string };

interface Module {
  readonly bindings: Map<string, Binding>;
  /** Public name to the name inside. */
  readonly exports: Map<string, string>;
  readonly exportedModules: string[];
}

/** Declarations by name, by module. */
type Reached = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

/** What a user of an entry can reach. */
interface Reach {
  /** What it exports. */
  readonly names: readonly string[];
  /** What comes from other packages. */
  readonly foreign: ReadonlySet<string>;
  readonly reached: Reached;
}

/**
 * Everything a user of `entry` can reach, as one readable text: its exports, then what they mention, by module. Of what
 * the entry `base` has as well it gives the names alone.
 * It is for review and for noticing a change; compilers read the declarations themselves.
 */
export function rollUp(declarations: Declarations, entry: string, base: string = entry): string {
  const told: Reached = base === entry ? new Map() : reach(declarations, base).reached;
  return print(reach(declarations, entry), told, base);
}

function reach(declarations: Declarations, entry: string): Reach {
  const modules = new Map<string, Module>();
  const moduleAt = (path: string): Module => {
    const known = modules.get(path);
    if (known !== undefined) return known;
    const text = declarations.get(path);
    if (text === undefined) throw new Error(`no declarations of ${path}`);
    const module = parseModule(path, text);
    modules.set(path, module);
    return module;
  };

  const reached = new Map<string, Map<string, readonly string[]>>();
  const foreign = new Set<string>();
  const visit = (path: string, name: string): void => {
    if (!path.startsWith("/")) {
      foreign.add(`${name} from ${path}`);
      return;
    }
    const module = moduleAt(path.slice(1));
    const binding = module.bindings.get(name);
    if (binding === undefined) {
      const inner = module.exports.get(name);
      if (inner !== undefined && inner !== name) visit(path, inner);
      return;
    }
    if (binding.kind === "import") {
      visit(binding.module, exportedName(moduleAt, binding.module, binding.name));
      return;
    }
    const section = reached.get(path) ?? new Map<string, readonly string[]>();
    reached.set(path, section);
    if (section.has(name)) return;
    section.set(name, binding.texts);
    for (const mention of binding.mentions) if (module.bindings.has(mention)) visit(path, mention);
  };

  const names = new Map<string, [string, string]>();
  const collect = (path: string): void => {
    const module = moduleAt(path);
    for (const [name, inner] of module.exports) names.set(name, [`/${path}`, inner]);
    for (const next of module.exportedModules) collect(next.slice(1));
  };
  collect(entry);
  for (const [path, inner] of names.values()) visit(path, inner);
  return { names: [...names.keys()], foreign, reached };
}

function exportedName(moduleAt: (path: string) => Module, path: string, name: string): string {
  if (!path.startsWith("/")) return name;
  return moduleAt(path.slice(1)).exports.get(name) ?? name;
}

function print({ names, foreign, reached }: Reach, told: Reached, base: string): string {
  const parts = [
    "// Written by `npm run api`: what this entry exports, and all that can be reached from it.",
    `export { ${[...names].sort().join(", ")} };`,
  ];
  if (foreign.size > 0)
    parts.push(
      [...foreign]
        .sort()
        .map((line) => `// uses ${line}`)
        .join("\n"),
    );
  for (const [path, section] of [...reached].sort(([a], [b]) => (a < b ? -1 : 1))) {
    parts.push(`// src${path}.ts`);
    const known = [...section.keys()].filter((name) => told.get(path)?.has(name)).sort();
    if (known.length > 0) parts.push(`// as in ${base}.d.ts: ${known.join(", ")}`);
    const own = [...section].filter(([name]) => !known.includes(name)).sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [, texts] of own) parts.push(texts.join("\n"));
  }
  return `${parts.join("\n\n")}\n`;
}

function parseModule(path: string, text: string): Module {
  const { program, errors } = parseSync(`${path}.d.ts`, text);
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`);
  const module: Module = { bindings: new Map(), exports: new Map(), exportedModules: [] };
  for (const statement of program.body) addStatement(module, path, text, statement);
  return module;
}

type Statement = ReturnType<typeof parseSync>["program"]["body"][number];

function addStatement(module: Module, path: string, text: string, statement: Statement): void {
  switch (statement.type) {
    case "ImportDeclaration":
      for (const specifier of statement.specifiers) {
        const name = specifier.type === "ImportSpecifier" ? nameOf(specifier.imported) : "*";
        const target = targetOf(path, statement.source.value);
        module.bindings.set(specifier.local.name, { kind: "import", module: target, name });
      }
      return;
    case "ExportAllDeclaration":
      module.exportedModules.push(targetOf(path, statement.source.value));
      return;
    case "ExportNamedDeclaration":
      for (const { local, exported } of statement.specifiers) {
        const [inner, outer] = [nameOf(local), nameOf(exported)];
        module.exports.set(outer, inner);
        if (statement.source === null) continue;
        const target = targetOf(path, statement.source.value);
        module.bindings.set(inner, { kind: "import", module: target, name: inner });
      }
      if (statement.declaration === null) return;
      for (const name of declare(module, text, statement.declaration)) module.exports.set(name, name);
      return;
    default:
      declare(module, text, statement);
  }
}

/** Adds a declaration, overloads side by side, and returns the names it declares. */
function declare(module: Module, text: string, node: Statement): string[] {
  const names = declaredNames(node);
  const mentions = new Set<string>();
  const note = (found: { name: string }) => mentions.add(found.name);
  new Visitor({ Identifier: note, TSThisType() {} }).visit({
    type: "Program",
    body: [node],
    sourceType: "module",
    hashbang: null,
    start: node.start,
    end: node.end,
  } as unknown as Parameters<Visitor["visit"]>[0]);
  const own = withoutComments(text.slice(node.start, node.end)).replace(/^declare /, "");
  for (const name of names) {
    const known = module.bindings.get(name);
    if (known?.kind === "declaration") {
      known.texts.push(own);
      for (const mention of mentions) known.mentions.add(mention);
    } else module.bindings.set(name, { kind: "declaration", texts: [own], mentions });
  }
  return names;
}

function declaredNames(node: Statement): string[] {
  if (node.type === "VariableDeclaration") {
    return node.declarations.flatMap(({ id }) => (id.type === "Identifier" ? [id.name] : []));
  }
  if (!("id" in node) || node.id === null) return [];
  return "name" in node.id && typeof node.id.name === "string" ? [node.id.name] : [];
}

/** `/path` for a module of ours, the name of the package for another. */
function targetOf(path: string, specifier: string): string {
  if (!specifier.startsWith(".")) return specifier;
  return `/${normalize(join(dirname(path), specifier)).replace(/\.ts$/, "")}`;
}

function nameOf(node: { type: string; name?: string; value?: string }): string {
  return node.name ?? node.value ?? "";
}

function withoutComments(text: string): string {
  return text
    .replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|\/\*[\s\S]*?\*\/|\/\/.*/g, (match) =>
      match.startsWith("/") ? "" : match,
    )
    .replace(/^[ \t]*\n/gm, "")
    .replace(/[ \t]+$/gm, "");
}
