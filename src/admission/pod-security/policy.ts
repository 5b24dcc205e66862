import { type FieldCause, fieldInvalid } from "../../apimachinery/errors/field.ts";
import type { Since } from "../../apimachinery/release.ts";

export type Level = "privileged" | "baseline" | "restricted";

const levels: readonly string[] = ["privileged", "baseline", "restricted"];
const prefix = "pod-security.kubernetes.io/";
const modes = ["enforce", "audit", "warn"] as const;

/** A level of a version of the policy. */
export interface LevelVersion {
  readonly level: Level;
  /** `latest` or `v1.24`. */
  readonly version: string;
}

/** What a namespace enforces and warns about. */
export interface Policy {
  readonly enforce: LevelVersion;
  readonly warn: LevelVersion;
}

type Labels = { readonly [key: string]: string };

/**
 * The policy in the labels of a namespace; without labels it is that of the defaults, or privileged. An invalid level is enforced as restricted,
 * but warns about nothing. Since 1.26, warnings follow a stricter level that is enforced. Upstream:
 * pod-security-admission, api/helpers.go, PolicyToEvaluate.
 */
export function policyToEvaluate(labels: Labels, since: Since, defaults: Labels = {}): Policy {
  const all = { ...defaults, ...labels };
  const enforce = levelVersion(all, "enforce", "restricted");
  const warn = levelVersion(all, "warn", "privileged");
  const isValid = isLevel(labels[`${prefix}enforce`] ?? "");
  const hasLevel = Object.hasOwn(labels, `${prefix}warn`);
  if (!since("1.26") || hasLevel || !isValid || compareLevels(enforce.level, warn.level) <= 0) {
    return { enforce, warn };
  }
  const hasVersion = Object.hasOwn(labels, `${prefix}warn-version`);
  return { enforce, warn: { level: enforce.level, version: hasVersion ? warn.version : enforce.version } };
}

function levelVersion(labels: Labels, mode: string, fallback: Level): LevelVersion {
  const level = labels[`${prefix}${mode}`] ?? "privileged";
  const version = labels[`${prefix}${mode}-version`] ?? "latest";
  return { level: isLevel(level) ? level : fallback, version: isVersion(version) ? version : "latest" };
}

/** Positive if `a` is stricter than `b`. */
export function compareLevels(a: Level, b: Level): number {
  return levels.indexOf(a) - levels.indexOf(b);
}

function isLevel(text: string): text is Level {
  return levels.includes(text);
}

function isVersion(text: string): boolean {
  return text === "latest" || /^v1\.(0|[1-9]\d*)$/.test(text);
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
    addValueErrors(errors, labels, `${prefix}${mode}-version`, isVersion, 'must be "latest" or "v1.x"');
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
