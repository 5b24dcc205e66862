import type { Memory } from "../../../controllers/controller-memory.ts";
import { ForkableMap } from "../../../store/forkable-map.ts";
import { ForkableTable } from "../../../store/forkable-table.ts";
import {
  type Limiter,
  newLimiter,
  swapped,
  taintRate,
  used,
  type ZoneSize,
  type ZoneState,
  zoneState,
} from "./zone-state.ts";

/** What zones have to know of a node. */
export interface ZonedNode {
  readonly zone: string;
  /** Whether it has a condition Ready with the status True. */
  readonly isReady: boolean;
  /** Whether it counts for the state of its zone. */
  readonly isCounted: boolean;
  /** Whether it waits for a taint with the effect NoExecute. */
  readonly waits: boolean;
  /** Since when it has no condition Ready, in milliseconds since the epoch. */
  readonly silentSince: number | undefined;
}

interface Zone extends ZoneSize {
  /** The nodes that do not count. */
  readonly excluded: number;
  readonly state: ZoneState;
  readonly limiter: Limiter;
}

const noZone: Zone = { ready: 0, notReady: 0, excluded: 0, state: "Initial", limiter: newLimiter };

/** The states of zones, and the nodes in them that wait for a taint with the effect NoExecute. Upstream: `zoneStates`, `zoneNoExecuteTainter`. */
export class NodeZones implements Memory {
  readonly #nodes: ForkableTable<ZonedNode>;
  /** The names of nodes by zone and name. Neither the values of labels nor the names of nodes have a slash. */
  readonly #waiting: ForkableMap<string>;
  readonly #zones: Map<string, Zone>;

  constructor(
    nodes: ForkableTable<ZonedNode> = new ForkableTable(),
    waiting: ForkableMap<string> = new ForkableMap(),
    zones: ReadonlyMap<string, Zone> = new Map(),
  ) {
    this.#nodes = nodes;
    this.#waiting = waiting;
    this.#zones = new Map(zones);
  }

  fork(): this {
    // The class has no subclasses.
    return new NodeZones(this.#nodes.fork(), this.#waiting.fork(), this.#zones) as this;
  }

  get(name: string): ZonedNode | undefined {
    return this.#nodes.get(name);
  }

  /** Takes in what is known of a node now; undefined for one that is gone. */
  set(name: string, node: ZonedNode | undefined): void {
    const former = this.#nodes.get(name);
    if (former !== undefined) {
      this.#count(former, -1);
      this.#waiting.delete(`${former.zone}/${name}`);
    }
    if (node === undefined) {
      this.#nodes.delete(name);
      return;
    }
    this.#nodes.set(name, node);
    this.#count(node, 1);
    if (node.waits) this.#waiting.set(`${node.zone}/${name}`, name);
  }

  #count({ zone, isCounted, isReady }: ZonedNode, by: 1 | -1): void {
    const known = this.#zones.get(zone) ?? noZone;
    const group = isReady ? "ready" : "notReady";
    const counted = isCounted ? group : "excluded";
    this.#zones.set(zone, { ...known, [counted]: known[counted] + by });
  }

  /** Lets zones come to the states that their nodes make. Returns whether all zones are now fully disrupted and were not. Upstream: `handleDisruption`. */
  update(now: number): boolean {
    for (const [name, { ready, notReady, excluded }] of this.#zones) {
      if (ready + notReady > 0) continue;
      // Upstream makes a zone without nodes that count again and again.
      if (excluded === 0) this.#zones.delete(name);
      else this.#zones.set(name, { ...noZone, excluded });
    }
    const counted = [...this.#zones].filter(([, { ready, notReady }]) => ready + notReady > 0);
    const areAll = counted.every(([, zone]) => zoneState(zone) === "FullDisruption");
    const wereAll = counted.every(([, { state }]) => state === "FullDisruption");
    if (areAll && wereAll) return false;
    for (const [name, zone] of counted) {
      const state = zoneState(zone);
      if (state === zone.state && !areAll && !wereAll) continue;
      const rate = areAll ? 0 : taintRate(state, zone);
      this.#zones.set(name, { ...zone, state, limiter: swapped(zone.limiter, rate, now) });
    }
    return areAll;
  }

  /** The zones whose next node may get its taint now, and these nodes. */
  due(now: number): readonly (readonly [zone: string, node: string])[] {
    return [...this.#zones].flatMap(([name, { limiter }]) => {
      const [node] = this.#waiting.values(`${name}/`, 1);
      return node === undefined || now < limiter.next ? [] : [[name, node] as const];
    });
  }

  /** Counts a taint of a node of a zone. The node waits until it has been seen with the taint. */
  use(name: string, now: number): void {
    const zone = this.#zones.get(name);
    if (zone !== undefined) this.#zones.set(name, { ...zone, limiter: used(zone.limiter, now) });
  }

  /** When the next node may get its taint, in milliseconds since the epoch; undefined if none may before a zone changes. */
  nextDue(): number | undefined {
    const waiting = [...this.#zones].filter(([name]) => this.#waiting.values(`${name}/`, 1).length > 0);
    const next = Math.min(...waiting.map(([, { limiter }]) => limiter.next));
    return Number.isFinite(next) ? next : undefined;
  }
}
