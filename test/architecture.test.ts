import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { type Node, parseSync, Visitor } from "oxc-parser";
import { expect, test } from "vitest";

/** The layers of `src`. Imports run from left to right, never back, type imports included. `index` is src/index.ts. */
const layers = [
  ..."runners index cli cluster lifecycle simulation controllers endpoints admission kinds registry scenario patch".split(
    " ",
  ),
  ..."streams authentication authorization webhooks served transports codec schema cel catalog store".split(
    " ",
  ),
  ..."request sharing apimachinery".split(" "),
];

/** Layers with stricter limits than their position: everything they may import besides themselves. */
const leaves: { readonly [layer: string]: readonly string[] } = {
  sharing: ["apimachinery"],
  store: ["sharing", "apimachinery"],
  cel: ["apimachinery"],
  request: ["apimachinery"],
  transports: ["request", "apimachinery"],
};

/** The files below `cluster` that know what tests inject: one member of the environment and its two readers, and the scripts of pods, stages and failures of the simulation. */
const seam: readonly string[] = [
  "src/endpoints/contract/environment.ts",
  "src/endpoints/handlers/delete.ts",
  "src/endpoints/handlers/watch.ts",
  "src/simulation/contract/cluster-failures.ts",
  "src/simulation/contract/played-stages.ts",
  "src/simulation/contract/scripted-life.ts",
];

/** The only file that may read the time. The command, runners and sockets use real time. */
const clock = "src/apimachinery/clock.ts";
const inRealTime = /^src\/(cli|runners|transports\/node)\//;

/** `exports` counts run-time exports: one file may contain all types of a contract. */
const limits = { lines: 400, functionLines: 60, exports: 10 };

/** Files that collect the exports of an entry. */
const entryFiles: readonly string[] = [
  "src/index.ts",
  "src/cel/cel.ts",
  "src/lifecycle/lifecycle.ts",
  "src/scenario/presets.ts",
  "src/runners/vitest.ts",
  "src/transports/node/node.ts",
];

/** Lists of functions of one kind: constructors, one for each upstream reason, and accessors, one for each JSON type. */
const functionLists: readonly string[] = [
  "src/apimachinery/fields.ts",
  "src/apimachinery/errors/errors.ts",
  "src/apimachinery/errors/field.ts",
];

/**
 * Validation collects: functions append errors of fields to a list of the caller. These few functions return the list:
 * the entries of the registry, the schemas, which are public, and those that create or word a list.
 */
const returnsErrors: readonly string[] = [
  "src/apimachinery/errors/field.ts fieldCauses",
  "src/apimachinery/validation/findings.ts collectErrors",
  "src/registry/generic/validation.ts validateObject",
  "src/registry/generic/validation.ts validateObjectUpdate",
  "src/schema/built-in-schema.ts validate",
  "src/schema/custom-resource-schema.ts validate",
  "src/schema/kind-schema.ts validate",
];

const errorListType =
  /^(Promise<)?((readonly )?Field(Error|Cause)\[\]|(Readonly)?Array<Field(Error|Cause)>|Findings)>?$/;

const fieldError =
  /^field(Required|(Type)?Invalid(Unshown)?|NotSupported|Forbidden|Duplicate|NotFound|TooLong|TooMany|Internal)$/;

/** The only file that compares releases; everywhere else, a rule depends on a feature gate or reads `since("1.27")`. */
const releaseFile = "src/apimachinery/release.ts";

interface Finding {
  readonly line: number;
  readonly what: string;
}

interface Source {
  readonly path: string;
  readonly lines: number;
  readonly imports: readonly string[];
  readonly exports: readonly string[];
  readonly reexports: readonly Finding[];
  readonly longFunctions: readonly Finding[];
  readonly clockUses: readonly Finding[];
  readonly errorLists: readonly ErrorList[];
  readonly releaseComparisons: readonly Finding[];
}

/** A place that makes a list of field errors: a function, with its name, that returns one, or a list in brackets. */
interface ErrorList {
  readonly line: number;
  readonly name: string;
}

const paths = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts") && !path.includes("generated/") && !path.endsWith(".d.ts"))
  .map((path) => `src/${path}`)
  .sort();
const product = paths.filter((path) => !path.endsWith(".test.ts")).map(readSource);
const all = [...product, ...paths.filter((path) => path.endsWith(".test.ts")).map(readSource)];

test("every source file belongs to a layer", () => {
  expect(all.filter(({ path }) => !layers.includes(layerOf(path))).map(({ path }) => path)).toEqual([]);
});

test("imports follow the order of the layers", () => {
  const wrong = product.flatMap(({ path, imports }) =>
    imports
      .filter((target) => layers.indexOf(layerOf(target)) < layers.indexOf(layerOf(path)))
      .map((target) => `${path} imports ${target}`),
  );
  expect(wrong).toEqual([]);
});

test("no two folders import each other", () => {
  expect(mutualFolders(product)).toEqual([]);
});

test("leaf layers import only what they may", () => {
  const wrong = product.flatMap(({ path, imports }) => {
    const allowed = leaves[layerOf(path)];
    if (allowed === undefined) return [];
    return imports
      .filter((target) => layerOf(target) !== layerOf(path) && !allowed.includes(layerOf(target)))
      .map((target) => `${path} imports ${target}`);
  });
  expect(wrong).toEqual([]);
});

test("what tests inject reaches the layers below the cluster through one seam", () => {
  const below = layers.slice(layers.indexOf("cluster") + 1).filter((layer) => layer !== "scenario");
  const knowing = product.filter(
    ({ path, imports }) =>
      below.includes(layerOf(path)) && imports.some((target) => layerOf(target) === "scenario"),
  );
  expect(knowing.map(({ path }) => path)).toEqual(seam);
});

test("there are no import cycles", () => {
  expect(cycles(product)).toEqual([]);
});

test("files have kebab-case names of their content, and only the root has an index", () => {
  const drawers = /^(utils?|helpers?|common|base|misc|shared|index)$/;
  const wrong = all.filter(({ path }) => {
    const name = basename(path).replace(/(\.[a-z-]+)?\.test\.ts$|\.ts$/, "");
    if (path === "src/index.ts") return false;
    return drawers.test(name) || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name);
  });
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

test("only entry files re-export from other modules", () => {
  expect(
    product
      .filter(({ path }) => !entryFiles.includes(path))
      .flatMap(({ path, reexports }) => show(path, reexports)),
  ).toEqual([]);
});

test("files, functions and lists of exports stay within their limits", () => {
  const wrong = all
    .filter(({ lines }) => lines > limits.lines)
    .map(({ path, lines }) => `${path} has ${lines} lines`);
  for (const { path, exports, longFunctions } of product) {
    wrong.push(...show(path, longFunctions));
    if (!entryFiles.includes(path) && !functionLists.includes(path) && exports.length > limits.exports) {
      wrong.push(`${path} has ${exports.length} exports`);
    }
  }
  expect(wrong).toEqual([]);
});

test("only the clock reads the time", () => {
  const wrong = product
    .filter(({ path }) => path !== clock && !inRealTime.test(path))
    .flatMap(({ path, clockUses }) => show(path, clockUses));
  expect(wrong).toEqual([]);
});

test("validation collects errors instead of returning them", () => {
  const found = product.flatMap(({ path, errorLists }) =>
    errorLists.map(({ line, name }) => ({ place: `${path} ${name}`, line })),
  );
  const wrong = found.filter(({ place }) => !returnsErrors.includes(place));
  expect(wrong.map(({ place, line }) => `${place} in line ${line}`)).toEqual([]);
  expect(returnsErrors.filter((name) => !found.some(({ place }) => place === name))).toEqual([]);
});

test("a list of errors is found in each form of a function", () => {
  const listsOf = (text: string) => errorListsOf(parseSync("a.ts", text).program, text, () => 1);
  const forms: readonly (readonly [name: string, text: string])[] = [
    ["f", "function f(): readonly FieldError[] { return g(); }"],
    ["f", "export async function f(): Promise<Findings> { return g(); }"],
    ["f", "const f = (): FieldError[] => g();"],
    ["f", "const f = (): ReadonlyArray<FieldError> => g();"],
    ["f", "type F = { f(): FieldError[] };"],
    ["f", "class F { f(): FieldError[] { return g(); } }"],
    ["a type", "type F = (value: string) => readonly FieldError[];"],
    ["a list", 'const f = (text: string) => (text === "" ? [fieldRequired("a")] : []);'],
  ];
  for (const [name, text] of forms) expect([text, ...listsOf(text)]).toEqual([text, { line: 1, name }]);
  expect(listsOf('throw invalid(gvk, name, [fieldInvalid("a", "", "b")]);')).toEqual([]);
  expect(listsOf("function addErrors(errors: Findings): void { errors.push(fieldRequired(a)); }")).toEqual(
    [],
  );
});

test("only since compares releases", () => {
  const wrong = product
    .filter(({ path }) => path !== releaseFile)
    .flatMap(({ path, releaseComparisons }) => show(path, releaseComparisons));
  expect(wrong).toEqual([]);
});

test.each([
  "gates.minor >= 27",
  "33 <= this.#minor",
  "Number(minor) < 20",
  "minorOf(release) > minorOf(other)",
  'release >= "1.27"',
  'gates.release === "1.33"',
])("`%s` is a comparison of releases", (code) => {
  const { program } = parseSync(
    "example.ts",
    code.includes("#") ? `class C { #minor = 1; f() { ${code} } }` : code,
  );
  expect(inspect(program, () => 1).releaseComparisons).toHaveLength(1);
});

function layerOf(path: string): string {
  return path.split("/").length === 2 ? basename(path, ".ts") : (path.split("/")[1] ?? "");
}

function show(path: string, findings: readonly Finding[]): string[] {
  return findings.map(({ line, what }) => `${path}:${line} ${what}`);
}

function readSource(path: string): Source {
  const text = readFileSync(path, "utf8");
  const { program, module, errors } = parseSync(path, text);
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`);
  const starts = [0, ...[...text.matchAll(/\n/g)].map((match) => match.index + 1)];
  const lineOf = (offset: number) => starts.findLastIndex((start) => start <= offset) + 1;
  const imports = new Set<string>();
  const add = (specifier: string) => {
    if (specifier.startsWith(".")) imports.add(normalize(join(dirname(path), specifier)));
  };
  for (const { moduleRequest } of module.staticImports) add(moduleRequest.value);
  const exported = module.staticExports.flatMap((statement) => statement.entries);
  for (const { moduleRequest } of exported) if (moduleRequest) add(moduleRequest.value);
  const { longFunctions, clockUses, releaseComparisons, dynamic } = inspect(program, lineOf);
  for (const specifier of dynamic) add(specifier);
  return {
    path,
    lines: starts.length - (text.endsWith("\n") ? 1 : 0),
    imports: [...imports].filter((target) => target.endsWith(".ts")),
    exports: exported.filter(({ isType }) => !isType).map(({ exportName }) => exportName.name ?? "*"),
    reexports: exported
      .filter(({ moduleRequest }) => moduleRequest !== null)
      .map(({ start, moduleRequest }) => ({
        line: lineOf(start),
        what: `re-exports from ${moduleRequest?.value}`,
      })),
    longFunctions,
    clockUses,
    errorLists: errorListsOf(program, text, lineOf),
    releaseComparisons,
  };
}

/** The functions that return field errors and the lists of them in brackets, except for those given to `invalid` or `invalidService`. */
function errorListsOf(
  program: ReturnType<typeof parseSync>["program"],
  text: string,
  lineOf: (offset: number) => number,
): readonly ErrorList[] {
  const found: ErrorList[] = [];
  const names = new Map<Node, string>();
  const answers = new Set<Node>();
  const named = (value: Node | null, name: string) => {
    if (value !== null) names.set(value, name);
  };
  const textOf = ({ start, end }: Node) => text.slice(start, end);
  const check = (node: Node, returnType: Node | null | undefined, name: string) => {
    if (!returnType) return;
    const type = textOf(returnType).replace(/^(:|=>)\s*/, "");
    if (errorListType.test(type)) found.push({ line: lineOf(node.start), name });
  };
  new Visitor({
    VariableDeclarator: ({ id, init }) => named(init, id.type === "Identifier" ? id.name : "a function"),
    MethodDefinition: ({ key, value }) => named(value, textOf(key)),
    Property: ({ key, value }) => named(value, textOf(key)),
    FunctionDeclaration: (node) => check(node, node.returnType, node.id?.name ?? "a function"),
    FunctionExpression: (node) => check(node, node.returnType, names.get(node) ?? "a function"),
    ArrowFunctionExpression: (node) => check(node, node.returnType, names.get(node) ?? "a function"),
    TSMethodSignature: (node) => check(node, node.returnType, textOf(node.key)),
    TSFunctionType: (node) => check(node, node.returnType, "a type"),
    CallExpression({ callee, arguments: given }) {
      if (callee.type === "Identifier" && callee.name.startsWith("invalid"))
        for (const item of given) answers.add(item);
    },
    ArrayExpression(node) {
      const isError = (item: Node | null) =>
        item?.type === "CallExpression" &&
        item.callee.type === "Identifier" &&
        fieldError.test(item.callee.name);
      if (node.elements.some(isError) && !answers.has(node)) {
        found.push({ line: lineOf(node.start), name: "a list" });
      }
    },
  }).visit(program);
  return found;
}

/** Findings that need a walk through the syntax tree. */
function inspect(program: ReturnType<typeof parseSync>["program"], lineOf: (offset: number) => number) {
  const longFunctions: Finding[] = [];
  const clockUses: Finding[] = [];
  const releaseComparisons: Finding[] = [];
  const dynamic: string[] = [];
  const measure = ({ start, end }: Node) => {
    const lines = lineOf(end) - lineOf(start) + 1;
    if (lines > limits.functionLines) {
      longFunctions.push({ line: lineOf(start), what: `a function of ${lines} lines` });
    }
  };
  const useClock = (node: Node, what: string) => clockUses.push({ line: lineOf(node.start), what });
  const literal = (node: Node) => {
    if (node.type === "Literal" && typeof node.value === "string") dynamic.push(node.value);
  };
  new Visitor({
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: measure,
    ImportExpression: (node) => literal(node.source),
    TSImportType: (node) => literal(node.source),
    NewExpression(node) {
      const { callee } = node;
      if (callee.type === "Identifier" && callee.name === "Date" && node.arguments.length === 0) {
        useClock(node, "new Date()");
      }
    },
    BinaryExpression(node) {
      const { operator, left, right } = node;
      const isOrder = /^[<>]=?$/.test(operator) && [left, right].some(isMinor);
      const isRelease = /^[<>=!]=*$/.test(operator) && [left, right].some(isReleaseName);
      if (isOrder || isRelease)
        releaseComparisons.push({ line: lineOf(node.start), what: "compares releases" });
    },
    CallExpression(node) {
      const { callee } = node;
      if (callee.type === "Identifier" && /^(set|clear)(Timeout|Interval|Immediate)$/.test(callee.name)) {
        useClock(node, callee.name);
      }
    },
    MemberExpression(node) {
      if (node.object.type !== "Identifier" || node.property.type !== "Identifier") return;
      const name = `${node.object.name}.${node.property.name}`;
      if (name === "Date.now" || name === "performance.now" || name === "AbortSignal.timeout")
        useClock(node, name);
    },
  }).visit(program);
  return { longFunctions, clockUses, releaseComparisons, dynamic };
}

/** Whether an expression is the minor number of a release: `gates.minor`, `minorOf(release)`, `Number(minor)`. */
function isMinor(node: Node): boolean {
  switch (node.type) {
    case "Identifier":
    case "PrivateIdentifier":
      return /^minor/i.test(node.name);
    case "MemberExpression":
      return isMinor(node.property);
    case "CallExpression":
      return isMinor(node.callee) || node.arguments.some(isMinor);
    default:
      return false;
  }
}

function isReleaseName(node: Node): boolean {
  return node.type === "Literal" && typeof node.value === "string" && /^v?1\.\d+$/.test(node.value);
}

/** Pairs of folders with imports in both directions, with the tree cut at every depth. */
function mutualFolders(sources: readonly Source[]): string[] {
  const folders = (path: string) => dirname(path).split("/");
  const deepest = Math.max(...sources.map(({ path }) => folders(path).length));
  const found = new Set<string>();
  for (let depth = 2; depth <= deepest; depth++) {
    const cut = (path: string) => folders(path).slice(0, depth).join("/");
    const arrows = new Set(
      sources.flatMap(({ path, imports }) => imports.map((target) => `${cut(path)} ${cut(target)}`)),
    );
    for (const arrow of arrows) {
      const [from = "", to = ""] = arrow.split(" ");
      if (from < to && arrows.has(`${to} ${from}`)) found.add(`${from} and ${to}`);
    }
  }
  return [...found].sort();
}

/** One path for each cycle, found by depth-first search. */
function cycles(sources: readonly Source[]): string[] {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      found.push([...trail.slice(trail.indexOf(path)), path].join(" > "));
      return;
    }
    if (done.has(path)) return;
    for (const target of byPath.get(path)?.imports ?? []) walk(target, [...trail, path]);
    done.add(path);
  };
  for (const { path } of sources) walk(path, []);
  return found;
}
