import { expect, test } from "vitest";
import { fieldInvalid } from "../../apimachinery/errors/field.ts";
import type { Findings } from "../../apimachinery/validation/findings.ts";
import { featureGates } from "../../catalog/feature-gates.ts";
import { defaultStrategy } from "./default-strategy.ts";
import type { MetadataCheck, Strategy } from "./strategy.ts";
import { type KindScope, validateAsNew, validateAsNewBefore136 } from "./validate-as-new.ts";

function strategyOf(create: MetadataCheck, update: MetadataCheck): Strategy {
  const traits = { hasStatus: false, allowCreateOnUpdate: false, allowUnconditionalUpdate: true };
  return {
    ...defaultStrategy({ ...traits, deleteReturnsObject: false }),
    metadataChecks: { create, update },
    validate: (errors) => errors.push(fieldInvalid("new", 1, "")),
    validateUpdate: (errors) => errors.push(fieldInvalid("changed", 1, "")),
  };
}

/** The fields of the errors of an update that changes the uid, with an unknown finalizer and a wrong name. */
function foundBy({ validateUpdate }: Strategy, namespace: string): readonly string[] {
  const metadata = { name: "A", namespace, uid: "new", finalizers: ["unknown"], resourceVersion: "1" };
  const object = { apiVersion: "v1", kind: "Thing", metadata };
  const errors: Findings = [];
  validateUpdate(errors, object, { ...object, metadata: { ...metadata, uid: "old" } });
  return errors.map(({ field }) => field);
}

const finalizer = "metadata.finalizers[0]";

test.each<[MetadataCheck, MetadataCheck, KindScope, readonly string[]]>([
  ["core", "core", "Namespaced", ["metadata.name", finalizer, "new", "metadata.uid", finalizer, "changed"]],
  ["core", "library", "Namespaced", ["metadata.name", finalizer, "new", "metadata.uid", "changed"]],
  ["core", "own", "Namespaced", ["metadata.name", finalizer, "new", "changed"]],
  ["library", "own", "Namespaced", ["metadata.name", "new", "changed"]],
  ["library", "own", "Cluster", ["metadata.name", "metadata.namespace", "new", "changed"]],
])(
  "an update with the checks %s and %s of a %s kind has the errors of a new object first",
  (create, update, scope, expected) => {
    const strategy = validateAsNew(strategyOf(create, update), scope);
    expect(foundBy(strategy, "n")).toEqual(expected);
    expect(strategy.metadataChecks).toEqual({ create, update: "own" });
  },
);

test("since 1.36 some kinds report each error once", () => {
  const strategy = strategyOf("core", "core");
  expect(validateAsNewBefore136(strategy, "Namespaced", featureGates("1.36"))).toBe(strategy);
  const before = validateAsNewBefore136(strategy, "Namespaced", featureGates("1.35"));
  expect(foundBy(before, "n")).toEqual(foundBy(validateAsNew(strategy, "Namespaced"), "n"));
});
