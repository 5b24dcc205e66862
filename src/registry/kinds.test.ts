import { expect, test } from "vitest";
import type { GroupResource } from "../apimachinery/group-version.ts";
import type { KindDefinition, KindRules } from "./contract/kind-definition.ts";
import { Kinds } from "./kinds.ts";

const definitions = new Map<string, KindDefinition>();

function define(resource: string, more: Partial<KindDefinition> = {}): KindDefinition {
  const definition: KindDefinition = { group: "g", resource, kind: resource, ...more };
  definitions.set(resource, definition);
  return definition;
}

const loads: string[] = [];
const rulesOf = (resource: string, rules: KindRules) => ({
  rules: () => {
    loads.push(resource);
    return Promise.resolve(rules);
  },
});
const usedRules: KindRules = { subresources: {} };
const ownRules: KindRules = { versions: {} };
const used = define("used", rulesOf("used", usedRules));
define("plain");
define("own", { ...rulesOf("own", ownRules), uses: [used] });
define("users", { uses: [used] });

const g = (resource: string): GroupResource => ({ group: "g", resource });

function kinds(): Kinds {
  loads.length = 0;
  // Of what is served, only the definitions are needed.
  const current = { definitionOf: ({ resource }: GroupResource) => definitions.get(resource) };
  return new Kinds({ current } as ConstructorParameters<typeof Kinds>[0]);
}

test("a kind without rules is loaded", async () => {
  const known = kinds();
  expect([known.isLoaded(g("plain")), known.isLoaded(g("unknown"))]).toEqual([true, true]);
  await Promise.all([known.load(g("plain")), known.load(g("unknown"))]);
  expect([
    known.rulesOf(known.definitionOf(g("plain"))),
    known.rulesOf(known.definitionOf(g("unknown"))),
  ]).toEqual([{}, {}]);
  expect(known.definitionOf(g("plain"))).toBe(definitions.get("plain"));
});

test("a kind is loaded with the kinds that it uses, once", async () => {
  const known = kinds();
  expect(known.isLoaded(g("own"))).toBe(false);
  expect(() => known.rulesOf(known.definitionOf(g("own")))).toThrow("the rules of own.g are not loaded");
  await known.load(g("own"));
  expect([known.isLoaded(g("own")), known.isLoaded(g("used")), known.isLoaded(g("users"))]).toEqual([
    true,
    true,
    true,
  ]);
  expect([known.rulesOf(known.definitionOf(g("own"))), known.rulesOf(known.definitionOf(g("used")))]).toEqual(
    [ownRules, usedRules],
  );
  await known.load(g("own"));
  expect(loads).toEqual(["used", "own"]);
});

test("a kind is not loaded before the kinds that it uses", async () => {
  const known = kinds();
  expect(known.isLoaded(g("users"))).toBe(false);
  await known.load(g("users"));
  expect([known.isLoaded(g("users")), known.isLoaded(g("own"))]).toEqual([true, false]);
});
