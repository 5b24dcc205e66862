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
  if (jsonEqual(requested, accepted)) return { names: accepted, condition: noConflicts };
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
  return { names, condition: condition ?? noConflicts };
}

const noConflicts: DefinitionCondition = {
  type: "NamesAccepted",
  status: "True",
  reason: "NoConflicts",
  message: "no conflicts found",
};

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

/** The accepted names of definitions in a group, to which more are added. */
export class CollectedNames implements TakenNames {
  readonly #resources = new Set<string>();
  readonly #kinds = new Set<string>();

  add(names: JsonObject): void {
    for (const field of ["plural", "singular"]) this.#resources.add(textAt(names, field));
    for (const name of textsAt(names, "shortNames")) this.#resources.add(name);
    for (const field of ["kind", "listKind"]) this.#kinds.add(textAt(names, field));
  }

  readonly hasResource = (name: string): boolean => name !== "" && this.#resources.has(name);

  readonly hasKind = (name: string): boolean => name !== "" && this.#kinds.has(name);
}

const namesOf = rememberedByPart((names: JsonObject): TakenNames => {
  const collected = new CollectedNames();
  collected.add(names);
  return collected;
});

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
