import { type Statement, send } from "../statement.ts";

/** A change, the collection, an object, a merge patch of it, and whether it is accepted. */
export type KindUpdate = readonly [
  title: string,
  collection: string,
  object: object,
  changes: object,
  outcome: "accepted" | "refused",
];

/**
 * The statements of a table of changes, with the rules of upstream's strategies and its `ValidateXUpdate`. Each changes an
 * object of its own, whose name starts with `prefix`.
 */
export function updateStatements(prefix: string, updates: readonly KindUpdate[]): readonly Statement[] {
  return updates.map(([title, collection, object, changes, outcome], i) => {
    const name = `${prefix}-${i}`;
    const metadata = "metadata" in object ? object.metadata : undefined;
    const created = { ...object, metadata: Object.assign({}, metadata, { name }) };
    return {
      source: "kubernetes, pkg/apis/*/validation/validation_test.go",
      says: `the update "${title}" is ${outcome}`,
      after: [send("POST", collection, created)],
      request: send("PATCH", `${collection}/${name}?dryRun=All`, changes, "application/merge-patch+json"),
      code: outcome === "accepted" ? 200 : 422,
      since: "1.32",
      until: "1.32",
    };
  });
}
