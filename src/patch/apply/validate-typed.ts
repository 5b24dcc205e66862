import { getKey, isJsonObject, type JsonValue } from "../../apimachinery/json.ts";
import { type ApplyType, type ListType, type MapType, type ScalarKind, shapeOf } from "./apply-type.ts";
import { itemElement } from "./list-item.ts";
import { fieldElement, formatPath, type PathElement } from "./path-element.ts";
import {
  goTypeName,
  ListItemError,
  TypedError,
  type TypedFinding,
  wrappedSyntax,
  wrappedValue,
} from "./typed-error.ts";

/** Lists of live objects may contain duplicate items, because earlier releases accepted them. */
export type Duplicates = "refused" | "allowed";

/**
 * Checks that a value matches its type. An applied configuration must match in every field. `checked` is a value that matches: parts
 * of maps that are those of `checked` at the same place match, too.
 * @throws {TypedError} with upstream's messages
 */
export function validateTyped(
  type: ApplyType,
  value: JsonValue,
  duplicates: Duplicates,
  checked?: JsonValue,
): void {
  const findings: TypedFinding[] = [];
  new Validator(duplicates, findings).check(type, value, checked);
  if (findings.length > 0) throw new TypedError(findings);
}

class Validator {
  readonly #duplicates: Duplicates;
  readonly #findings: TypedFinding[];
  /** The path of the current value. */
  readonly #path: PathElement[] = [];

  constructor(duplicates: Duplicates, findings: TypedFinding[]) {
    this.#duplicates = duplicates;
    this.#findings = findings;
  }

  check(type: ApplyType, value: JsonValue, checked?: JsonValue): void {
    switch (shapeOf(type, value)) {
      case "map":
        if (type.map !== undefined) this.#checkMap(type.map, value, checked);
        return;
      case "list":
        if (type.list !== undefined) this.#checkList(type.list, value);
        return;
      case "scalar":
        if (type.scalar !== undefined) this.#checkScalar(type.scalar, value);
    }
  }

  #checkScalar(kind: ScalarKind, value: JsonValue): void {
    if (value === null) return;
    const message = scalarProblem(kind, value);
    if (message !== undefined) this.#report(message);
  }

  #checkMap(map: MapType, value: JsonValue, checked: JsonValue | undefined): void {
    if (value === null) return;
    if (!isJsonObject(value)) {
      this.#report(`expected map, got ${wrappedValue(value)}`);
      return;
    }
    const known = isJsonObject(checked) ? checked : undefined;
    for (const key in value) {
      const part = value[key];
      if (part === undefined) continue;
      const same = known && getKey(known, key);
      if (part === same) continue;
      const field = map.fields.get(key);
      const type = field === undefined ? map.values : field.type;
      if (type === undefined) {
        this.#path.push(fieldElement(key));
        this.#report("field not declared in schema");
        this.#path.pop();
        // Upstream stops checking this structure here.
        return;
      }
      // Most parts are scalars that fit, which need no path.
      if (isFittingScalar(type, part)) continue;
      this.#checkPart(field === undefined ? fieldElement(key) : field.element, type, part, same);
    }
  }

  #checkPart(element: PathElement, type: ApplyType, value: JsonValue, checked?: JsonValue): void {
    this.#path.push(element);
    this.check(type, value, checked);
    this.#path.pop();
  }

  #checkList(list: ListType, value: JsonValue): void {
    if (value === null) return;
    if (!Array.isArray(value)) {
      this.#report(`expected list, got ${wrappedValue(value)}`);
      return;
    }
    const seen = new Set<PathElement>();
    for (const [i, item] of value.entries()) {
      const element = list.topology === "atomic" ? `i:${i}` : this.#elementOf(list, item, i);
      if (element === undefined) return;
      if (seen.has(element) && this.#duplicates === "refused") {
        this.#report(`duplicate entries for key ${formatPath([element])}`);
      }
      seen.add(element);
      this.#checkPart(element, list.items, item);
    }
  }

  #elementOf(list: ListType, item: JsonValue, position: number): PathElement | undefined {
    try {
      return itemElement(list, item);
    } catch (error) {
      if (!(error instanceof ListItemError)) throw error;
      this.#report(`element ${position}: ${error.message}`);
      return undefined;
    }
  }

  #report(message: string): void {
    this.#findings.push({ path: formatPath(this.#path), message });
  }
}

function isFittingScalar({ scalar }: ApplyType, value: JsonValue): boolean {
  return typeof value !== "object" && scalar !== undefined && scalarProblem(scalar, value) === undefined;
}

function scalarProblem(kind: ScalarKind, value: JsonValue): string | undefined {
  const isNumber = typeof value === "number" || typeof value === "bigint";
  switch (kind) {
    case "numeric":
      return isNumber ? undefined : `expected numeric (int or float), got ${goTypeName(value)}`;
    case "string":
      return typeof value === "string" ? undefined : `expected string, got ${wrappedSyntax(value)}`;
    case "boolean":
      return typeof value === "boolean" ? undefined : `expected boolean, got ${wrappedValue(value)}`;
    case "untyped":
      return typeof value === "object" ? `expected any scalar, got ${wrappedValue(value)}` : undefined;
  }
}
