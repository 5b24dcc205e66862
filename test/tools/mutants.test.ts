import { describe, expect, test } from "vitest";
import { findLoops } from "../../tools/mutants/find-loops.ts";
import { findMutants } from "../../tools/mutants/find-mutants.ts";
import { instrument, stepFunction, switchFunction } from "../../tools/mutants/instrument.ts";
import { judgeInRounds } from "../../tools/mutants/judge-in-rounds.ts";
import { modules, testFilesOf } from "../../tools/mutants/modules.ts";
import { describeMutant, nameOf } from "../../tools/mutants/mutant.ts";
import { formatScores, type Judged, scoreOf } from "../../tools/mutants/report.ts";
import type { Recording, Verdict } from "../../tools/mutants/runner.ts";
import { sample } from "../../tools/mutants/sample.ts";
import { countStep, type SwitchState, tryMutants } from "../../tools/mutants/try-mutants.ts";

const changesOf = (source: string) =>
  findMutants("a.ts", source).map(({ original, replacement }) => `${original} → ${replacement}`);

describe("the mutants of a source", () => {
  test.each<[source: string, changes: readonly string[]]>([
    ["if (a) b = c;", ["a → true", "a → false", "b = c; → "]],
    ["while (a) {}", ["a → false"]],
    ["for (;;) break;", ["break; → "]],
    ["x = a < b;", ["x = a < b; → ", "a < b → a <= b", "a < b → a >= b"]],
    ["x = a === b;", ["x = a === b; → ", "a === b → a !== b"]],
    ["x = a && !b;", ["x = a && !b; → ", "a && !b → (a) || (!b)", "!b → b"]],
    ['const x = "a";', ['"a" → ""']],
    ["const x = [1, true];", ["[1, true] → []", "1 → 2", "true → false"]],
    ["const x = `a`;", ["`a` → ``"]],
    ["const x = a.filter(b);", ["a.filter(b) → a"]],
    ["const x = a.some(b);", ["a.some(b) → a.every(b)"]],
    ["throw a;", ["throw a; → "]],
    ["function f() { return a; }", [" → return;"]],
    ["const f = () => a;", ["a → undefined"]],
    ["const f = () => undefined;", []],
  ])("%s", (source, changes) => {
    expect(changesOf(source)).toEqual(changes);
  });

  test.each([
    ["types", 'type A = "a" | 1; interface B { c: "d" } const x = y as "z";'],
    ["sources of modules", 'import a from "b"; export { c } from "d"; const e = () => {};'],
    ["names of properties", 'const x = { "a-b": y };'],
    ["texts of errors that report a mistake in the code", 'const x = new Error("a");'],
    ["empty texts that satisfy the types", 'const { a = "" } = b; const f = { c: d };'],
  ])("leave out %s", (_title, source) => {
    expect(changesOf(source)).toEqual([]);
  });

  test("do not end what an optional chain leaves out", () => {
    expect(changesOf("const x = a?.b.filter(c).d;")).toEqual([]);
    expect(changesOf("const x = a?.filter(b);")).toEqual([]);
  });

  test("have names that do not depend on lines", () => {
    const source = "function f() { a(1); a(1); }\nconst g = () => a(1);";
    const [before, after] = [findMutants("a.ts", source), findMutants("a.ts", `\n\n${source}`)];
    expect(after.map(nameOf)).toEqual(before.map(nameOf));
    expect(new Set(before.map(nameOf)).size).toBe(before.length);
    expect(before.map(({ within }) => within)).toContain("g");
    // The early return of a function does not depend on those before it.
    expect(before[0]).toMatchObject({ within: "f", replacement: "return;", nth: 1 });
    expect(describeMutant(after[0] ?? expect.unreachable())).toBe("a.ts:3 begins with return;");
  });
});

/** The value of the expression or function `f` in a source with one mutant on; 0 is none. */
function valueWith(source: string, id: number): unknown {
  const switches = findMutants("a.ts", source).map((mutant, index) => ({ id: index + 1, mutant }));
  const run = new Function(switchFunction, `${instrument(source, switches)}; return f();`);
  return run((other: number) => other === id);
}

test("one instrumented copy holds every mutant as a switch", () => {
  const source = 'function f() { let x = 1; if (x > 0 && x < 9) x = x + 2; return ["a", x]; }';
  const found = findMutants("a.ts", source);
  expect(valueWith(source, 0)).toEqual(["a", 3]);
  const values = found.map(
    (mutant, index) => `${mutant.original} → ${JSON.stringify(valueWith(source, index + 1))}`,
  );
  expect(values).toEqual([
    " → undefined",
    '1 → ["a",4]',
    'x > 0 && x < 9 → ["a",3]',
    'x > 0 && x < 9 → ["a",1]',
    'x > 0 && x < 9 → ["a",3]',
    'x > 0 → ["a",3]',
    'x > 0 → ["a",1]',
    '0 → ["a",1]',
    'x < 9 → ["a",3]',
    'x < 9 → ["a",1]',
    '9 → ["a",3]',
    'x = x + 2; → ["a",1]',
    'x + 2 → ["a",-1]',
    '2 → ["a",4]',
    '["a", x] → []',
    '"a" → ["",3]',
  ]);
});

test("every pass of a loop counts", () => {
  const source = `
    for (let i = 0; i < 2; i++) for (const x of [1, 2]) log(x);
    for (const key in { a: 1, b: 2 }) { if (key) log(key); }
    do log("c"); while (false);
    while (log("d") > 9) break;`;
  const log: unknown[] = [];
  const run = new Function("log", stepFunction, instrument(source, [], findLoops("a.ts", source)));
  run(
    (value: unknown) => log.push(value),
    () => log.push("pass"),
  );
  expect(log).toEqual([
    ...["pass", "pass", 1, "pass", 2],
    ...["pass", "pass", 1, "pass", 2],
    ...["pass", "a", "pass", "b", "pass", "c", "d", "pass"],
  ]);
});

test("a sample depends on its seed alone, and keeps the order", () => {
  const numbers = Array.from({ length: 100 }, (_, index) => index);
  const chosen = sample(numbers, 10, 7);
  expect([chosen.length, sample(numbers, 10, 7)]).toEqual([10, chosen]);
  expect(chosen).toEqual([...chosen].sort((a, b) => a - b));
  expect(sample(numbers, 10, 8)).not.toEqual(chosen);
  expect(sample(numbers, 1000, 7)).toEqual(numbers);
});

test("every module has sources and tests, and no source two modules", () => {
  const files = modules().flatMap((module) => module.files);
  expect(new Set(files).size).toBe(files.length);
  for (const module of modules()) {
    expect(module.files.length).toBeGreaterThan(0);
    expect(testFilesOf([module]).length).toBeGreaterThan(0);
  }
});

test("the tests beside a module that is within another one belong to the inner one", () => {
  const testsOf = (name: string) => testFilesOf(modules().filter((module) => module.name === name));
  expect(testsOf("patch").filter((file) => file.startsWith("src/patch/apply/"))).toEqual([]);
  for (const name of ["patch/apply", "registry/generic"])
    expect(testsOf(name).filter((file) => file.startsWith(`src/${name}/`))).not.toEqual([]);
});

test("the score is the killed share of the mutants that are not equivalent", () => {
  const [mutant = expect.unreachable()] = findMutants("a.ts", "throw a;");
  const judged: readonly Judged[] = [
    { mutant, module: "m", verdict: "killed", tests: 1 },
    { mutant, module: "m", verdict: "timed out", tests: 1 },
    { mutant, module: "m", verdict: "survived", tests: 1 },
    { mutant, module: "m", verdict: "survived", tests: 1, reason: "equivalent" },
  ];
  expect(scoreOf(judged)).toBeCloseTo(2 / 3);
  expect(scoreOf([])).toBe(1);
  expect(formatScores(judged, new Map([["m", 9]])).split("\n")[1]).toMatch(/^m +9 +3 +1 +1 +1 +1 +66\.7 %$/);
});

describe("a test that runs again with mutants", () => {
  /** Tries the mutants 1 to 3 on a test that asks whether one is on, and says what happened to each. */
  async function tried(run: (isOn: (mutant: number) => boolean, step: () => void) => unknown, limit = 1000) {
    const state: SwitchState = { on: 0, isEffective: false, steps: 0, mostSteps: 0 };
    const isOn = (mutant: number) => {
      if (state.on === mutant) state.isEffective = true;
      return state.on === mutant;
    };
    const [tries, kills]: [number[], number[]] = [[], []];
    const trial = { run: () => run(isOn, () => countStep(state)), mutants: [1, 2, 3], limit };
    const decided = await tryMutants(
      { ...trial, onTry: (mutant) => tries.push(mutant), onKill: (mutant) => kills.push(mutant) },
      state,
    );
    expect(state.on).toBe(0);
    return { tries, kills, decided: [...decided] };
  }
  const fail = () => {
    throw new Error("failed");
  };

  test("kills those with which it fails", async () => {
    const synchronous = await tried((isOn) => (isOn(1) || isOn(2) ? fail() : isOn(3)));
    expect(synchronous).toEqual({ tries: [1, 2, 3], kills: [1, 2], decided: [1, 2, 3] });
    const asynchronous = await tried(async (isOn) => (isOn(2) ? fail() : isOn(1)));
    expect(asynchronous).toEqual({ tries: [1, 2, 3], kills: [2], decided: [1, 2] });
  });

  test("does not kill one with which it fails only once", async () => {
    let isBusy = true;
    const result = await tried((isOn) => {
      if (isOn(1)) fail();
      if (isOn(2) && isBusy) {
        isBusy = false;
        fail();
      }
      isOn(3);
    });
    expect(result).toEqual({ tries: [1, 2, 3], kills: [1], decided: [1, 3] });
  });

  test("does not decide about those whose code it does not run again", async () => {
    expect(await tried(() => {})).toEqual({ tries: [1, 2, 3], kills: [], decided: [] });
  });

  test("decides nothing if it cannot be repeated", async () => {
    expect(await tried(fail)).toEqual({ tries: [], kills: [], decided: [] });
  });

  test("decides nothing further after a mutant that leaves something behind", async () => {
    let isBroken = false;
    const result = await tried((isOn) => {
      isBroken ||= isOn(2);
      if (isBroken || isOn(1)) fail();
    });
    expect(result).toEqual({ tries: [1, 2], kills: [1], decided: [1] });
  });

  test("kills one that makes it wait for ever", async () => {
    const result = await tried((isOn) => (isOn(2) ? new Promise(() => {}) : isOn(1)), 20);
    expect(result).toEqual({ tries: [1, 2, 3], kills: [2], decided: [1, 2] });
  });

  test("kills one that never leaves a loop", async () => {
    const result = await tried((isOn, step) => {
      do step();
      while (isOn(2));
      isOn(1);
    });
    expect(result).toEqual({ tries: [1, 2, 3], kills: [2], decided: [1, 2] });
  });

  test("takes any number of steps without a mutant, and more with one that is slower", async () => {
    const result = await tried((isOn, step) => {
      for (let pass = 0; pass < (isOn(1) ? 2_000_000 : 200_000); pass++) step();
    });
    expect(result).toEqual({ tries: [1, 2, 3], kills: [], decided: [1] });
  });
});

describe("mutants that have runs of their own", () => {
  const recording = (file: string): Recording => ({
    file,
    milliseconds: 1,
    steps: 0,
    reached: new Set(),
    undecided: new Set(),
    killed: [],
  });
  const [a, b] = [recording("a"), recording("b")];
  /** A runner of tests that kill these mutants, and what it ran. */
  const killing = (kills: { readonly [file: string]: readonly number[] }) => {
    const ran: [string, readonly number[]][] = [];
    const judge = async (ids: readonly number[], { file }: Recording) => {
      ran.push([file, ids]);
      const killed = ids.filter((id) => kills[file]?.includes(id));
      return new Map(killed.map((id): [number, Verdict] => [id, "killed"]));
    };
    return { ran, judge };
  };

  test("meet their test files in order until one kills them", async () => {
    const runner = killing({ a: [1], b: [2, 3] });
    const mutants = [
      { id: 1, tests: [a, b] },
      { id: 2, tests: [a, b] },
      { id: 3, tests: [b, a] },
      { id: 4, tests: [b] },
      { id: 5, tests: [] },
    ];
    const rounds: number[][] = [];
    const verdicts = await judgeInRounds([runner], mutants, (...round) => rounds.push(round));
    expect([...verdicts.keys()].sort()).toEqual([1, 2, 3]);
    expect(runner.ran).toEqual([
      ["a", [1, 2]],
      ["b", [3, 4]],
      ["b", [2]],
    ]);
    expect(rounds).toEqual([
      [1, 4],
      [2, 1],
    ]);
  });

  test("are shared among runners by ten", async () => {
    const runners = [killing({}), killing({})];
    const mutants = Array.from({ length: 25 }, (_, id) => ({ id, tests: [a] }));
    await judgeInRounds(runners, mutants, () => {});
    const ran = runners.flatMap((runner) => runner.ran);
    expect(ran.map(([, ids]) => ids.length).sort()).toEqual([10, 10, 5]);
    expect(new Set(ran.flatMap(([, ids]) => ids)).size).toBe(25);
  });
});
