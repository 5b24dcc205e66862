import type {
  BuiltInResource,
  GroupsOf,
  GroupVersionsOf,
  SubresourcesOf,
} from "../../catalog/built-in-names.ts";
import type { KindDefinition, KindRules } from "./kind-definition.ts";

/** The names of a resource in the catalog. */
export interface BuiltInNames<R extends BuiltInResource> {
  readonly group: GroupsOf<R>;
  readonly resource: R;
  readonly groupVersion: GroupVersionsOf<R>;
  readonly subresource: SubresourcesOf<R>;
}

/** The rules of a kind of the catalog. Their names compile only if a release has them. */
export type BuiltInRules<R extends BuiltInResource> = KindRules<BuiltInNames<R>>;

/** Defines a kind of the catalog. Its names compile only if a release has them. */
export function builtInKind<const R extends BuiltInResource>(
  definition: KindDefinition<BuiltInNames<R>> & { readonly resource: R },
): KindDefinition {
  // Every name is a string, and rules are looked up only by the names that the kind has.
  return definition as unknown as KindDefinition;
}
