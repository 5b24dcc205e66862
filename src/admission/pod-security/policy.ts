import { type FieldCause, fieldInvalid } from "../../apimachinery/errors/field.ts";
import { baselineChecks } from "./baseline-checks.ts";
import type { PodSecurityInput } from "./check.ts";
import { replacedByRestricted, restrictedChecks } from "./restricted-checks.ts";

export type Level = "privileged" | "baseline" | "restricted";

const levels: readonly string[] = ["privileged", "baseline", "restricted"];
const prefix = "pod-security.kubernetes.io/";
const modes = ["enforce", "audit", "warn"] as const;

/** The labels of each mode. */
const labelsOfModes = {
  enforce: labelsOfMode("enforce"),
  audit: labelsOfMode("audit"),
  warn: labelsOfMode("warn"),
} as const;

function labelsOfMode(mode: string): { readonly level: string; readonly version: string } {
  return { level: `${prefix}${mode}`, version: `${prefix}${mode}-version` };
}

/** The level and version of one mode. */
export interface LevelVersion {
  readonly level: Level;
  readonly version: string;
}

/** The level of a mode in the labels of a namespace; without labels it is privileged. */
export function levelOf(
  labels: { readonly [key: string]: string },
  mode: (typeof modes)[number],
): LevelVersion {
  const names = labelsOfModes[mode];
  const level = labels[names.level] ?? "privileged";
  const version = labels[names.version] ?? "latest";
  // Upstream falls back to restricted if the level is not valid.
  return { level: isLevel(level) ? level : "restricted", version };
}

function isLevel(text: string): text is Level {
  return levels.includes(text);
}

/** How a pod violates a level, one text for each check; empty if it is allowed. */
export function violations(level: Level, input: PodSecurityInput): readonly string[] {
  if (level === "privileged") return [];
  const checks =
    level === "baseline"
      ? baselineChecks
      : [...baselineChecks.filter(({ id }) => !replacedByRestricted.has(id)), ...restrictedChecks];
  return checks.map((check) => check.find(input)).filter((finding) => finding !== undefined);
}

/** Adds the errors in the labels of a namespace. */
export function addLabelErrors(errors: FieldCause[], labels: { readonly [key: string]: string }): void {
  for (const mode of modes) {
    addValueErrors(
      errors,
      labels,
      `${prefix}${mode}`,
      (value) => isLevel(value),
      `must be one of ${levels.join(", ")}`,
    );
    addValueErrors(
      errors,
      labels,
      `${prefix}${mode}-version`,
      (value) => value === "latest" || /^v1\.(0|[1-9]\d*)$/.test(value),
      'must be "latest" or "v1.x"',
    );
  }
}

function addValueErrors(
  errors: FieldCause[],
  labels: { readonly [key: string]: string },
  label: string,
  isValid: (value: string) => boolean,
  message: string,
): void {
  const value = labels[label];
  if (value !== undefined && !isValid(value)) {
    errors.push(fieldInvalid(`metadata.labels[${label}]`, value, message));
  }
}
