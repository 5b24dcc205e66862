import { messageOf } from "../../apimachinery/errors/message-of.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";

/**
 * What kube-scheduler says about a binding that is refused. Upstream: `RunBindPlugins` (pkg/scheduler/framework/runtime/framework.go) and
 * `bindingCycle` (pkg/scheduler/schedule_one.go).
 */
export function bindingErrorMessage(pod: string, error: unknown, { since }: FeatureGates): string {
  const reason = messageOf(error);
  const plugin = `plugin "DefaultBinder"`;
  if (since("1.20")) {
    const message = `running Bind ${plugin}: ${reason}`;
    return since("1.27") ? message : `binding rejected: ${message}`;
  }
  const message = `${plugin} failed to bind pod "${pod}": ${reason}`;
  return since("1.18") ? `binding rejected: ${message}` : `Binding rejected: bind ${message}`;
}
