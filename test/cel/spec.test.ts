import {
  getConformanceSuite,
  type IncrementalTest,
  type IncrementalTestSuite,
} from "@bufbuild/cel-spec/testdata/tests.js";
import { expect, test } from "vitest";
import { compile } from "../../src/cel/compilation.ts";
import { environmentOf } from "../../src/cel/environment/environment.ts";
import { bindings, twoVariableComprehensions } from "../../src/cel/libraries/extensions/comprehensions.ts";
import { extendedLists } from "../../src/cel/libraries/extensions/lists.ts";
import { optionalLists, optionals } from "../../src/cel/libraries/extensions/optionals.ts";
import { stringFormatting, stringReversal, strings } from "../../src/cel/libraries/extensions/strings.ts";
import { crossTypeLibrary, standardLibrary } from "../../src/cel/libraries/standard/standard-library.ts";
import { equalValues } from "../../src/cel/values/equality.ts";
import { showValue } from "../../src/cel/values/show.ts";
import { type CelValue, TypeValue } from "../../src/cel/values/value.ts";
import { NeedsMessages, needsMessages, typeOfDeclaration, valueOfMessage } from "./spec-environment.ts";

const libraries = [
  standardLibrary,
  crossTypeLibrary,
  optionals,
  optionalLists,
  bindings,
  twoVariableComprehensions,
  strings,
  stringFormatting("plain"),
  stringReversal,
  extendedLists,
];

/** Why a test fails; undefined if it passes. */
function failureOf({ original }: IncrementalTest): string | undefined {
  const variables = original.typeEnv.flatMap((declaration) =>
    declaration.declKind.case === "ident"
      ? [[declaration.name, typeOfDeclaration(declaration.declKind.value.type)] as const]
      : [],
  );
  const environment = environmentOf({
    libraries: original.disableMacros ? libraries.map((library) => ({ ...library, macros: [] })) : libraries,
    variables,
    container: original.container,
    isChecked: !original.disableCheck,
  });
  const { resultMatcher } = original;
  const isErrorExpected = resultMatcher.case === "evalError" || resultMatcher.case === "anyEvalErrors";
  const compiled = compile(original.expr, environment);
  if (!("program" in compiled)) return isErrorExpected ? undefined : compiled.message;
  if (original.checkOnly) return undefined;
  const activation: Record<string, CelValue> = {};
  for (const [name, { kind }] of Object.entries(original.bindings)) {
    if (kind.case !== "value") throw new NeedsMessages(`a binding of ${kind.case}`);
    activation[name] = valueOfMessage(kind.value);
  }
  const outcome = compiled.program.evaluate(activation, Number.POSITIVE_INFINITY);
  if (outcome.error !== undefined) return isErrorExpected ? undefined : outcome.error;
  if (isErrorExpected) return `yields ${showValue(outcome.value)} instead of an error`;
  let expected: CelValue = true;
  if (resultMatcher.case === "value") expected = valueOfMessage(resultMatcher.value);
  if (resultMatcher.case === "typedResult") {
    if (resultMatcher.value.result === undefined) return undefined;
    expected = valueOfMessage(resultMatcher.value.result);
  }
  return same(outcome.value, expected)
    ? undefined
    : `yields ${showValue(outcome.value)}, not ${showValue(expected)}`;
}

/** Equal, and of one type; NaN is the same as NaN here. */
function same(a: CelValue, b: CelValue): boolean {
  if (Number.isNaN(a) && Number.isNaN(b)) return true;
  if (a instanceof TypeValue && b instanceof TypeValue) return a.type.name === b.type.name;
  return equalValues(a, b);
}

function testsOf(suite: IncrementalTestSuite): readonly IncrementalTest[] {
  return [...suite.tests, ...suite.suites.flatMap(testsOf)];
}

test("the suite of the specification passes", () => {
  const failures: string[] = [];
  for (const suite of getConformanceSuite().suites) {
    let passed = 0;
    let skipped = 0;
    const all = testsOf(suite);
    for (const item of all) {
      try {
        if (needsMessages(item)) throw new NeedsMessages("expression");
        const failure = failureOf(item);
        if (failure === undefined) passed++;
        else
          failures.push(
            `${suite.name} ${item.name}: ${item.original.expr.slice(0, 200)}${item.original.disableCheck ? " [unchecked]" : ""}\n     ${failure.slice(0, 300)}`,
          );
      } catch (error) {
        if (!(error instanceof NeedsMessages)) {
          failures.push(
            `${suite.name} ${item.name}: ${item.original.expr} THROWS ${error instanceof Error ? error.stack?.slice(0, 600) : error}`,
          );
          continue;
        }
        skipped++;
      }
    }
    console.log(`${suite.name}: ${passed} of ${all.length - skipped} pass, ${skipped} need messages`);
  }
  console.log(failures.join("\n"));
  expect(failures.length).toBe(0);
});
