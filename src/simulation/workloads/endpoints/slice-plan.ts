import { listAt } from "../../../apimachinery/fields.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";

/** What a slice should have: endpoints of one family with the same ports. */
export interface PortGroup {
  readonly addressType: string;
  readonly ports: readonly JsonObject[];
  readonly endpoints: readonly JsonObject[];
}

/** A slice to create. */
export interface NewSlice {
  readonly addressType: string;
  readonly ports: readonly JsonObject[];
  readonly endpoints: readonly JsonObject[];
}

/** How to change slices. */
export interface SlicePlan {
  readonly create: readonly NewSlice[];
  readonly update: readonly KubeObject[];
  readonly remove: readonly KubeObject[];
}

const mostEndpoints = 100;

export function endpointsOf(slice: KubeObject | NewSlice): readonly JsonObject[] {
  return "metadata" in slice ? listAt(slice, "endpoints") : slice.endpoints;
}

/**
 * The fewest changes that bring slices up to date: endpoints stay in their slices, new ones fill slices that are written anyway, the fullest
 * first, then full new slices, and the rest the fullest slice with room for all of it, or else a new one. Upstream: `reconcileByPortMapping` (staging/src/k8s.io/endpointslice/reconciler.go).
 */
export function planSlices(
  existing: readonly KubeObject[],
  groups: readonly PortGroup[],
  identityOf: (endpoint: JsonObject) => string,
): SlicePlan {
  const plans = groups.map((group) => {
    const slices = existing.filter(
      (slice) => slice["addressType"] === group.addressType && hasPorts(slice, group),
    );
    return { slices, plan: planGroup(slices, group, identityOf) };
  });
  const used = new Set(plans.flatMap(({ slices }) => slices));
  const create = plans.flatMap(({ plan }) => plan.create);
  const unused = [
    ...existing.filter((slice) => !used.has(slice)),
    ...plans.flatMap(({ plan }) => plan.remove),
  ];
  return recycled({ create, update: plans.flatMap(({ plan }) => plan.update), remove: unused });
}

export function hasPorts(slice: KubeObject, { ports }: PortGroup): boolean {
  return jsonEqual(listAt(slice, "ports"), ports);
}

/** The hints of endpoints are planned afterwards. */
function hasEndpoints(slice: KubeObject, wanted: readonly JsonObject[]): boolean {
  const present = listAt(slice, "endpoints");
  if (present.length !== wanted.length) return false;
  return present.every((endpoint, i) => {
    const { hints, ...others } = endpoint;
    return jsonEqual(hints === undefined ? endpoint : others, wanted[i]);
  });
}

function planGroup(
  slices: readonly KubeObject[],
  { addressType, ports, endpoints }: PortGroup,
  identityOf: (endpoint: JsonObject) => string,
): SlicePlan {
  const left = new Map(endpoints.map((endpoint) => [identityOf(endpoint), endpoint]));
  const kept = slices.map((slice) => {
    const found = listAt(slice, "endpoints").flatMap((endpoint) => {
      const id = identityOf(endpoint);
      const wanted = left.get(id);
      left.delete(id);
      return wanted === undefined ? [] : [wanted];
    });
    return { slice, endpoints: found, isChanged: !hasEndpoints(slice, found) };
  });
  const rest = [...left.values()];
  const fullestFirst = kept.toSorted((a, b) => b.endpoints.length - a.endpoints.length);
  for (const one of fullestFirst.filter(({ isChanged, endpoints: known }) => isChanged && known.length > 0)) {
    one.endpoints.push(...rest.splice(0, Math.max(0, mostEndpoints - one.endpoints.length)));
  }
  const create: NewSlice[] = [];
  while (rest.length > 0) {
    const room =
      rest.length < mostEndpoints
        ? fullestFirst.find((one) => !one.isChanged && one.endpoints.length + rest.length <= mostEndpoints)
        : undefined;
    if (room === undefined) create.push({ addressType, ports, endpoints: rest.splice(0, mostEndpoints) });
    else {
      room.endpoints.push(...rest.splice(0));
      room.isChanged = true;
    }
  }
  const isEmpty = ({ endpoints: known }: { readonly endpoints: readonly JsonObject[] }) => known.length === 0;
  return {
    create,
    update: kept
      .filter((one) => one.isChanged && !isEmpty(one))
      .map((one) => ({ ...one.slice, endpoints: one.endpoints })),
    remove: kept.filter(isEmpty).map(({ slice }) => slice),
  };
}

/** Writes new slices over those that would be deleted. */
export function recycled({ create, update, remove }: SlicePlan): SlicePlan {
  const left = [...remove];
  const made: NewSlice[] = [];
  const rewritten: KubeObject[] = [];
  for (const slice of create) {
    const at = left.findIndex((one) => one["addressType"] === slice.addressType);
    const [old] = at < 0 ? [] : left.splice(at, 1);
    if (old === undefined) made.push(slice);
    else rewritten.push({ ...old, endpoints: slice.endpoints, ports: slice.ports });
  }
  return { create: made, update: [...update, ...rewritten], remove: left };
}
