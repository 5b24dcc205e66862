import { fieldForbidden, fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { objectAt, stringsAt, textAt } from "../../../apimachinery/fields.ts";
import { goQuote } from "../../../apimachinery/go/go-quote.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { mirrorAnnotation } from "../../../apimachinery/mirror-pod.ts";
import { compareText, sortedKeys } from "../../../apimachinery/text-order.ts";
import { child, key } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { appArmorPrefix } from "../edits/app-armor-annotations.ts";
import { containersWithPath, type PlacedContainer } from "../edits/container-paths.ts";
import { deletionCostAnnotation, deletionCostProblem } from "./deletion-cost.ts";
import { addDescendingPath } from "./paths.ts";
import type { PodValidationOptions } from "./pod-validation-options.ts";
import type { TolerationRules } from "./scheduling.ts";
import { addTolerationsAnnotation } from "./tolerations-annotation.ts";

/** The annotation with the seccomp profile of a pod. */
export const seccompAnnotation = "seccomp.security.alpha.kubernetes.io/pod";
/** The prefix of the annotation with the seccomp profile of a container. */
export const seccompPrefix = "container.seccomp.security.alpha.kubernetes.io/";

const localhost = "localhost/";

type Annotations = { readonly [name: string]: string };

/** The options that the validation of annotations needs. */
type AnnotationOptions = Pick<PodValidationOptions, "allowsInvalidDeletionCost"> & TolerationRules;

/** Validates the annotations that have a meaning in pods; `pod` is a Pod or a template. */
export function addPodAnnotations(
  errors: Findings,
  pod: JsonObject,
  path: string,
  options: AnnotationOptions,
): void {
  const annotations = stringsAt(pod, "metadata", "annotations");
  const mirror = annotations[mirrorAnnotation];
  if (mirror !== undefined && !textAt(pod, "spec", "nodeName")) {
    const detail = "must set spec.nodeName if mirror pod annotation is set";
    errors.push(fieldInvalid(key(path, mirrorAnnotation), mirror, detail));
  }
  addTolerationsAnnotation(errors, annotations, path, options);
  const cost = options.allowsInvalidDeletionCost ? undefined : deletionCostProblem(pod);
  if (cost !== undefined) {
    errors.push(fieldInvalid(key(path, deletionCostAnnotation), cost, "must be a 32bit integer"));
  }
  addSeccompAnnotations(errors, annotations, path);
  addAppArmorAnnotations(errors, annotations, pod, path);
}

function addSeccompAnnotations(errors: Findings, annotations: Annotations, path: string): void {
  const names = Object.keys(annotations).filter(
    (name) => name === seccompAnnotation || name.startsWith(seccompPrefix),
  );
  for (const name of names.sort(seccompOfPodFirst)) {
    const profile = annotations[name] ?? "";
    if (["runtime/default", "docker/default", "unconfined"].includes(profile)) continue;
    const field = child(path, name);
    if (profile.startsWith(localhost)) addDescendingPath(errors, profile.slice(localhost.length), field);
    else errors.push(fieldInvalid(field, profile, "must be a valid seccomp profile"));
  }
}

function seccompOfPodFirst(a: string, b: string): number {
  if (a === seccompAnnotation) return -1;
  return b === seccompAnnotation ? 1 : compareText(a, b);
}

function addAppArmorAnnotations(
  errors: Findings,
  annotations: Annotations,
  pod: JsonObject,
  path: string,
): void {
  const names = Object.keys(annotations).filter((name) => name.startsWith(appArmorPrefix));
  if (names.length === 0) return;
  const containers = new Set(placed(pod, "").map(({ container }) => textAt(container, "name")));
  for (const name of names.sort(compareText)) {
    const container = name.slice(appArmorPrefix.length);
    const profile = annotations[name] ?? "";
    if (!containers.has(container)) {
      errors.push(fieldInvalid(key(path, name), container, "container not found"));
    }
    if (["", "runtime/default", "unconfined"].includes(profile) || profile.startsWith(localhost)) continue;
    const detail = `invalid AppArmor profile name: ${goQuote(profile)}`;
    errors.push(fieldInvalid(key(path, name), profile, detail));
  }
}

/** Validates the annotations that are immutable in a Pod. */
export function addAnnotationChanges(
  errors: Findings,
  pod: JsonObject,
  old: JsonObject,
  path: string,
  options: AnnotationOptions,
): void {
  const now = stringsAt(pod, "metadata", "annotations");
  const before = stringsAt(old, "metadata", "annotations");
  for (const name of sortedKeys(before)) {
    const what = fixedAnnotation(name);
    if (what === undefined || now[name] === before[name]) continue;
    errors.push(fieldForbidden(key(path, name), `may not remove or update ${what}`));
  }
  for (const name of sortedKeys(now)) {
    const what = fixedAnnotation(name);
    if (what === undefined || before[name] !== undefined) continue;
    errors.push(fieldForbidden(key(path, name), `may not add ${what}`));
  }
  addPodAnnotations(errors, pod, path, options);
}

function fixedAnnotation(name: string): string | undefined {
  if (name.startsWith(appArmorPrefix)) return "AppArmor annotations";
  return name === mirrorAnnotation ? "mirror pod annotation" : undefined;
}

/** Requires that annotations and fields agree on the seccomp and AppArmor profiles. */
export function addProfileMismatches(errors: Findings, pod: JsonObject, specPath: string): void {
  const annotations = stringsAt(pod, "metadata", "annotations");
  if (!Object.keys(annotations).some(namesProfile)) return;
  const ofPod = objectAt(pod, "spec", "securityContext", "seccompProfile");
  const at = child(specPath, "securityContext", "seccompProfile");
  addMismatch(errors, annotations[seccompAnnotation], ofPod, at, seccompWords);
  for (const { container, path } of placed(pod, specPath)) {
    const annotation = annotations[seccompPrefix + textAt(container, "name")];
    const profile = objectAt(container, "securityContext", "seccompProfile");
    addMismatch(errors, annotation, profile, child(path, "securityContext", "seccompProfile"), seccompWords);
  }
  if (textAt(pod, "spec", "os", "name") === "windows") return;
  const appArmorOfPod = objectAt(pod, "spec", "securityContext", "appArmorProfile");
  for (const { container, path } of placed(pod, specPath)) {
    const annotation = annotations[appArmorPrefix + textAt(container, "name")];
    const profile = objectAt(container, "securityContext", "appArmorProfile") ?? appArmorOfPod;
    addMismatch(
      errors,
      annotation,
      profile,
      child(path, "securityContext", "appArmorProfile"),
      appArmorWords,
    );
  }
}

function namesProfile(annotation: string): boolean {
  if (annotation === seccompAnnotation || annotation.startsWith(seccompPrefix)) return true;
  return annotation.startsWith(appArmorPrefix);
}

function placed(pod: JsonObject, specPath: string): readonly PlacedContainer[] {
  return containersWithPath(objectAt(pod, "spec") ?? {}, specPath);
}

interface ProfileWords {
  readonly name: string;
  readonly runtimeDefaults: readonly string[];
}

const seccompWords: ProfileWords = {
  name: "seccomp",
  runtimeDefaults: ["runtime/default", "docker/default"],
};
const appArmorWords: ProfileWords = { name: "apparmor", runtimeDefaults: ["runtime/default"] };

function addMismatch(
  errors: Findings,
  annotation: string | undefined,
  profile: JsonObject | undefined,
  path: string,
  { name, runtimeDefaults }: ProfileWords,
): void {
  if (annotation === undefined || profile === undefined) return;
  const { type, localhostProfile } = profile;
  const differs =
    (type === "Unconfined" && annotation !== "unconfined") ||
    (type === "RuntimeDefault" && !runtimeDefaults.includes(annotation)) ||
    (type === "Localhost" && !annotation.startsWith(localhost));
  if (differs) {
    errors.push(fieldForbidden(child(path, "type"), `${name} type in annotation and field must match`));
  } else if (type === "Localhost" && annotation.slice(localhost.length) !== localhostProfile) {
    const detail = `${name} profile in annotation and field must match`;
    errors.push(fieldForbidden(child(path, "localhostProfile"), detail));
  }
}
