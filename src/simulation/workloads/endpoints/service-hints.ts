import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { RecordedEvent } from "../../events/recorded-event.ts";
import { nodes } from "../contract/core-resources.ts";
import { keyOf } from "../contract/object-key.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";
import { withCpuHints } from "./cpu-hints.ts";
import type { HintedServices } from "./hinted-services.ts";
import { familiesOf } from "./service-view.ts";
import { hintModeOf, withOwnHints } from "./slice-hints.ts";
import type { NewSlice, SlicePlan } from "./slice-plan.ts";
import { type ZoneShares, zoneShares } from "./zone-capacity.ts";

/** A plan with hints, and what is to be said about them. */
export interface ServiceHints {
  readonly plan: SlicePlan;
  readonly events: readonly RecordedEvent[];
}

/**
 * Gives the endpoints of a service the hints that it asks for. `existing` are the slices before the plan. Upstream:
 * `reconcileByAddressType` (staging/src/k8s.io/endpointslice/reconciler.go).
 */
export function withServiceHints(
  { lister, gates }: WorkloadEnvironment,
  service: KubeObject,
  plan: SlicePlan,
  existing: readonly KubeObject[],
  hinted: HintedServices,
): ServiceHints {
  const mode = hintModeOf(service, gates);
  const changed = new Set([...plan.update, ...plan.remove].map(({ metadata }) => metadata.uid));
  const unchanged = existing.filter(({ metadata }) => !changed.has(metadata.uid));
  if (mode === "cpus")
    return cpuHints(service, plan, unchanged, { shares: zoneShares(lister.list(nodes, "")), hinted });
  const key = keyOf(service);
  const families = hinted.has(key) ? familiesOf(service) : [];
  for (const family of families) hinted.delete(key, family);
  const events = families.map((family) => disabled("Topology Aware Hints has been disabled", family));
  return { plan: withOwnHints(plan, unchanged, mode), events };
}

/** Each family gets hints, or none, on its own. */
function cpuHints(
  service: KubeObject,
  plan: SlicePlan,
  unchanged: readonly KubeObject[],
  { shares, hinted }: { readonly shares: ZoneShares | undefined; readonly hinted: HintedServices },
): ServiceHints {
  const key = keyOf(service);
  const events: RecordedEvent[] = [];
  const create: NewSlice[] = [];
  const update: KubeObject[] = [];
  for (const family of familiesOf(service)) {
    const isOf = (slice: KubeObject | NewSlice) => slice.addressType === family;
    const part = { create: plan.create.filter(isOf), update: plan.update.filter(isOf), remove: [] };
    const rest = unchanged.filter(isOf);
    const found = withCpuHints(part, rest, shares);
    if (typeof found === "string") {
      hinted.delete(key, family);
      events.push(disabled(found, family));
    } else {
      if (!hinted.has(key)) events.push(enabled(family));
      hinted.set(key, family, found.zones);
    }
    const next = typeof found === "string" ? withOwnHints(part, rest, "none") : found.plan;
    create.push(...next.create);
    update.push(...next.update);
  }
  return { plan: { create, update, remove: plan.remove }, events };
}

function enabled(family: string): RecordedEvent {
  const message = `Topology Aware Hints has been enabled, addressType: ${family}`;
  return { type: "Normal", reason: "TopologyAwareHintsEnabled", message };
}

function disabled(why: string, family: string): RecordedEvent {
  const message = `${why}, addressType: ${family}`;
  return { type: "Warning", reason: "TopologyAwareHintsDisabled", message };
}
