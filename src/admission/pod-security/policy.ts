import { type FieldError, fieldInvalid } from "../../apimachinery/errors/field.ts";
import { baselineChecks } from "./baseline-checks.ts";
import type { PodSecurityInput } from "./check.ts";
import { replacedByRestricted, restrictedChecks } from "./restricted-checks.ts";

export type Level = "privileged" | "baseline" | "restricted";

const levels: readonly string[] = ["privileged", "baseline", "restricted"];
const prefix = "pod-security.kubernetes.io/";
const modes = ["enforce", "audit", "warn"] as const;

/** The labels that say what a mode asks for. */
const labelsOfModes = {
  enforce: labelsOfMode("enforce"),
  audit: labelsOfMode("audit"),
  warn: labelsOfMode("warn"),
} as const;

function labelsOfMode(mode: string): { readonly level: string; readonly version: string } {
  return { level: `${prefix}${mode}`, version: `${prefix}${mode}-version` };
}

/** What a namespace asks of its pods in one mode. */
export interface LevelVersion {
  readonly level: Level;
  readonly version: string;
}

/** The level of a mode, by the labels of a namespace. Nothing said means anything goes. */
export function levelOf(
  labels: { readonly [key: string]: string },
  mode: (typeof modes)[number],
): LevelVersion {
  const names = labelsOfModes[mode];
  const level = labels[names.level] ?? "privileged";
  const version = labels[names.version] ?? "latest";
  // A level that nobody knows is treated as the strictest.
  return { level: isLevel(level) ? level : "restricted", version };
}

function isLevel(text: string): text is Level {
  return levels.includes(text);
}

/** What a pod does against a level, one text a rule; empty when it may run. */
export function violations(level: Level, input: PodSecurityInput): readonly string[] {
  if (level === "privileged") return [];
  const checks =
    level === "baseline"
      ? baselineChecks
      : [...baselineChecks.filter(({ id }) => !replacedByRestricted.has(id)), ...restrictedChecks];
  return checks.map((check) => check.find(input)).filter((finding) => finding !== undefined);
}

/** What is wrong with the labels of a namespace. */
export function labelErrors(labels: { readonly [key: string]: string }): readonly FieldError[] {
  return modes.flatMap((mode) => [
    ...errorsOf(labels, `${prefix}${mode}`, (value) => isLevel(value), `must be one of ${levels.join(", ")}`),
    ...errorsOf(
      labels,
      `${prefix}${mode}-version`,
      (value) => value === "latest" || /^v1\.(0|[1-9]\d*)$/.test(value),
      'must be "latest" or "v1.x"',
    ),
  ]);
}

function errorsOf(
  labels: { readonly [key: string]: string },
  label: string,
  isValid: (value: string) => boolean,
  message: string,
): readonly FieldError[] {
  const value = labels[label];
  return value === undefined || isValid(value)
    ? []
    : [fieldInvalid(`metadata.labels[${label}]`, value, message)];
}
