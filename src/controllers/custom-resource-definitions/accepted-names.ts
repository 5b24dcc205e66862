import { aggregateText } from "../../apimachinery/errors/aggregate.ts";
import { textAt, textsAt } from "../../apimachinery/fields.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import { type JsonObject, jsonEqual, type MutableJsonObject } from "../../apimachinery/json.ts";
import type { DefinitionCondition } from "../../kinds/apiextensions/custom-resource-definition/conditions.ts";
import { rememberedByPart } from "../../sharing/remembered-by-part.ts";

/** The names of a group that other definitions have. */
export interface TakenNames {
  readonly hasResource: (name: string) => boolean;
  readonly hasKind: (name: string) => boolean;
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
  const decide = (field: string, isUsed: (name: string) => boolean, reason: string) => {
    const name = textAt(requested, field);
    if (name !== textAt(accepted, field) && isUsed(name)) refuse(reason, inUse(name));
    else set(names, field, requested[field]);
  };
  decide("plural", taken.hasResource, "PluralConflict");
  decide("singular", taken.hasResource, "SingularConflict");
  const conflicts = shortNameConflicts(requested, accepted, taken);
  if (conflicts.length > 0) refuse("ShortNamesConflict", aggregateText(conflicts));
  else set(names, "shortNames", requested["shortNames"]);
  decide("kind", taken.hasKind, "KindConflict");
  decide("listKind", taken.hasKind, "ListKindConflict");
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
  return wanted.filter((name) => taken.hasResource(name)).map(inUse);
}

const namesOf = rememberedByPart((names: JsonObject): TakenNames => {
  const [plural, singular, kind, listKind] = ["plural", "singular", "kind", "listKind"].map((one) =>
    textAt(names, one),
  );
  return takenBy([plural, singular, ...textsAt(names, "shortNames")], [kind, listKind]);
});

function takenBy(
  resources: readonly (string | undefined)[],
  kinds: readonly (string | undefined)[],
): TakenNames {
  const setOf = (texts: readonly (string | undefined)[]) => {
    const present = new Set(texts);
    return (name: string) => name !== "" && present.has(name);
  };
  return { hasResource: setOf(resources), hasKind: setOf(kinds) };
}

/** The accepted names of other definitions in a group, which are listed when a name is first looked up. */
export function takenNames(accepted: () => readonly JsonObject[]): TakenNames {
  let all: readonly TakenNames[] | undefined;
  const some = (test: (names: TakenNames) => boolean) => {
    all ??= accepted().map(namesOf);
    return all.some(test);
  };
  return {
    hasResource: (name) => some((names) => names.hasResource(name)),
    hasKind: (name) => some((names) => names.hasKind(name)),
  };
}
