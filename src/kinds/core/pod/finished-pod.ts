import { textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";

/** Whether a pod has ended. */
export function isFinishedPod(pod: KubeObject): boolean {
  return /^(Succeeded|Failed)$/.test(textAt(pod, "status", "phase"));
}
