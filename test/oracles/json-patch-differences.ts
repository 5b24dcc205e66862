import type { JsonValue } from "../../src/apimachinery/json.ts";
import type { Operation } from "./json-patch-library.ts";
import type { Step } from "./json-patch-readers.ts";
import type { PatchedDocument } from "./json-patches.ts";
import { childOf, type PointerStep, stepsOf } from "./json-pointers.ts";
import {
  bothAccept,
  type Comparison,
  isAccepted,
  type KnownDifference,
  onlyOursAccepts,
  onlyTheirsAccepts,
} from "./known-difference.ts";

type Difference = KnownDifference<Step, PatchedDocument>;
type StepComparison = Comparison<Step>;

function example(
  document: PatchedDocument["document"],
  ...operations: readonly Operation[]
): PatchedDocument {
  return { document, operations };
}

/** Where `fast-json-patch` and the evanphx/json-patch.v4 of the API server differ. */
export const jsonPatchDifferences: readonly Difference[] = [
  {
    title: "__proto__ is a key like any other",
    reason: "Go has no prototypes; the library refuses paths with this key for security reasons",
    example: example({}, { op: "add", path: "/__proto__", value: "1" }),
    explains: (comparison) => {
      return onlyOursAccepts(comparison) && /modifying `__proto__`/.test(theirRefusal(comparison));
    },
  },
  {
    title: "replace adds a missing member",
    reason: "upstream checks only that the parent exists",
    example: example({}, { op: "replace", path: "/a", value: "1" }),
    explains: (comparison) =>
      onlyOursAccepts(comparison) && isOp(comparison, "replace") && isMissingMember(pathEnd(comparison)),
  },
  {
    title: "copy of a missing member adds null",
    reason: "upstream reads a nil node from the parent and adds it",
    example: example({}, { op: "copy", from: "/a", path: "/b" }),
    explains: (comparison) =>
      onlyOursAccepts(comparison) && isOp(comparison, "copy") && isMissingMember(fromEnd(comparison)),
  },
  {
    title: "test treats a missing member as null",
    reason: "upstream compares a nil node with a nil value",
    example: example({}, { op: "test", path: "/a", value: "null" }),
    explains: (comparison) => {
      const { value = "null" } = comparison.input.operation;
      return (
        onlyOursAccepts(comparison) &&
        isOp(comparison, "test") &&
        value === "null" &&
        isMissingMember(pathEnd(comparison))
      );
    },
  },
  {
    title: "an index may have a sign, and counts from the end if it is negative",
    reason: "upstream parses indices with strconv.Atoi, and SupportNegativeIndices is on",
    example: example({ a: [1, 2] }, { op: "remove", path: "/a/-1" }),
    explains: (comparison) => onlyOursAccepts(comparison) && hasIndex(comparison, /^[+-]\d+$/),
  },
  {
    title: "an index may have leading zeros",
    reason:
      "upstream parses indices with strconv.Atoi; the library accepts leading zeros only in add and test",
    example: example({ a: [1, 2] }, { op: "remove", path: "/a/01" }),
    explains: (comparison) => onlyOursAccepts(comparison) && hasIndex(comparison, /^0\d+$/),
  },
  {
    title: "the text before the first slash of a path is ignored",
    reason: "upstream splits the path at slashes and skips the first part",
    example: example({}, { op: "add", path: "x/a", value: "1" }),
    explains: (comparison) => onlyOursAccepts(comparison) && !comparison.input.operation.path.startsWith("/"),
  },
  {
    title: "a missing value is null",
    reason: "upstream adds a nil node, which it writes as null",
    example: example({}, { op: "add", path: "/a" }),
    explains: (comparison) =>
      onlyOursAccepts(comparison) &&
      comparison.input.operation.value === undefined &&
      isOp(comparison, "add", "replace", "test"),
  },
  {
    title: "move resolves its target after it has removed its source",
    reason: "as RFC 6902 requires; the library validates the target before the removal",
    example: example({ a: [1, { b: 2 }] }, { op: "move", from: "/a/0", path: "/a/0/c" }),
    explains: (comparison) => {
      const { path, from = "" } = comparison.input.operation;
      const isBelowList =
        path.startsWith(from.replace(/[^/]*$/, "")) && Array.isArray(fromEnd(comparison)?.container);
      return onlyOursAccepts(comparison) && isOp(comparison, "move") && isBelowList;
    },
  },
  {
    title: "only replace and test accept the whole document",
    reason: "upstream finds no parent for a pointer without a slash",
    example: example({ a: {} }, { op: "copy", from: "/a", path: "" }),
    explains: (comparison) => {
      const { path, from } = comparison.input.operation;
      return (
        onlyTheirsAccepts(comparison) &&
        (path === "" || from === "") &&
        isOp(comparison, "add", "remove", "move", "copy")
      );
    },
  },
  {
    title: "replacing the whole document by a scalar has no effect",
    reason: "upstream wraps a nil error, and so succeeds",
    example: example({ a: 1 }, { op: "replace", path: "", value: "5" }),
    explains: (comparison) => {
      const { path, value = "null" } = comparison.input.operation;
      return bothAccept(comparison) && isOp(comparison, "replace") && path === "" && !/^\s*[[{]/.test(value);
    },
  },
  {
    title: "inherited properties are not members",
    reason: "the library finds properties of the prototype, such as toString",
    example: example({}, { op: "remove", path: "/toString" }),
    explains: (comparison) =>
      !onlyOursAccepts(comparison) && [pathEnd(comparison), fromEnd(comparison)].some(isInherited),
  },
  {
    title: "test compares the JSON text of numbers and strings",
    reason:
      "upstream compares the bytes of scalars: 1.0 is not 1, and characters that Go escapes must be escaped",
    example: example({ a: 1 }, { op: "test", path: "/a", value: "1.0" }),
    explains: (comparison) => {
      return (
        onlyTheirsAccepts(comparison) &&
        isOp(comparison, "test") &&
        /testing value .* failed/.test(ourRefusal(comparison))
      );
    },
  },
  {
    title: "move and copy cannot insert beyond the end of a list",
    reason: "the library checks the length only for add, and appends otherwise",
    example: example({ a: [1], b: 2 }, { op: "copy", from: "/b", path: "/a/9" }),
    explains: (comparison) => {
      const isList = Array.isArray(pathEnd(comparison)?.container);
      return (
        onlyTheirsAccepts(comparison) &&
        isOp(comparison, "move", "copy") &&
        isList &&
        /invalid index/.test(ourRefusal(comparison))
      );
    },
  },
  {
    title: "an empty token is not an index",
    reason: "strconv.Atoi fails; the library reads zero",
    example: example({ a: [1] }, { op: "add", path: "/a/", value: "0" }),
    explains: (comparison) => onlyTheirsAccepts(comparison) && hasIndex(comparison, /^$/),
  },
  {
    title: "copies add at most 3 MiB",
    reason: "AccumulatedCopySizeLimit of the API server",
    example: example(
      { a: "x".repeat(2 ** 21) },
      { op: "copy", from: "/a", path: "/b" },
      { op: "copy", from: "/a", path: "/c" },
    ),
    explains: (comparison) =>
      onlyTheirsAccepts(comparison) && /exceeding the limit/.test(ourRefusal(comparison)),
  },
  {
    title: "a patched document cannot be deeper than a request body",
    reason: "our limit keeps recursive code from exhausting the stack; upstream allows 10,000 levels",
    example: example(
      { a: {} },
      ...[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024].map((depth) => {
        return { op: "copy", from: "/a", path: `/a${"/x".repeat(depth)}` };
      }),
    ),
    explains: (comparison) =>
      onlyTheirsAccepts(comparison) && /exceeded max depth/.test(ourRefusal(comparison)),
  },
];

function isOp({ input }: StepComparison, ...ops: readonly string[]): boolean {
  return ops.includes(input.operation.op);
}

function pathEnd({ input }: StepComparison): PointerStep | undefined {
  return stepsOf(input.before, input.operation.path).at(-1);
}

function fromEnd({ input }: StepComparison): PointerStep | undefined {
  return stepsOf(input.before, input.operation.from ?? "").at(-1);
}

function isMissingMember(step: PointerStep | undefined): boolean {
  return step !== undefined && isObject(step.container) && childOf(step) === undefined;
}

function isInherited(step: PointerStep | undefined): boolean {
  if (step === undefined || childOf(step) !== undefined) return false;
  return Array.isArray(step.container) ? step.key in [] : isObject(step.container) && step.key in {};
}

function isObject(value: JsonValue | undefined): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a pointer has a matching token where the document has a list. */
function hasIndex({ input: { before, operation } }: StepComparison, pattern: RegExp): boolean {
  const steps = [...stepsOf(before, operation.path), ...stepsOf(before, operation.from ?? "")];
  return steps.some(({ container, key }) => Array.isArray(container) && pattern.test(key));
}

function ourRefusal({ ours }: StepComparison): string {
  return isAccepted(ours) ? "" : ours.refusal;
}

function theirRefusal({ theirs }: StepComparison): string {
  return isAccepted(theirs) ? "" : theirs.refusal;
}
