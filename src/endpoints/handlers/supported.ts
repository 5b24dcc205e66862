import { methodNotAllowed } from "../../apimachinery/errors/errors.ts";
import type { Rest } from "../../registry/contract/rest.ts";
import type { ResourceScope } from "../contract/scope.ts";

/** The functions of a resource that requests call. */
type Verb = "get" | "list" | "watch" | "create" | "update" | "delete" | "deleteCollection";

/** The function of a verb. @throws {StatusError} methodNotAllowed if the resource has none, although its path has a route */
export function supported<V extends Verb>(
  { rest }: Pick<ResourceScope, "rest">,
  verb: V,
): NonNullable<Rest[V]> {
  return rest[verb] ?? refuse(rest, verb);
}

function refuse({ definition }: Rest, verb: Verb): never {
  throw methodNotAllowed(definition.groupResource, verb.toLowerCase());
}
