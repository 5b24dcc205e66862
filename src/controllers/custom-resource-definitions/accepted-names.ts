import { aggregateText } from "../../apimachinery/errors/aggregate.ts";
import { textAt, textsAt } from "../../apimachinery/fields.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import { type JsonObject, jsonEqual, type MutableJsonObject } from "../../apimachinery/json.ts";
import type { DefinitionCondition } from "../../kinds/apiextensions/custom-resource-definition/conditions.ts";

/** The names of a group that other definitions have. */
export interface TakenNames {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

/** The names that are accepted, and the condition that says so. */
export interface Acceptance {
  readonly names: JsonObject;
  readonly condition: DefinitionCondition;
}

/**
 * Decides which of the requested names a definition gets. A name that it has already stays; of several conflicts the
 * condition tells the last. Upstream: apiextensions-apiserver, pkg/controller/status/naming_controller.go.
 */
export function acceptNames(requested: JsonObject, accepted: JsonObject, taken: TakenNames): Acceptance {
  const names: MutableJsonObject = { ...accepted };
  let condition: DefinitionCondition | undefined;
  const refuse = (reason: string, message: string) => {
    condition = { type: "NamesAccepted", status: "False", reason, message };
  };
  const decide = (field: string, used: ReadonlySet<string>, reason: string) => {
    const name = textAt(requested, field);
    if (name !== textAt(accepted, field) && used.has(name)) refuse(reason, inUse(name));
    else set(names, field, requested[field]);
  };
  decide("plural", taken.resources, "PluralConflict");
  decide("singular", taken.resources, "SingularConflict");
  const conflicts = shortNameConflicts(requested, accepted, taken);
  if (conflicts.length > 0) refuse("ShortNamesConflict", aggregateText(conflicts));
  else set(names, "shortNames", requested["shortNames"]);
  decide("kind", taken.kinds, "KindConflict");
  decide("listKind", taken.kinds, "ListKindConflict");
  set(names, "categories", requested["categories"]);
  condition ??= {
    type: "NamesAccepted",
    status: "True",
    reason: "NoConflicts",
    message: "no conflicts found",
  };
  return { names, condition };
}

function set(names: MutableJsonObject, field: string, value: JsonObject[string] | undefined): void {
  if (value === undefined) delete names[field];
  else names[field] = value;
}

function inUse(name: string): string {
  return `${goQuote(name)} is already in use`;
}

function shortNameConflicts(
  requested: JsonObject,
  accepted: JsonObject,
  taken: TakenNames,
): readonly string[] {
  if (jsonEqual(requested["shortNames"], accepted["shortNames"])) return [];
  const own = new Set(textsAt(accepted, "shortNames"));
  const wanted = textsAt(requested, "shortNames").filter((name) => !own.has(name));
  return wanted.filter((name) => taken.resources.has(name)).map(inUse);
}

/** The accepted names of other definitions in a group. */
export function takenNames(accepted: readonly JsonObject[]): TakenNames {
  const resources = accepted.flatMap((names) => [
    textAt(names, "plural"),
    textAt(names, "singular"),
    ...textsAt(names, "shortNames"),
  ]);
  const kinds = accepted.flatMap((names) => [textAt(names, "kind"), textAt(names, "listKind")]);
  return { resources: new Set(resources.filter(Boolean)), kinds: new Set(kinds.filter(Boolean)) };
}
