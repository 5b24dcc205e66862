import { integerAt } from "../../../apimachinery/fields.ts";
import { formatGroupKind, parseGroupVersion } from "../../../apimachinery/group-version.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { ageOf, nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

export const controllerRevisionPrinter: Printer = {
  cells: (object, now) => [
    nameOf(object),
    controllerText(object),
    integerAt(object, "revision"),
    ageOf(object, now),
  ],
};

/** The controlling owner, such as `deployment.apps/web`. */
function controllerText(object: KubeObject): string {
  const owner = object.metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined) return "<none>";
  const { group } = parseGroupVersion(owner.apiVersion) ?? { group: "" };
  return `${formatGroupKind({ group, kind: owner.kind }).toLowerCase()}/${owner.name}`;
}
