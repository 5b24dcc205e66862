import { expect, test } from "vitest";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { formConversions, internalForm, type VersionForm } from "./version-form.ts";

/** Adds a letter to the trace of conversions. */
function traced<T extends KubeObject | MutableKubeObject>(object: T, letter: string): T {
  return { ...object, trace: `${String(object["trace"] ?? "")}${letter}` };
}

const old: VersionForm = {
  toInternal: (object) => traced(object, "o"),
  fromInternal: (object) => traced(object, "O"),
};
const odd: VersionForm = {
  toInternal: (object) => traced(object, "d"),
  fromInternal: (object) => traced(object, "D"),
};

test("versions convert through the internal form, in both directions, and only if their forms differ", () => {
  const rules = formConversions({
    "g/v1": internalForm,
    "g/v1beta1": old,
    "g/v1beta2": odd,
    "g/v1beta3": odd,
  });
  const object = { apiVersion: "g/v1", kind: "Thing", metadata: {} };
  const seen = Object.entries(rules).flatMap(([version, { conversions }]) =>
    Object.entries(conversions).map(([stored, { fromStored, toStored }]) => [
      `${stored} as ${version}`,
      fromStored(object)["trace"],
      toStored(object)["trace"],
    ]),
  );
  expect(seen).toEqual([
    ["g/v1beta1 as g/v1", "o", "O"],
    ["g/v1beta2 as g/v1", "d", "D"],
    ["g/v1beta3 as g/v1", "d", "D"],
    ["g/v1 as g/v1beta1", "O", "o"],
    ["g/v1beta2 as g/v1beta1", "dO", "oD"],
    ["g/v1beta3 as g/v1beta1", "dO", "oD"],
    ["g/v1 as g/v1beta2", "D", "d"],
    ["g/v1beta1 as g/v1beta2", "oD", "dO"],
    ["g/v1 as g/v1beta3", "D", "d"],
    ["g/v1beta1 as g/v1beta3", "oD", "dO"],
  ]);
});
