import { stringsAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { withField } from "../../../apimachinery/object-edits.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";

/** The prefix of the annotation with the AppArmor profile of a container. */
export const appArmorPrefix = "container.apparmor.security.beta.kubernetes.io/";

/**
 * The metadata of a pod or template without AppArmor profiles while the gate is off, unless `old` has some. Upstream:
 * pkg/api/pod/util.go, dropDisabledFields.
 */
export function withoutDisabledProfiles(
  metadata: JsonObject,
  old: JsonObject | undefined,
  gates: FeatureGates,
): JsonObject {
  if (gates.isEnabled("AppArmor") || (old !== undefined && hasProfile(old))) return metadata;
  if (!hasProfile(metadata)) return metadata;
  const kept = Object.entries(stringsAt(metadata, "annotations")).filter(([name]) => !isProfile(name));
  return withField(metadata, "annotations", kept.length === 0 ? undefined : Object.fromEntries(kept));
}

function hasProfile(metadata: JsonObject): boolean {
  return Object.keys(stringsAt(metadata, "annotations")).some(isProfile);
}

function isProfile(name: string): boolean {
  return name.startsWith(appArmorPrefix);
}
