import type { AdmissionAttributes } from "../contract/admission.ts";

const reviews: ReadonlySet<string> = new Set([
  "authentication.k8s.io/selfsubjectreviews",
  "authentication.k8s.io/tokenreviews",
  "authorization.k8s.io/localsubjectaccessreviews",
  "authorization.k8s.io/selfsubjectaccessreviews",
  "authorization.k8s.io/selfsubjectrulesreviews",
  "authorization.k8s.io/subjectaccessreviews",
]);

/** Whether no policy decides about the resource. Upstream: kubernetes, pkg/controlplane/apiserver, the excluded resources of admission. */
export function isUnreviewed({ gvr }: AdmissionAttributes): boolean {
  return reviews.has(`${gvr.group}/${gvr.resource}`);
}
