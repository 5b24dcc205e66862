import { integerAt, objectAt, valueAt } from "../../../apimachinery/fields.ts";
import type { KubeObject, MutableObjectMeta, ObjectMeta } from "../../../apimachinery/object-meta.ts";
import { formatLabelSelectorObject } from "../../../apimachinery/selectors/label-selector-object.ts";
import { ageOf, containerCells, formatLabels, nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

/** The annotation for a field of the internal type. Upstream prints the internal object, which does not have it. */
const templateGeneration = "deprecated.daemonset.template.generation";

export const daemonSetPrinter: Printer = {
  cells: (object, now) => [
    nameOf(object),
    integerAt(object, "status", "desiredNumberScheduled"),
    integerAt(object, "status", "currentNumberScheduled"),
    integerAt(object, "status", "numberReady"),
    integerAt(object, "status", "updatedNumberScheduled"),
    integerAt(object, "status", "numberAvailable"),
    formatLabels(objectAt(object, "spec", "template", "spec", "nodeSelector")),
    ageOf(object, now),
    ...containerCells(object, "spec", "template"),
    formatLabelSelectorObject(valueAt(object, "spec", "selector")),
  ],
  metadata: withoutTemplateGeneration,
};

function withoutTemplateGeneration({ metadata }: KubeObject): ObjectMeta {
  if (metadata.annotations?.[templateGeneration] === undefined) return metadata;
  const { [templateGeneration]: _, ...annotations } = metadata.annotations;
  const copy: MutableObjectMeta = { ...metadata, annotations };
  if (Object.keys(annotations).length === 0) delete copy.annotations;
  return copy;
}
