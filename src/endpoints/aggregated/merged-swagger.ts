import { objectAt } from "../../apimachinery/fields.ts";
import { getKey, isJsonObject, type JsonObject, type JsonValue, jsonEqual } from "../../apimachinery/json.ts";
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
  const sections = ["definitions", "parameters"] as const;
  const [definitions, parameters] = sections.map((section) => {
    const known = objectAt(own, section) ?? {};
    const added = picked(objectAt(other, section) ?? {}, (_name, value) => isJsonObject(value));
    for (const [from, to] of renames(known, added)) refs.add(`#/${section}/${from}`, `#/${section}/${to}`);
    return { known, added, prefix: `#/${section}/` };
  });
  const paths = { ...changed(objectAt(other, "paths"), refs), ...objectAt(own, "paths") };
  const merged = { ...own, paths, definitions: sectionOf(definitions, refs) };
  return parameters === undefined || Object.keys(parameters.added).length === 0
    ? merged
    : { ...merged, parameters: sectionOf(parameters, refs) };
}

interface Section {
  readonly known: JsonObject;
  readonly added: JsonObject;
  readonly prefix: string;
}

/** Both parts of a section. What both have stays, with the kinds of both. */
function sectionOf(section: Section | undefined, refs: ChangedRefs): JsonObject {
  if (section === undefined) return {};
  const { known, added, prefix } = section;
  const entries = Object.entries(added).map(([name, value]): [string, JsonValue] => {
    const present = refs.of(`${prefix}${name}`).slice(prefix.length);
    const existing = getKey(known, present) ?? null;
    const next = refs.apply(value);
    return [present, isJsonObject(existing) && isJsonObject(next) ? withKinds(existing, next) : next];
  });
  return { ...known, ...Object.fromEntries(entries) };
}

/** New names for what differs from that with the same name. */
function renames(known: JsonObject, added: JsonObject): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const used = new Set(Object.keys(known));
  const isSame = (name: string, value: JsonValue) =>
    jsonEqual(withoutKinds(known[name]), withoutKinds(value));
  for (const name of Object.keys(added).sort(compareText)) {
    const value = added[name] ?? null;
    if (!Object.hasOwn(known, name) || isSame(name, value)) continue;
    let number = 2;
    const candidate = () => `${name}_v${number}`;
    while (Object.hasOwn(known, candidate()) && !isSame(candidate(), value)) number += 1;
    const isReused = Object.hasOwn(known, candidate());
    while (!isReused && (used.has(candidate()) || Object.hasOwn(added, candidate()))) number += 1;
    names.set(name, candidate());
    used.add(candidate());
  }
  return names;
}

function withoutKinds(value: JsonValue | undefined): JsonValue | undefined {
  if (value === undefined || !isJsonObject(value)) return value;
  const { [kinds]: _, ...rest } = value;
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

function changed(value: JsonObject | undefined, refs: ChangedRefs): JsonObject {
  const next = refs.apply(value ?? {});
  return isJsonObject(next) ? next : {};
}

function picked(object: JsonObject, isKept: (key: string, value: JsonValue) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key, value]) => isKept(key, value)));
}
