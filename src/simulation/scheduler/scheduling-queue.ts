import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Memory } from "../../controllers/controller-memory.ts";
import { ForkableMap } from "../../store/forkable-map.ts";
import { ForkableTable } from "../../store/forkable-table.ts";
import type { Occasion } from "./filters/filter.ts";

const highestPriority = 2 ** 31;
const digits = 16;

/** `podInitialBackoffSeconds` and `podMaxBackoffSeconds` of KubeSchedulerConfiguration, in milliseconds. */
const firstBackOff = 1000;
const longestBackOff = 10_000;

/** A pod that no node takes at present. */
export interface ParkedPod {
  readonly key: string;
  readonly priority: number;
  /** As it was when no node took it. */
  readonly pod: KubeObject;
  /** When to try it again. */
  readonly occasions: readonly Occasion[];
}

/** How often a pod could not be bound. */
interface BackingOff {
  readonly key: string;
  readonly failures: number;
  /** When to try it again, in milliseconds since the epoch. */
  readonly due: number;
}

/** The pods that wait for a node: those to try now, by priority and then by age, and those that no node takes at present. */
export class SchedulingQueue implements Memory {
  /** The keys of pods, in the order in which to try them. */
  #active = new ForkableMap<string>();
  /** The keys of the entries in `#active`, by the keys of pods. */
  #places = new ForkableTable<string>();
  #parked = new ForkableMap<ParkedPod>();
  /** By the keys of pods. They are parked, too, or tried. */
  #backingOff = new ForkableMap<BackingOff>();
  #sequence = 0;

  fork(): this {
    const copy = new SchedulingQueue();
    copy.#active = this.#active.fork();
    copy.#places = this.#places.fork();
    copy.#parked = this.#parked.fork();
    copy.#backingOff = this.#backingOff.fork();
    copy.#sequence = this.#sequence;
    // The class has no subclasses.
    return copy as this;
  }

  /** Adds a pod to those to try now. */
  add(key: string, priority: number): void {
    this.#parked.delete(key);
    if (this.#places.has(key)) return;
    this.#sequence += 1;
    const rank = String(highestPriority - priority).padStart(digits, "0");
    const place = `${rank}/${String(this.#sequence).padStart(digits, "0")}`;
    this.#active.set(place, key);
    this.#places.set(key, place);
  }

  /** Keeps a pod until something changes. */
  park(parked: ParkedPod): void {
    this.delete(parked.key);
    this.#parked.set(parked.key, parked);
  }

  /** Keeps a pod that could not be bound until its back-off has ended, whatever changes elsewhere. */
  backOff({ key, priority, pod }: Omit<ParkedPod, "occasions">, now: number): void {
    const failures = (this.#backingOff.get(key)?.failures ?? 0) + 1;
    const due = now + Math.min(firstBackOff * 2 ** (failures - 1), longestBackOff);
    this.park({ key, priority, pod, occasions: [] });
    this.#backingOff.set(key, { key, failures, due });
  }

  /** Lets pods be tried again whose back-off has ended. */
  endBackOffs(now: number): void {
    for (const { key, due } of this.#backingOff.values("")) {
      const parked = this.#parked.get(key);
      if (parked !== undefined && due <= now) this.add(key, parked.priority);
    }
  }

  /** When the next back-off ends, in milliseconds since the epoch; undefined if there is none. */
  nextBackOff(): number | undefined {
    return this.#backingOff
      .values("")
      .reduce<number | undefined>((next, { due }) => Math.min(next ?? due, due), undefined);
  }

  parked(key: string): ParkedPod | undefined {
    return this.#parked.get(key);
  }

  /** The pod to try next. */
  first(): string | undefined {
    return this.#active.values("", 1)[0];
  }

  delete(key: string): void {
    this.#parked.delete(key);
    this.#backingOff.delete(key);
    const place = this.#places.get(key);
    if (place === undefined) return;
    this.#places.delete(key);
    this.#active.delete(place);
  }

  /** Tries the pods again that wait for this and pass the test. Returns whether there are any. */
  activate(occasion: Occasion, isMeant: (pod: KubeObject) => boolean = () => true): boolean {
    const waiting = this.#parked
      .values("")
      .filter(({ occasions, pod }) => occasions.includes(occasion) && isMeant(pod));
    for (const { key, priority } of waiting) this.add(key, priority);
    return waiting.length > 0;
  }
}
