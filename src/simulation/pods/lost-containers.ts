import type { ContainerView } from "./container-view.ts";
import { isNew } from "./pod-runtime.ts";

/**
 * The containers of a terminated pod that have not terminated, which its last status reports as failed: those of an initialized pod, and the
 * init containers up to the last one that has begun, at least the first. Upstream: `TerminatePod`, `hasPodInitialized` and
 * `initializedContainers` (pkg/kubelet/status/status_manager.go).
 */
export function lostContainers(views: readonly ContainerView[]): ReadonlySet<string> {
  const initial = views.filter(({ container: { role } }) => role === "init" || role === "sidecar");
  const regular = views.filter(({ container }) => container.role === "regular");
  const begun = Math.max(0, initial.findLastIndex(hasBegun));
  const { ended, last } = initial.at(-1)?.state ?? {};
  const isInitialized =
    initial.length === 0 || regular.some(hasBegun) || ended?.exitCode === 0 || last?.exitCode === 0;
  const expected = [...initial.slice(0, begun + 1), ...(isInitialized ? regular : [])];
  return new Set(
    expected
      .filter(({ state }) => state.ended === undefined || state.waiting !== undefined)
      .map(({ container }) => container.name),
  );
}

function hasBegun({ state }: ContainerView): boolean {
  return !isNew(state);
}
