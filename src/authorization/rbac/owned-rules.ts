import type { PolicyRule } from "../contract/policy-rule.ts";
import { addTo, PathPatterns } from "./path-patterns.ts";

/** Whether a rule covers another one. */
type Covers = (rule: PolicyRule) => boolean;
/** Lists of rules that may cover another one. */
type Candidates = readonly (readonly Covers[])[];

/**
 * The rules of a user. A user may have as many rules as a request wants, so each field of the rules is an index, and a search looks
 * only at those that have the rarest of the wanted values.
 */
export class OwnedRules {
  readonly #all: Covers[] = [];
  readonly #verbs = new Map<string, Covers[]>();
  readonly #groups = new Map<string, Covers[]>();
  readonly #resources = new Map<string, Covers[]>();
  readonly #names = new Map<string, Covers[]>();
  readonly #unnamed: Covers[] = [];
  readonly #paths = new PathPatterns<Covers>();

  constructor(rules: readonly PolicyRule[]) {
    for (const rule of rules) this.#add(rule, coverageOf(rule));
  }

  /** Whether one of the rules covers the whole rule. */
  cover(rule: PolicyRule): boolean {
    let fewest: Candidates = [this.#all];
    for (const candidates of this.#candidates(rule))
      if (sizeOf(candidates) < sizeOf(fewest)) fewest = candidates;
    return fewest.some((list) => list.some((covers) => covers(rule)));
  }

  #add(rule: PolicyRule, covers: Covers): void {
    this.#all.push(covers);
    for (const verb of rule.verbs) addTo(this.#verbs, verb, covers);
    for (const group of rule.apiGroups) addTo(this.#groups, group, covers);
    for (const resource of rule.resources) addTo(this.#resources, resource, covers);
    for (const name of rule.resourceNames) addTo(this.#names, name, covers);
    if (rule.resourceNames.length === 0) this.#unnamed.push(covers);
    for (const path of rule.nonResourceURLs) this.#paths.add(path, covers);
  }

  /** For the first value of each field, the rules that have it. */
  *#candidates(rule: PolicyRule): Generator<Candidates> {
    const [verb] = rule.verbs;
    if (verb !== undefined) yield listed(this.#verbs, [verb, "*"]);
    const [group] = rule.apiGroups;
    if (group !== undefined) yield listed(this.#groups, [group, "*"]);
    const [resource] = rule.resources;
    if (resource !== undefined) yield listed(this.#resources, coveringResources(resource));
    const [name] = rule.resourceNames;
    yield [this.#unnamed, ...(name === undefined ? [] : listed(this.#names, [name, "*"]))];
    const [path] = rule.nonResourceURLs;
    if (path !== undefined) yield this.#paths.matching(path);
  }
}

function listed(index: ReadonlyMap<string, readonly Covers[]>, keys: readonly string[]): Candidates {
  return keys.map((key) => index.get(key)).filter((list) => list !== undefined);
}

function sizeOf(candidates: Candidates): number {
  return candidates.reduce((sum, { length }) => sum + length, 0);
}

/** Whether an owner's rule covers another one. Indexes, because both rules may be long. */
function coverageOf(rule: PolicyRule): Covers {
  const verbs = new Set(rule.verbs);
  const groups = new Set(rule.apiGroups);
  const resources = new Set(rule.resources);
  const names = new Set(rule.resourceNames);
  const paths = new PathPatterns<string>();
  for (const path of rule.nonResourceURLs) paths.add(path, path);
  return (part) =>
    hasAll(verbs, part.verbs) &&
    hasAll(groups, part.apiGroups) &&
    part.resources.every((resource) => coveringResources(resource).some((owned) => resources.has(owned))) &&
    part.nonResourceURLs.every((path) => paths.matching(path).length > 0) &&
    (names.size === 0 || (part.resourceNames.length > 0 && hasAll(names, part.resourceNames)));
}

function hasAll(owned: ReadonlySet<string>, wanted: readonly string[]): boolean {
  return owned.has("*") || wanted.every((each) => owned.has(each));
}

/** The resources of rules that cover a resource. A subresource is also covered by that of every resource, `*` and `/log`. */
function coveringResources(resource: string): readonly string[] {
  const slash = resource.indexOf("/");
  return slash < 0 ? [resource, "*"] : [resource, "*", `*${resource.slice(slash)}`];
}
