import { plainJson } from "../../src/apimachinery/go/parsed-json.ts";
import type { JsonValue } from "../../src/apimachinery/json.ts";
import { applyJsonPatch, parseJsonPatch } from "../../src/patch/json-patch.ts";
import { type Operation, patchedByLibrary, patchText } from "./json-patch-library.ts";
import type { PatchedDocument } from "./json-patches.ts";
import { type Comparison, isAccepted, isSame, outcomeOf } from "./known-difference.ts";

/** One operation of a patch, and the document before it. */
export interface Step {
  readonly before: JsonValue;
  readonly operation: Operation;
}

/** Compares the document after each operation, up to the first difference or refusal. */
export function compareSteps({ document, operations }: PatchedDocument): Comparison<Step>[] {
  const comparisons: Comparison<Step>[] = [];
  let before: JsonValue = document;
  for (const [i, operation] of operations.entries()) {
    const theirs = outcomeOf(() => patchedByLibrary(before, operation));
    // Ours applies all operations so far at once, because untouched parts of a document stay unparsed text.
    const ours = outcomeOf(() => patchedByUs({ document, operations: operations.slice(0, i + 1) }));
    const comparison = { input: { before, operation }, ours, theirs };
    comparisons.push(comparison);
    if (!isSame(comparison) || !isAccepted(theirs)) break;
    before = theirs.value as JsonValue;
  }
  return comparisons;
}

function patchedByUs({ document, operations }: PatchedDocument): JsonValue {
  return plainJson(applyJsonPatch(document, parseJsonPatch(patchText(operations), "Warn").operations));
}
