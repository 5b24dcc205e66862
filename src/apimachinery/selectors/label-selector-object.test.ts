import { describe, expect, test } from "vitest";
import { fieldErrorLines } from "../../../test/field-errors.ts";
import type { JsonValue } from "../json.ts";
import { collectErrors } from "../validation/findings.ts";
import {
  addLabelSelectorErrors,
  formatLabelSelectorObject,
  labelSelectorFromObject,
} from "./label-selector-object.ts";

describe("a LabelSelector object", () => {
  test.each<[JsonValue | undefined, string, boolean]>([
    [undefined, "<none>", false],
    [null, "<none>", false],
    [{}, "<none>", true],
    [{ matchLabels: {} }, "<none>", true],
    [{ matchLabels: { tier: "x", app: "web" } }, "app=web,tier=x", false],
    [{ matchLabels: { app: "web" } }, "app=web", true],
    [{ matchExpressions: [{ key: "app", operator: "In", values: ["web", "db"] }] }, "app in (db,web)", true],
    [{ matchExpressions: [{ key: "app", operator: "NotIn", values: ["web"] }] }, "app notin (web)", false],
    [{ matchExpressions: [{ key: "app", operator: "Exists" }] }, "app", true],
    [{ matchExpressions: [{ key: "app", operator: "DoesNotExist" }] }, "!app", false],
    [{ matchLabels: { b: "c" }, matchExpressions: [{ key: "a", operator: "Exists" }] }, "a,b=c", false],
    [{ matchExpressions: [{ key: "app", operator: "Near" }] }, "<none>", false],
    [{ matchExpressions: [{ key: "app", operator: "In" }] }, "<none>", false],
  ])("%j is %s and matches app=web: %s", (selector, text, matches) => {
    expect(formatLabelSelectorObject(selector)).toBe(text);
    expect(labelSelectorFromObject(selector).matches({ app: "web" })).toBe(matches);
  });

  test("matches everything only if it is empty", () => {
    expect(labelSelectorFromObject({}).isEmpty).toBe(true);
    expect(labelSelectorFromObject(undefined).isEmpty).toBe(false);
  });

  test.each<[JsonValue | undefined, readonly (string | RegExp)[]]>([
    [undefined, []],
    [{ matchLabels: { a: "b" }, matchExpressions: [{ key: "a", operator: "Exists", values: [] }] }, []],
    [
      { matchLabels: { "a b": "c d" } },
      [
        /^spec\.selector\.matchLabels: Invalid value: "a b": name part/,
        /^spec\.selector\.matchLabels: Invalid value: "c d": a valid label/,
      ],
    ],
    [
      {
        matchExpressions: [
          { key: "a", operator: "In" },
          { key: "a", operator: "NotIn", values: [] },
        ],
      },
      [
        "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
        "spec.selector.matchExpressions[1].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
      ],
    ],
    [
      { matchExpressions: [{ key: "a", operator: "Exists", values: ["b"] }] },
      [
        "spec.selector.matchExpressions[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
      ],
    ],
    [
      { matchExpressions: [{ key: "-", operator: "Near", values: ["ok", "-"] }] },
      [
        'spec.selector.matchExpressions[0].operator: Invalid value: "Near": not a valid selector operator',
        /^spec\.selector\.matchExpressions\[0\]\.key: Invalid value: "-": name part/,
        /^spec\.selector\.matchExpressions\[0\]\.values\[1\]: Invalid value: "-": a valid label/,
      ],
    ],
  ])("the errors of %j", (selector, expected) => {
    const errors = fieldErrorLines(
      collectErrors((errors) => addLabelSelectorErrors(errors, selector, "spec.selector")),
    );
    expect(errors).toEqual(
      expected.map((text) => (typeof text === "string" ? text : expect.stringMatching(text))),
    );
  });
});
