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

/**
 * Everything a user of `entry` can reach, as one readable text: its exports, then what they mention, by module.
 * It is for review and for noticing a change; compilers read the declarations themselves.
 */
export function rollUp(declarations: Declarations, entry: string): string {
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
  const reach = (path: string, name: string): void => {
    if (!path.startsWith("/")) {
      foreign.add(`${name} from ${path}`);
      return;
    }
    const module = moduleAt(path.slice(1));
    const binding = module.bindings.get(name);
    if (binding === undefined) {
      const inner = module.exports.get(name);
      if (inner !== undefined && inner !== name) reach(path, inner);
      return;
    }
    if (binding.kind === "import") {
      reach(binding.module, exportedName(moduleAt, binding.module, binding.name));
      return;
    }
    const section = reached.get(path) ?? new Map<string, readonly string[]>();
    reached.set(path, section);
    if (section.has(name)) return;
    section.set(name, binding.texts);
    for (const mention of binding.mentions) if (module.bindings.has(mention)) reach(path, mention);
  };

  const names = new Map<string, [string, string]>();
  const collect = (path: string): void => {
    const module = moduleAt(path);
    for (const [name, inner] of module.exports) names.set(name, [`/${path}`, inner]);
    for (const next of module.exportedModules) collect(next.slice(1));
  };
  collect(entry);
  for (const [path, inner] of names.values()) reach(path, inner);
  return print([...names.keys()], foreign, reached);
}

function exportedName(moduleAt: (path: string) => Module, path: string, name: string): string {
  if (!path.startsWith("/")) return name;
  return moduleAt(path.slice(1)).exports.get(name) ?? name;
}

function print(
  names: readonly string[],
  foreign: ReadonlySet<string>,
  reached: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>,
): string {
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
  for (const path of [...reached.keys()].sort()) {
    parts.push(`// src${path}.ts`);
    const section = reached.get(path) ?? new Map();
    for (const name of [...section.keys()].sort()) parts.push(section.get(name)?.join("\n") ?? "");
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
