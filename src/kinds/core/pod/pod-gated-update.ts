import { fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, sizeAt, stringsAt, valueAt } from "../../../apimachinery/fields.ts";
import { plainValue, typedValue } from "../../../apimachinery/go/go-value.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import { withField } from "../../../apimachinery/object-edits.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";

const required = "requiredDuringSchedulingIgnoredDuringExecution";

/**
 * Validates that an update of a pod with scheduling gates only narrows its node selection. Returns the spec with the
 * old node selection; the same spec if the pod has no gates.
 */
export function addGatedChanges(errors: Findings, spec: JsonObject, old: JsonObject): JsonObject {
  if (sizeAt(old, "schedulingGates") === 0) return spec;
  addSelectorChange(errors, spec, old);
  const affinity = objectAt(spec, "affinity", "nodeAffinity");
  const oldAffinity = objectAt(old, "affinity", "nodeAffinity");
  const undone = withField(spec, "nodeSelector", old["nodeSelector"]);
  if (jsonEqual(affinity, oldAffinity)) return undone;
  addTermChanges(errors, affinity, oldAffinity);
  const restored = withField(objectAt(spec, "affinity") ?? {}, "nodeAffinity", oldAffinity);
  const isNew = old["affinity"] === undefined && Object.keys(restored).length === 0;
  return withField(undone, "affinity", isNew ? undefined : restored);
}

function addSelectorChange(errors: Findings, spec: JsonObject, old: JsonObject): void {
  const selector = stringsAt(spec, "nodeSelector");
  const before = stringsAt(old, "nodeSelector");
  if (Object.keys(before).every((label) => selector[label] === before[label])) return;
  const detail = "only additions to spec.nodeSelector are allowed (no mutations or deletions)";
  const shown = plainValue("map[string]string", spec["nodeSelector"]);
  errors.push(fieldInvalid("spec.nodeSelector", shown, detail));
}

function addTermChanges(
  errors: Findings,
  affinity: JsonObject | undefined,
  old: JsonObject | undefined,
): void {
  const before = listAt(old ?? {}, required, "nodeSelectorTerms");
  const now = listAt(affinity ?? {}, required, "nodeSelectorTerms");
  const path = child("spec.affinity.nodeAffinity", required, "nodeSelectorTerms");
  if (before.length === 0) return;
  if (before.length !== now.length) {
    const detail = "no additions/deletions to non-empty NodeSelectorTerms list are allowed";
    errors.push(
      fieldInvalid(
        path,
        plainValue("[]core.NodeSelectorTerm", valueAt(affinity ?? {}, required, "nodeSelectorTerms")),
        detail,
      ),
    );
    return;
  }
  before.forEach((oldTerm, i) => {
    const newTerm = now[i] ?? {};
    if (onlyAdds(newTerm, oldTerm)) return;
    const detail = "only additions are allowed (no mutations or deletions)";
    errors.push(fieldInvalid(index(path, i), typedValue("core.NodeSelectorTerm", newTerm), detail));
  });
}

/** A term that matches nothing must stay so. Other terms can only get more requirements at the end. */
function onlyAdds(now: JsonObject, old: JsonObject): boolean {
  const lists = ["matchExpressions", "matchFields"];
  if (lists.every((list) => sizeAt(old, list) === 0)) return lists.every((list) => sizeAt(now, list) === 0);
  return lists.every((list) => {
    const before = listAt(old, list);
    return jsonEqual(listAt(now, list).slice(0, before.length), before);
  });
}
