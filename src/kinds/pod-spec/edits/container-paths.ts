import { listAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";

/** A container and its path. */
export interface PlacedContainer {
  readonly container: JsonObject;
  readonly path: string;
}

/** The lists of containers in the order of upstream's visitors. */
export const containerLists: readonly string[] = ["initContainers", "containers", "ephemeralContainers"];

/** Every container of a pod: init containers first, ephemeral containers last. */
export function containersWithPath(spec: JsonObject, path: string): readonly PlacedContainer[] {
  const placed: PlacedContainer[] = [];
  for (const list of containerLists) {
    listAt(spec, list).forEach((container, i) => {
      placed.push({ container, path: index(child(path, list), i) });
    });
  }
  return placed;
}
