import { listAt, textAt } from "../../apimachinery/fields.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import type { JsonObject } from "../../apimachinery/json.ts";

/** Every container of a pod, in the order in which findings name them. */
export function containersOf(spec: JsonObject): readonly JsonObject[] {
  return ["initContainers", "containers", "ephemeralContainers"].flatMap((field) => listAt(spec, field));
}

/** The names of the containers for which something holds. */
export function namesOfThose(spec: JsonObject, holds: (container: JsonObject) => boolean): readonly string[] {
  return containersOf(spec)
    .filter(holds)
    .map((container) => textAt(container, "name"));
}

/** `container "a"` or `containers "a", "b"`. */
export function namedContainers(names: readonly string[]): string {
  return `${plural("container", names)} ${quoted(names)}`;
}

/** Who did it: the pod, some containers, or both, joined by `and` or `or`. */
export function culprits(isPod: boolean, names: readonly string[], joint = "and"): string {
  if (names.length === 0) return "pod";
  return isPod ? `pod ${joint} ${namedContainers(names)}` : namedContainers(names);
}

/** The word, with an s where there are several. */
export function plural(word: string, items: readonly unknown[]): string {
  return items.length === 1 ? word : `${word}s`;
}

/** `"a", "b"` */
export function quoted(texts: readonly string[]): string {
  return texts.map(goQuote).join(", ");
}

/** Each text once, sorted. */
export function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].toSorted();
}
