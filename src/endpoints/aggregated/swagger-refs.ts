import { getKey, isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";

const prefix = "#/definitions/";

/** The names of the definitions to which paths refer, directly or through others. */
export function reachableDefinitions(paths: JsonObject, definitions: JsonObject): ReadonlySet<string> {
  const found = new Set<string>();
  const pending: JsonValue[] = [paths];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    for (const ref of refsIn(value)) {
      const name = ref.slice(prefix.length);
      if (!ref.startsWith(prefix) || found.has(name)) continue;
      found.add(name);
      pending.push(getKey(definitions, name) ?? null);
    }
  }
  return found;
}

/** The references within a value. */
function* refsIn(value: JsonValue): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    if (key === "$ref" && typeof part === "string") yield part;
    else yield* refsIn(part);
  }
}

/** References that are replaced by others. */
export class ChangedRefs {
  readonly #refs = new Map<string, string>();

  add(from: string, to: string): void {
    this.#refs.set(from, to);
  }

  of(ref: string): string {
    return this.#refs.get(ref) ?? ref;
  }

  /** The object with the new references; the same one if there are none. */
  applyTo(object: JsonObject): JsonObject {
    if (this.#refs.size === 0) return object;
    const entries = Object.entries(object).map(([key, part]): [string, JsonValue] =>
      key === "$ref" && typeof part === "string" ? [key, this.of(part)] : [key, this.#within(part)],
    );
    return Object.fromEntries(entries);
  }

  #within(value: JsonValue): JsonValue {
    if (Array.isArray(value)) return value.map((item: JsonValue) => this.#within(item));
    return isJsonObject(value) ? this.applyTo(value) : value;
  }
}
