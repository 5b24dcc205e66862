import { type CelType, listType, mapType, types } from "./types/cel-type.ts";

/**
 * The type of `variables`, which gets a field with each variable that is compiled, so that later expressions can refer to it.
 * Upstream: apiserver, pkg/admission/plugin/cel/composition.go.
 */
export class Composition {
  readonly #fields = new Map<string, CelType>();
  readonly type: CelType = {
    kind: "object",
    name: "kubernetes.variables",
    parameters: [],
    field: (name) => this.#fields.get(name),
  };

  /** Declares a variable; its type is undefined if it does not compile. */
  declare(name: string, type: CelType | undefined): void {
    this.#fields.set(name, type === undefined ? types.dyn : fieldTypeOf(type));
  }
}

/** Types of libraries and objects are not known as those of fields. */
function fieldTypeOf(type: CelType): CelType {
  const [first = types.dyn, second = types.dyn] = type.parameters;
  switch (type.kind) {
    case "list":
      return listType(fieldTypeOf(first));
    case "map":
      return mapType(fieldTypeOf(first), fieldTypeOf(second));
    case "object":
    case "opaque":
    case "param":
    case "type":
    case "error":
      return types.dyn;
    default:
      return type.nullable ? types.dyn : type;
  }
}
