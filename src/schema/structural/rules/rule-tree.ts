import type { JsonObject } from "../../../apimachinery/json.ts";
import { type Structural, schemaOfOthers } from "../structural-schema.ts";
import { type CompiledRule, compileRules, type RuleEnvironment } from "./compiled-rules.ts";

/** The rules of a schema and of the schemas within, without the parts that have none. */
export interface RuleTree {
  readonly source: JsonObject;
  /** The type of the values, as errors show it. */
  readonly type: string;
  readonly rules: readonly CompiledRule[];
  readonly properties: ReadonlyMap<string, RuleTree>;
  /** The rules of keys that are no properties. */
  readonly others: RuleTree | undefined;
  readonly items: RuleTree | undefined;
}

/** The rules of a schema; undefined if there are none. */
export function ruleTree(
  schema: Structural,
  environment: RuleEnvironment,
  isRoot: { readonly root: boolean },
): RuleTree | undefined {
  const within = (part: Structural | undefined) => part && ruleTree(part, environment, { root: false });
  const position = isRoot.root || schema.isEmbeddedResource ? "root" : "part";
  const rules = compileRules(schema.source, position, environment) ?? [];
  const properties = new Map<string, RuleTree>();
  for (const [name, property] of schema.properties) {
    const tree = within(property);
    if (tree !== undefined) properties.set(name, tree);
  }
  const others = within(schemaOfOthers(schema));
  const items = within(schema.items);
  if (rules.length === 0 && properties.size === 0 && others === undefined && items === undefined)
    return undefined;
  const type = schema.isIntOrString ? "" : schema.type;
  return { source: schema.source, type, rules, properties, others, items };
}

/** The rules of the value of a key. */
export function partOf({ properties, others }: RuleTree, key: string): RuleTree | undefined {
  return properties.get(key) ?? others;
}
