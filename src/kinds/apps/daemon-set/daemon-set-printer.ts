import { integerAt, objectAt, valueAt } from "../../../apimachinery/fields.ts";
import type { KubeObject, MutableObjectMeta, ObjectMeta } from "../../../apimachinery/object-meta.ts";
import { formatLabelSelectorObject } from "../../../apimachinery/selectors/label-selector-object.ts";
import { ageOf, containerCells, formatLabels, nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

/** The annotation that stands for a field of extensions/v1beta1, and is made anew whenever a DaemonSet is written out. */
const TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

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
  if (metadata.annotations?.[TEMPLATE_GENERATION] === undefined) return metadata;
  const { [TEMPLATE_GENERATION]: _, ...annotations } = metadata.annotations;
  const copy: MutableObjectMeta = { ...metadata, annotations };
  if (Object.keys(annotations).length === 0) delete copy.annotations;
  return copy;
}
