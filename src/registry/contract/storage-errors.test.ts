import { describe, expect, test } from "vitest";
import type { StatusError } from "../../apimachinery/errors/errors.ts";
import {
  continueTooOld,
  futureRevision,
  invalidResourceVersion,
  listTooOld,
  objectModified,
  rawInvalidResourceVersion,
  resourceVersionPreconditionFailed,
  tooLargeForStorage,
  tooLargeResourceVersion,
  uidPreconditionFailed,
} from "./storage-errors.ts";

const pods = { group: "", resource: "pods" };
const unparsable = (text: string, problem: string) =>
  `resourceVersion: Invalid value: "${text}": strconv.ParseUint: parsing "${text}": ${problem}`;

describe("the message of a Status about", () => {
  test.each<[string, StatusError, number, string]>([
    [
      "a write with an outdated resourceVersion",
      objectModified(pods, "a"),
      409,
      'Operation cannot be fulfilled on pods "a": the object has been modified; please apply your changes to the latest version and try again',
    ],
    [
      "a write with another uid",
      uidPreconditionFailed(pods, "a", "/registry/pods/b/a", "one", "two"),
      409,
      'Operation cannot be fulfilled on pods "a": StorageError: invalid object, Code: 4, Key: /registry/pods/b/a, ' +
        "ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: one, UID in object meta: two",
    ],
    [
      "a delete with another resourceVersion",
      resourceVersionPreconditionFailed(pods, "a", "/registry/pods/b/a", "1", "2"),
      409,
      'Operation cannot be fulfilled on pods "a": StorageError: invalid object, Code: 4, Key: /registry/pods/b/a, ' +
        "ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ResourceVersion in precondition: 1, " +
        "ResourceVersion in object meta: 2",
    ],
    [
      "a list at a compacted revision",
      listTooOld(),
      410,
      "The resourceVersion for the provided list is too old.",
    ],
    [
      "a page at a compacted revision",
      continueTooOld("more"),
      410,
      "The provided continue parameter is too old to display a consistent list result. You can start a new list " +
        "without the continue parameter, or use the continue token in this response to retrieve the remainder of the " +
        "results. Continuing with the provided token results in an inconsistent list - objects that were created, " +
        "modified, or deleted between the time the first chunk was returned and now may show up in the list.",
    ],
    [
      "a revision that the server does not have yet",
      tooLargeResourceVersion("0018446744073709551615", 7),
      504,
      "Timeout: Too large resource version: 18446744073709551615, current: 7",
    ],
    [
      "a list from storage at a future revision",
      futureRevision(),
      500,
      "etcdserver: mvcc: required revision is a future revision",
    ],
    [
      "a resourceVersion that is no number",
      invalidResourceVersion("x1"),
      400,
      `invalid resource version: ${unparsable("x1", "invalid syntax")}`,
    ],
    [
      "a resourceVersion with something after the number",
      rawInvalidResourceVersion("1x"),
      500,
      unparsable("1x", "invalid syntax"),
    ],
    [
      "a resourceVersion beyond 64 bits",
      rawInvalidResourceVersion("99999999999999999999"),
      500,
      unparsable("99999999999999999999", "value out of range"),
    ],
  ])("%s", (_title, { status }, code, message) => {
    expect({ code: status.code, message: status.message }).toEqual({ code, message });
  });
});

test("a page at a compacted revision has the token that continues", () => {
  expect(continueTooOld("more").status.metadata).toEqual({ continue: "more" });
});

test.each([
  ["a list asks to retry in a second", tooLargeResourceVersion, { retryAfterSeconds: 1 }],
  ["a get does not say when to retry", tooLargeForStorage, {}],
] as const)("%s for a revision that the server does not have yet", (_title, error, retry) => {
  const causes = [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }];
  expect(error("9", 7).status.details).toEqual({ causes, ...retry });
});
