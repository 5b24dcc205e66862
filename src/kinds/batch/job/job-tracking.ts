import { fieldForbidden } from "../../../apimachinery/errors/field.ts";
import type { KubeObject, MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import { key } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";

/** Marks Jobs whose pods are counted by finalizers, from 1.22 to 1.27. Later releases count all of them so. */
const trackingAnnotation = "batch.kubernetes.io/job-tracking";

/** Upstream: pkg/registry/batch/job/strategy.go of 1.25 and 1.26. */
export function prepareTracking(
  job: MutableKubeObject,
  old: KubeObject | undefined,
  gates: FeatureGates,
): void {
  if (!isMarkedIn(gates)) return;
  const isOn = gates.isEnabled("JobTrackingWithFinalizers");
  if (old === undefined) setMark(job, isOn);
  // Since 1.26, clients cannot remove it.
  else if (isMarked(old)) setMark(job, isMarked(job) || gates.since("1.26"));
  else if (!isOn) setMark(job, false);
}

/** Adds an error for a Job that clients mark later. */
export function addTrackingErrors(
  errors: Findings,
  job: KubeObject,
  old: KubeObject | undefined,
  gates: FeatureGates,
): void {
  if (!isMarkedIn(gates) || old === undefined || isMarked(old) || !isMarked(job)) return;
  errors.push(fieldForbidden(key("metadata.annotations", trackingAnnotation), "cannot add this annotation"));
}

function isMarkedIn({ since }: FeatureGates): boolean {
  return since("1.22") && !since("1.28");
}

function isMarked({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[trackingAnnotation] !== undefined;
}

function setMark(job: MutableKubeObject, isWanted: boolean): void {
  if (isWanted === isMarked(job)) return;
  const { [trackingAnnotation]: _mark, ...others } = job.metadata.annotations ?? {};
  if (isWanted) job.metadata.annotations = { ...others, [trackingAnnotation]: "" };
  else if (Object.keys(others).length > 0) job.metadata.annotations = others;
  else delete job.metadata.annotations;
}
