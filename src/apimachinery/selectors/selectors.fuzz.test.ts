import fc from "fast-check";
import { expect, test } from "vitest";
import { nearly, unlessRefused } from "../../../test/arbitraries/nearly.ts";
import { StatusError } from "../errors/errors.ts";
import { sinceOf } from "../release.ts";
import { fieldSelector, parseFieldSelector } from "./field-selector.ts";
import { parseLabelSelector } from "./label-selector.ts";

const since = sinceOf("1.32");
const labels = fc.array(
  fc.constantFrom("a=b", "a!=b", "a", "!a", "a in (b,c)", "a notin (b)", "x.y/z=1", "a>1", "a<5"),
  { maxLength: 4 },
);
const fields = fc.array(fc.constantFrom("metadata.name=a", "spec.nodeName!=b", "a==b", "a=\\,\\=\\\\"), {
  maxLength: 4,
});

test("a nearly valid label selector has a text that selects the same, or is refused with a StatusError", () => {
  fc.assert(
    fc.property(
      nearly(
        labels.map((parts) => parts.join()),
        "ab=!,() in<>/.1-_",
      ),
      (text) => {
        const selector = unlessRefused(() => parseLabelSelector(text, since), StatusError);
        if (selector === undefined) return;
        expect(parseLabelSelector(selector.text, since).requirements).toEqual(selector.requirements);
        expect(selector.requirements.length).toBeLessThanOrEqual(text.split(",").length);
      },
    ),
    { numRuns: 2000 },
  );
});

test("a nearly valid field selector has a text that selects the same, or is refused with a StatusError", () => {
  fc.assert(
    fc.property(
      nearly(
        fields.map((parts) => parts.join()),
        "ab=!,\\. ",
      ),
      (text) => {
        const selector = unlessRefused(() => parseFieldSelector(text), StatusError);
        if (selector === undefined) return;
        expect(selector.requirements.length).toBeLessThanOrEqual(text.split(",").length);
        const { text: canonical } = fieldSelector(selector.requirements);
        // The order of the terms is that of their texts, which differ if an equals sign is doubled.
        const again = parseFieldSelector(canonical).requirements.map((one) => JSON.stringify(one));
        expect(again.toSorted()).toEqual(selector.requirements.map((one) => JSON.stringify(one)).toSorted());
      },
    ),
    { numRuns: 2000 },
  );
});
