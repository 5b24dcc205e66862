import { textAt } from "../../apimachinery/fields.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { EndedContainer, PodContainer } from "./pod-runtime.ts";

/** Whether a container that has ended is started again. */
export function mayRestart(
  pod: KubeObject,
  { role, spec }: PodContainer,
  { exitCode, isUnhealthy }: EndedContainer,
): boolean {
  if (role === "ephemeral") return false;
  if (role === "sidecar") return true;
  const policy = textAt(pod, "spec", "restartPolicy");
  if (role === "init") return exitCode !== 0 && policy !== "Never";
  const own = textAt(spec, "restartPolicy") || policy;
  return own === "Always" || (own === "OnFailure" && (exitCode !== 0 || isUnhealthy === true));
}
