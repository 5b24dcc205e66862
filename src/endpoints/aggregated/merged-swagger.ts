import { objectAt, structAt } from "../../apimachinery/fields.ts";
import { isJsonObject, type JsonObject, type JsonValue, jsonEqual } from "../../apimachinery/json.ts";
import { compareText } from "../../apimachinery/text-order.ts";
import { ChangedRefs, reachableDefinitions } from "./swagger-refs.ts";

const kinds = "x-kubernetes-group-version-kind";

/**
 * A Swagger document of another server with the paths that have a prefix alone, and without the definitions that only its other paths
 * need. Upstream: kube-openapi, pkg/aggregator/aggregator.go, FilterSpecByPathsWithoutSideEffects.
 */
export function filteredSwagger(document: JsonObject, prefix: string): JsonObject {
  const all = objectAt(document, "paths") ?? {};
  const definitions = objectAt(document, "definitions") ?? {};
  const paths = picked(all, (path) => path.startsWith(prefix));
  const before = reachableDefinitions(all, definitions);
  const now = reachableDefinitions(paths, definitions);
  return {
    ...document,
    paths,
    definitions: picked(definitions, (name) => now.has(name) || !before.has(name)),
  };
}

/**
 * A Swagger document with what another one has besides. A definition or parameter of the other one that differs from that with the same
 * name gets the name with `_v2` or a higher number. Upstream: MergeSpecsIgnorePathConflictRenamingDefinitionsAndParameters.
 */
export function mergedSwagger(own: JsonObject, other: JsonObject): JsonObject {
  const refs = new ChangedRefs();
  const sectionAt = (section: "definitions" | "parameters"): Section => {
    const known = objectAt(own, section) ?? {};
    const added = picked(objectAt(other, section) ?? {}, (_name, value) => isJsonObject(value));
    for (const [from, to] of renames(known, added)) refs.add(`#/${section}/${from}`, `#/${section}/${to}`);
    return { known, added, prefix: `#/${section}/` };
  };
  const definitions = sectionAt("definitions");
  const parameters = sectionAt("parameters");
  const paths = { ...refs.applyTo(structAt(other, "paths")), ...objectAt(own, "paths") };
  const merged = { ...own, paths, definitions: sectionOf(definitions, refs) };
  return Object.keys(parameters.added).length === 0
    ? merged
    : { ...merged, parameters: sectionOf(parameters, refs) };
}

interface Section {
  readonly known: JsonObject;
  readonly added: JsonObject;
  readonly prefix: string;
}

/** Both parts of a section. What both have stays, with the kinds of both. */
function sectionOf({ known, added, prefix }: Section, refs: ChangedRefs): JsonObject {
  const entries = Object.keys(added).map((name): [string, JsonObject] => {
    const present = refs.of(`${prefix}${name}`).slice(prefix.length);
    const existing = objectAt(known, present);
    const next = refs.applyTo(structAt(added, name));
    return [present, existing === undefined ? next : withKinds(existing, next)];
  });
  return { ...known, ...Object.fromEntries(entries) };
}

/** New names for what differs from that with the same name. */
function renames(known: JsonObject, added: JsonObject): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const name of Object.keys(added)) {
    const value = withoutKinds(structAt(added, name));
    const isSame = (other: string) => jsonEqual(withoutKinds(structAt(known, other)), value);
    if (!Object.hasOwn(known, name) || isSame(name)) continue;
    let number = 2;
    const candidate = () => `${name}_v${number}`;
    while (Object.hasOwn(known, candidate()) && !isSame(candidate())) number += 1;
    const isReused = Object.hasOwn(known, candidate());
    while (!isReused && (Object.hasOwn(known, candidate()) || Object.hasOwn(added, candidate()))) number += 1;
    names.set(name, candidate());
  }
  return names;
}

function withoutKinds({ [kinds]: _, ...rest }: JsonObject): JsonObject {
  return rest;
}

function withKinds(existing: JsonObject, other: JsonObject): JsonObject {
  const own = listOf(existing[kinds]);
  const titles = new Set(own.map(titleOf));
  const added = listOf(other[kinds]).filter((one) => !titles.has(titleOf(one)));
  if (added.length === 0) return existing;
  return { ...existing, [kinds]: [...own, ...added].sort((a, b) => compareText(titleOf(a), titleOf(b))) };
}

function titleOf(kind: JsonObject): string {
  return `${kind["group"]}/${kind["version"]}.${kind["kind"]}`;
}

function listOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function picked(object: JsonObject, isKept: (key: string, value: JsonValue) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key, value]) => isKept(key, value)));
}
