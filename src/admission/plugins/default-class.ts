import type { GroupResource } from "../../apimachinery/group-version.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { compareText } from "../../apimachinery/text-order.ts";

/** The class that an annotation marks as the default. Of several, the newest wins, then the first by name. */
export function defaultClass(
  lister: Lister,
  classes: GroupResource,
  ...annotations: readonly string[]
): KubeObject | undefined {
  const isDefault = ({ metadata }: KubeObject) =>
    annotations.some((name) => metadata.annotations?.[name] === "true");
  return lister.list(classes, "").filter(isDefault).toSorted(newestFirst).at(0);
}

function newestFirst(a: KubeObject, b: KubeObject): number {
  const [timeOfA, timeOfB] = [a.metadata.creationTimestamp ?? "", b.metadata.creationTimestamp ?? ""];
  return compareText(timeOfB, timeOfA) || compareText(a.metadata.name ?? "", b.metadata.name ?? "");
}
