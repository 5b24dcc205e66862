import { goQuote } from "../../apimachinery/go/go-quote.ts";
import { type Structural, schemaOfKey } from "./structural-schema.ts";

/** A field that a path names. */
export interface FoundPath {
  readonly names: readonly string[];
  readonly schema: Structural;
}

const steps = /\.([A-Za-z_$][\w$-]*)|\['((?:[^'\\]|\\.)*)'\]/y;

/**
 * The field at a simple JSON path such as `.spec['a-b'].c`, or why there is none. Lists have no fields. Upstream:
 * apiextensions-apiserver, pkg/apiserver/schema/cel/validation.go, ValidFieldPath.
 */
export function findFieldPath(path: string, schema: Structural): FoundPath | string {
  const names: string[] = [];
  let current = schema;
  let at = 0;
  while (at < path.length) {
    const first = path.charAt(at);
    if (first !== "." && first !== "[") return `expected [ or . but got: ${path.slice(at)}`;
    steps.lastIndex = at;
    const step = steps.exec(path);
    const name = step?.[1] ?? step?.[2]?.replace(/\\(.)/g, "$1");
    if (name === undefined) return "unexpected end of JSON path";
    const next = schemaOfKey(current, name);
    if (next === undefined) return "does not refer to a valid field";
    names.push(name);
    current = next;
    at = steps.lastIndex;
  }
  return names.length === 0 ? `expected a path but got ${goQuote(path)}` : { names, schema: current };
}
