import type { JsonObject } from "../../apimachinery/json.ts";
import { type Edit, editedAt, without } from "../../apimachinery/object-edits.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { Release } from "../../apimachinery/release.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import { rememberedByPart } from "../../sharing/remembered-by-part.ts";
import { withPreparation } from "./default-strategy.ts";
import type { Strategy } from "./strategy.ts";

/** Fields that a feature gate enables. While it is off, they are dropped unless the old object has them. */
export interface GatedFields {
  readonly gate: string;
  /** Another gate that must be on as well. */
  readonly requires?: string;
  /** Another gate that keeps the fields alone. */
  readonly alternative?: string;
  /** The first release that drops the fields, if they are older than the gate. */
  readonly since?: Release;
  readonly drop: Edit;
  /** Whether the old object uses the fields. Default: whether dropping them would change it. */
  readonly isInUse?: (old: JsonObject) => boolean;
}

/** A field behind a gate: `("DaemonSetUpdateSurge", "spec", "updateStrategy", "rollingUpdate", "maxSurge")`. */
export function gatedField(gate: string, field: string, ...rest: readonly string[]): GatedFields {
  return { gate, drop: (object) => withoutPath(object, field, rest) };
}

/** Drops the fields whose gates are off, unless `old` has them. */
export function withoutGatedFields<T extends JsonObject>(
  object: T,
  old: JsonObject | undefined,
  gates: FeatureGates,
  gated: readonly GatedFields[],
): T {
  return withoutFields(
    object,
    old,
    gated.filter((row) => isDisabled(row, gates)),
  );
}

/** The same for fields that many writes ask for: which of them are disabled is remembered for the gates of the last write. */
export function gatedFieldsDropper(
  gated: readonly GatedFields[],
): <T extends JsonObject>(object: T, old: JsonObject | undefined, gates: FeatureGates) => T {
  let last: { readonly gates: FeatureGates; readonly disabled: readonly GatedFields[] } | undefined;
  const disabledBy = (gates: FeatureGates): readonly GatedFields[] => {
    if (last?.gates !== gates) last = { gates, disabled: gated.filter((row) => isDisabled(row, gates)) };
    return last.disabled;
  };
  // Most updates of a status leave the spec as it was.
  const ofUnchanged = rememberedByPart(
    (object: JsonObject, gates: FeatureGates) => withoutFields(object, object, disabledBy(gates)),
    (before, now) => before === now,
  );
  return <T extends JsonObject>(object: T, old: JsonObject | undefined, gates: FeatureGates) =>
    // Only optional fields are dropped.
    object === old ? (ofUnchanged(object, gates) as T) : withoutFields(object, old, disabledBy(gates));
}

function withoutFields<T extends JsonObject>(
  object: T,
  old: JsonObject | undefined,
  disabled: readonly GatedFields[],
): T {
  let edited: JsonObject = object;
  for (const { isInUse, drop } of disabled) {
    // Of the old object itself, either it uses the fields, or there is nothing to drop.
    if (edited === old && isInUse === undefined) continue;
    const dropped = drop(edited);
    if (dropped === edited) continue;
    const hadIt = old !== undefined && (isInUse === undefined ? drop(old) !== old : isInUse(old));
    if (!hadIt) edited = dropped;
  }
  // Only optional fields are dropped.
  return edited as T;
}

/** Adds a step to the preparation that drops fields whose gates are off. */
export function withGatedFields(
  base: Strategy,
  gates: FeatureGates,
  gated: readonly GatedFields[],
): Strategy {
  const disabled = gated.filter((row) => isDisabled(row, gates));
  if (disabled.length === 0) return base;
  return withPreparation(base, (object, old) => dropFields(object, old, gates, disabled));
}

function isDisabled(
  { gate, requires, alternative = gate, since }: GatedFields,
  gates: FeatureGates,
): boolean {
  const isOn = gates.isEnabled(gate) || gates.isEnabled(alternative);
  if (isOn && (requires === undefined || gates.isEnabled(requires))) return false;
  return since === undefined || gates.since(since);
}

function dropFields(
  object: MutableKubeObject,
  old: KubeObject | undefined,
  gates: FeatureGates,
  gated: readonly GatedFields[],
): void {
  for (const [field, value] of Object.entries(withoutGatedFields(object, old, gates, gated))) {
    if (field === "spec" || field === "status") object[field] = value;
  }
}

function withoutPath(object: JsonObject, field: string, [next, ...rest]: readonly string[]): JsonObject {
  return next === undefined
    ? without(object, [field])
    : editedAt(object, field, (inner) => withoutPath(inner, next, rest));
}
