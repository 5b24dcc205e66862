/** The result of a transformer of Jest. */
interface Transformed {
  readonly code: string;
}

/**
 * A transformer for Jest that makes a CommonJS module of an ES module: of its static imports and exports, each on lines of its
 * own, as bundlers write them. Jest 29 and 30 cannot load the dependencies of MSW that are only ES modules.
 */
export function process(source: string): Transformed {
  const exported: string[] = [];
  let code = source;
  for (const [pattern, replace] of statements) {
    code = code.replace(pattern, (...match: unknown[]) => replace(match.map(String), exported));
  }
  const getters = exported.map((line) => `${line}\n`).join("");
  return {
    code: `"use strict";\nObject.defineProperty(exports, "__esModule", { value: true });\n${getters}${code}`,
  };
}

type Replace = (match: readonly string[], exported: string[]) => string;

const from = String.raw`\s*from\s*(["'][^"']+["']);?`;

/** The statements of ES modules, and what they become. */
const statements: readonly (readonly [RegExp, Replace])[] = [
  [
    new RegExp(String.raw`^import\s*\*\s*as\s+([\w$]+)${from}`, "gm"),
    ([, name, module]) => `const ${name} = require(${module});`,
  ],
  [
    new RegExp(String.raw`^import\s*\{([^}]*)\}${from}`, "gm"),
    ([, names = "", module]) => `const { ${destructured(names)} } = require(${module});`,
  ],
  [
    new RegExp(String.raw`^import\s+([\w$]+)${from}`, "gm"),
    ([, name, module]) => `const { default: ${name} } = ${withDefault(module)};`,
  ],
  [/^import\s*(["'][^"']+["']);?/gm, ([, module]) => `require(${module});`],
  [
    new RegExp(String.raw`^export\s*\{([^}]*)\}${from}`, "gm"),
    ([, names = "", module], exported) => {
      for (const [local, name] of pairsOf(names))
        exported.push(getter(name, `require(${module})[${quoted(local)}]`));
      return "";
    },
  ],
  [
    new RegExp(String.raw`^export\s*\*${from}`, "gm"),
    ([, module]) => `Object.assign(exports, require(${module}));`,
  ],
  [
    /^export\s*\{([^}]*)\};?/gm,
    ([, names = ""], exported) => {
      for (const [local, name] of pairsOf(names)) exported.push(getter(name, local));
      return "";
    },
  ],
  [
    /^export\s+((?:async\s+)?function\s*\*?|class|const|let|var)\s+([\w$]+)/gm,
    ([, keyword, name = ""], exported) => {
      exported.push(getter(name, name));
      return `${keyword} ${name}`;
    },
  ],
  [/^export\s+default\s+/gm, () => "exports.default = "],
];

/** A module of CommonJS is its own default export. */
function withDefault(module: string | undefined): string {
  return `((m) => (m && m.__esModule ? m : { default: m }))(require(${module}))`;
}

function destructured(names: string): string {
  return pairsOf(names)
    .map(([imported, local]) => (imported === local ? local : `${imported}: ${local}`))
    .join(", ");
}

/** The pairs of `a, b as c`. */
function pairsOf(names: string): readonly (readonly [string, string])[] {
  return names
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")
    .map((name) => {
      const [one = "", other = one] = name.split(/\s+as\s+/);
      return [one, other] as const;
    });
}

/** Getters, because ES modules export bindings, which may get their values later. */
function getter(name: string, value: string): string {
  return `Object.defineProperty(exports, ${quoted(name)}, { enumerable: true, get: () => ${value} });`;
}

function quoted(name: string): string {
  return JSON.stringify(name);
}
