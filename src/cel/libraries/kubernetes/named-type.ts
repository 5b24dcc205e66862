import type { CelType } from "../../types/cel-type.ts";

/** A type of Kubernetes' libraries. Like a message, it has a name; unlike one, it has no fields. */
export function namedType(name: string): CelType {
  return { kind: "object", name, parameters: [] };
}
