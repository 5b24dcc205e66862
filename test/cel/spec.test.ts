import {
  getCheckingSuite,
  getComprehensionSuite,
  getConformanceSuite,
  getParsingSuite,
  type IncrementalTest,
  type IncrementalTestSuite,
} from "@bufbuild/cel-spec/testdata/tests.js";
import { afterAll, describe, expect, test } from "vitest";
import { compile } from "../../src/cel/compilation.ts";
import { formatType } from "../../src/cel/types/format-type.ts";
import { equalValues } from "../../src/cel/values/equality.ts";
import { showValue } from "../../src/cel/values/show.ts";
import { type CelValue, TypeValue } from "../../src/cel/values/value.ts";
import {
  NeedsMessages,
  needsMessages,
  specEnvironment,
  typeOfDeclaration,
  valueOfMessage,
} from "./spec-environment.ts";
import { expectedFailures, messageFiles } from "./spec-expectations.ts";

interface Score {
  passed: number;
  failed: number;
  needMessages: number;
}

const scores = new Map<string, Score>();

const files: readonly IncrementalTestSuite[] = [
  ...getConformanceSuite().suites,
  getParsingSuite(),
  getCheckingSuite(),
  getComprehensionSuite(),
];

/** Why a test fails; undefined if it passes. Throws NeedsMessages. */
function failureOf(file: string, { original, type, error }: IncrementalTest): string | undefined {
  const { resultMatcher } = original;
  const isFromGo = file === "parsing" || file === "checking" || file === "comprehensions";
  const isErrorExpected = resultMatcher.case === "evalError" || resultMatcher.case === "anyEvalErrors";
  const compiled = compile(original.expr, specEnvironment(file, original));
  if (!("program" in compiled)) {
    if (isFromGo) return error === undefined ? compiled.message : undefined;
    return isErrorExpected ? undefined : compiled.message;
  }
  const own = formatType(compiled.type);
  if (isFromGo) return type === undefined || own === type ? undefined : `has the type ${own}, not ${type}`;
  if (resultMatcher.case === "typedResult") {
    const deduced = formatType(typeOfDeclaration(resultMatcher.value.deducedType));
    if (own !== deduced) return `has the type ${own}, not ${deduced}`;
  }
  if (original.checkOnly) return undefined;
  const activation: Record<string, CelValue> = {};
  for (const [name, { kind }] of Object.entries(original.bindings)) {
    if (kind.case !== "value") throw new NeedsMessages(`a binding of ${kind.case}`);
    activation[name] = valueOfMessage(kind.value);
  }
  const outcome = compiled.program.evaluate(activation, Number.POSITIVE_INFINITY);
  if (outcome.error !== undefined) return isErrorExpected ? undefined : outcome.error;
  if (isErrorExpected) return `yields ${showValue(outcome.value)} instead of an error`;
  const expected = expectedValue(original);
  return same(outcome.value, expected)
    ? undefined
    : `yields ${showValue(outcome.value)}, not ${showValue(expected)}`;
}

/** Without an expectation, a test expects true. */
function expectedValue({ resultMatcher }: IncrementalTest["original"]): CelValue {
  if (resultMatcher.case === "value") return valueOfMessage(resultMatcher.value);
  return resultMatcher.case === "typedResult" ? valueOfMessage(resultMatcher.value.result) : true;
}

/** Equal, with NaN as equal to itself. */
function same(a: CelValue, b: CelValue): boolean {
  if (Number.isNaN(a) && Number.isNaN(b)) return true;
  if (a instanceof TypeValue && b instanceof TypeValue) return a.type.name === b.type.name;
  return equalValues(a, b);
}

function testsOf(suite: IncrementalTestSuite): readonly IncrementalTest[] {
  return [...suite.tests, ...suite.suites.flatMap(testsOf)];
}

/** Why the test is expected to fail; undefined if it is expected to pass. */
function reasonFor(file: string, name: string): string | undefined {
  return expectedFailures.find(([own, start]) => own === file && name.startsWith(start))?.[2];
}

describe.each(files)("$name", (suite) => {
  const score: Score = { passed: 0, failed: 0, needMessages: 0 };
  scores.set(suite.name, score);
  const relevant = testsOf(suite).filter((item) => {
    const isRelevant = !messageFiles.has(suite.name) && !needsMessages(item);
    if (!isRelevant) score.needMessages++;
    return isRelevant;
  });

  test.each(relevant)("$name", (item) => {
    let failure: string | undefined;
    try {
      failure = failureOf(suite.name, item);
    } catch (error) {
      if (!(error instanceof NeedsMessages)) throw error;
      score.needMessages++;
      return;
    }
    const reason = reasonFor(suite.name, item.name);
    if (failure === undefined) score.passed++;
    else score.failed++;
    if (reason === undefined) expect(failure).toBeUndefined();
    else expect(failure, `is listed as a failure (${reason}) but passes`).toBeDefined();
  });

  test("every listed failure is a test", () => {
    const listed = expectedFailures.filter(([file]) => file === suite.name);
    const names = relevant.map(({ name }) => name);
    expect(listed.filter(([, start]) => !names.some((name) => name.startsWith(start)))).toEqual([]);
  });
});

afterAll(() => {
  let [passed, all] = [0, 0];
  const lines = Array.from(scores, ([name, score]) => {
    passed += score.passed;
    all += score.passed + score.failed;
    return `${name.padEnd(16)} ${score.passed} of ${score.passed + score.failed}, ${score.needMessages} need messages`;
  });
  const reasons = expectedFailures.map(([file, name, reason]) => `not ${file} ${name}: ${reason}`);
  console.log([...lines, `all              ${passed} of ${all}`, ...reasons].join("\n"));
  expect(passed / all).toBeGreaterThan(0.97);
});
