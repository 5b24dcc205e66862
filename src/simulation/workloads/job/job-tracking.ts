import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";

export const trackingFinalizer = "batch.kubernetes.io/job-tracking";

/**
 * Whether the pods of a Job get the finalizer, and are counted once. Those of other Jobs, of the releases before 1.25, count as long as they exist.
 * Upstream: `trackingUncountedPods` (pkg/controller/job/job_controller.go).
 */
export function tracksPods({ metadata }: KubeObject, { since, isEnabled }: FeatureGates): boolean {
  if (since("1.26")) return true;
  return isEnabled("JobTrackingWithFinalizers") && metadata.annotations?.[trackingFinalizer] !== undefined;
}

/** Whether a pod has not been counted yet. */
export function isTracked({ metadata }: KubeObject): boolean {
  return metadata.finalizers?.includes(trackingFinalizer) ?? false;
}
