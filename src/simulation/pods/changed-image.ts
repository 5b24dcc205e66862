import { textAt } from "../../apimachinery/fields.ts";
import type { ContainerRuntime, PodContainer } from "./pod-runtime.ts";

/** Whether a container was started with another image than it is to have. Upstream: `containerChanged` (pkg/kubelet/kuberuntime/kuberuntime_manager.go). */
export function hasOtherImage({ role, spec }: PodContainer, { image }: ContainerRuntime): boolean {
  return role === "regular" && image !== undefined && image !== textAt(spec, "image");
}

/** What the kubelet says when it stops a container for its new image, whatever the policy of its pod. */
export function changeMessage({ name }: PodContainer): string {
  return `Container ${name} definition changed, will be restarted`;
}
