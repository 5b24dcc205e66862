import { listAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { isReady, withHints } from "./slice-hints.ts";
import { endpointsOf, type SlicePlan } from "./slice-plan.ts";
import { type Allocation, allocations, type ZoneShares } from "./zone-capacity.ts";

/** A plan with hints, and how many endpoints serve each zone. */
export interface HintedPlan {
  readonly plan: SlicePlan;
  readonly zones: ReadonlyMap<string, number>;
}

type Numbers = Map<string, number>;

/**
 * Gives each zone as many endpoints as its CPUs ask for: endpoints serve their own zone, and some the zones that have too few. Slices
 * whose hints are still good stay. Returns the reason if that cannot be. Upstream: `AddHints`
 * (staging/src/k8s.io/endpointslice/topologycache/topologycache.go).
 */
export function withCpuHints(
  { create, update, remove }: SlicePlan,
  unchanged: readonly KubeObject[],
  shares: ZoneShares | undefined,
): HintedPlan | string {
  const all = [...create, ...update, ...unchanged].flatMap(endpointsOf);
  const wanted = allocations(shares, all.filter(isReady).length);
  if (typeof wanted === "string") return wanted;
  const zones: Numbers = new Map();
  const stale = unchanged.filter((slice) => !takeHints(slice, zones, wanted));
  const updated = [...update, ...stale];
  const endpoints = [...create, ...updated].flatMap(endpointsOf).filter(isReady);
  if (endpoints.some((endpoint) => zoneOf(endpoint) === ""))
    return "One or more endpoints do not have a zone specified";
  for (const endpoint of endpoints) add(zones, zoneOf(endpoint), 1);
  const moves = movesBetween(wanted, zones);
  const hintsOf = (endpoint: JsonObject) => {
    if (!isReady(endpoint)) return undefined;
    const own = zoneOf(endpoint);
    const served = takeMove(moves, own) ?? own;
    add(zones, own, -1);
    add(zones, served, 1);
    return { forZones: [{ name: served }] };
  };
  const plan = {
    create: create.map((slice) => withHints(slice, hintsOf)),
    update: updated.map((slice) => withHints(slice, hintsOf)),
    remove,
  };
  return zones.size === 0 ? "No hints allocated for zones" : { plan, zones };
}

/** Counts the hints of a slice, unless one is missing or a zone would get too many. Returns whether they are good. Upstream: `getHintsByZone`. */
function takeHints(slice: KubeObject, zones: Numbers, wanted: ReadonlyMap<string, Allocation>): boolean {
  const hinted: Numbers = new Map();
  for (const endpoint of listAt(slice, "endpoints").filter(isReady)) {
    const served = listAt(endpoint, "hints", "forZones").map((zone) => textAt(zone, "name"));
    if (served.length === 0) return false;
    for (const zone of served) add(hinted, zone, 1);
  }
  const isGood = [...hinted].every(
    ([zone, number]) => number + (zones.get(zone) ?? 0) <= (wanted.get(zone)?.most ?? -1),
  );
  if (isGood) for (const [zone, number] of hinted) add(zones, zone, number);
  return isGood;
}

interface Moves {
  /** How many endpoints of a zone serve other ones. */
  readonly giving: Numbers;
  /** How many endpoints of other zones serve a zone. */
  readonly receiving: Numbers;
}

/** Upstream: `getGivingAndReceivingZones`. */
function movesBetween(wanted: ReadonlyMap<string, Allocation>, zones: ReadonlyMap<string, number>): Moves {
  const excess = new Map([...wanted].map(([zone, { desired }]) => [zone, (zones.get(zone) ?? 0) - desired]));
  const lack = new Map([...excess].map(([zone, number]) => [zone, -number]));
  const moves: Moves = { giving: new Map(), receiving: new Map() };
  for (;;) {
    const [giver, given] = greatest(excess);
    const [receiver, received] = greatest(lack);
    if ((given < 1 && received < 1) || given < 0.5 || received < 0.5) return moves;
    add(moves.giving, giver, 1);
    add(excess, giver, -1);
    add(moves.receiving, receiver, 1);
    add(lack, receiver, -1);
  }
}

/** The zone that an endpoint of another one is to serve. */
function takeMove({ giving, receiving }: Moves, zone: string): string | undefined {
  if ((giving.get(zone) ?? 0) === 0) return undefined;
  const receiver = [...receiving].find(([, number]) => number > 0)?.[0];
  if (receiver === undefined) return undefined;
  add(giving, zone, -1);
  add(receiving, receiver, -1);
  return receiver;
}

function greatest(numbers: ReadonlyMap<string, number>): readonly [zone: string, number: number] {
  const start: readonly [string, number] = ["", 0];
  return [...numbers].reduce((best, one) => (one[1] > best[1] ? one : best), start);
}

function add(numbers: Numbers, zone: string, number: number): void {
  numbers.set(zone, (numbers.get(zone) ?? 0) + number);
}

function zoneOf(endpoint: JsonObject): string {
  return textAt(endpoint, "zone");
}
