import { listAt, textAt } from "../../apimachinery/fields.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import type { JsonObject } from "../../apimachinery/json.ts";

/** Every container of a pod, in the order in which violations name them. */
export function containersOf(spec: JsonObject): readonly JsonObject[] {
  return ["initContainers", "containers", "ephemeralContainers"].flatMap((field) => listAt(spec, field));
}

/** The names of the containers that match. */
export function namesOfMatching(
  spec: JsonObject,
  holds: (container: JsonObject) => boolean,
): readonly string[] {
  return containersOf(spec)
    .filter(holds)
    .map((container) => textAt(container, "name"));
}

/** `container "a"` or `containers "a", "b"`. */
export function namedContainers(names: readonly string[]): string {
  return `${plural("container", names)} ${quoted(names)}`;
}

/** The parts of a pod that violate a check. */
interface Violators {
  readonly pod: boolean;
  readonly containers: readonly string[];
}

/** `pod`, `container "a"`, or both joined by `and`. */
export function violators({ pod, containers }: Violators): string {
  if (containers.length === 0) return "pod";
  return pod ? `pod and ${namedContainers(containers)}` : namedContainers(containers);
}

/** The word in the singular or plural. */
export function plural(word: string, items: readonly unknown[]): string {
  return items.length === 1 ? word : `${word}s`;
}

/** `"a", "b"` */
export function quoted(texts: readonly string[]): string {
  return texts.map(goQuote).join(", ");
}

/** The distinct texts in sorted order. */
export function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].toSorted();
}
