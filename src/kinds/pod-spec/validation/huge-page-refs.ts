import { listAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { containersWithPath } from "../edits/container-paths.ts";

const hugePages = /^(limits|requests)\.hugepages-/;

/** Whether a resource of the downward API is an amount of huge pages. */
export function isHugePageRef(resource: string): boolean {
  return hugePages.test(resource);
}

/** Whether a variable or a volume of the pod shows an amount of huge pages. */
export function refersToHugePages(spec: JsonObject): boolean {
  const variables = containersWithPath(spec, "")
    .flatMap(({ container }) => listAt(container, "env"))
    .map((variable) => textAt(variable, "valueFrom", "resourceFieldRef", "resource"));
  const volumes = listAt(spec, "volumes");
  const items = [
    ...volumes.flatMap((volume) => listAt(volume, "downwardAPI", "items")),
    ...volumes
      .flatMap((volume) => listAt(volume, "projected", "sources"))
      .flatMap((source) => listAt(source, "downwardAPI", "items")),
  ];
  return [...variables, ...items.map((item) => textAt(item, "resourceFieldRef", "resource"))].some(
    isHugePageRef,
  );
}
