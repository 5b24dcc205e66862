import { isJsonObject, type JsonValue } from "../../src/apimachinery/json.ts";

/** A pointer into a document, and the value there. */
export interface Place {
  readonly pointer: string;
  readonly value: JsonValue;
}

/** A key as a token of a JSON pointer. */
export function escapedToken(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** All places below a value, parents before their children. */
export function placesIn(value: JsonValue, pointer = ""): Place[] {
  return childrenOf(value).flatMap(([key, child]) => {
    const at = `${pointer}/${escapedToken(key)}`;
    return [{ pointer: at, value: child }, ...placesIn(child, at)];
  });
}

/** All objects and lists of a document, including the document itself. */
export function containersIn(document: JsonValue): Place[] {
  const root = { pointer: "", value: document };
  return [root, ...placesIn(document)].filter(({ value }) => typeof value === "object" && value !== null);
}

/** A key of a pointer and its parent, which is undefined if the document does not have it. */
export interface PointerStep {
  readonly container: JsonValue | undefined;
  readonly key: string;
}

/** The steps of a pointer from the document down. Negative indices count from the end. */
export function stepsOf(document: JsonValue, pointer: string): readonly PointerStep[] {
  let container: JsonValue | undefined = document;
  return pointer
    .split("/")
    .slice(1)
    .map((token) => {
      const step = { container, key: token.replaceAll("~1", "/").replaceAll("~0", "~") };
      container = childOf(step);
      return step;
    });
}

/** The value that a step leads to; undefined if it is missing. */
export function childOf({ container, key }: PointerStep): JsonValue | undefined {
  if (Array.isArray(container)) return /^[+-]?\d+$/.test(key) ? container.at(Number(key)) : undefined;
  return isJsonObject(container) && Object.hasOwn(container, key) ? container[key] : undefined;
}

function childrenOf(value: JsonValue): [key: string, child: JsonValue][] {
  if (isJsonObject(value)) return Object.entries(value);
  if (!Array.isArray(value)) return [];
  return value.map((child: JsonValue, i) => [String(i), child]);
}
