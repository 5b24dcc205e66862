import type { StoredValue, StoreEvent } from "./stored-value.ts";

/** A value of a field that every selected value has. */
export interface Pin<T extends object> {
  /** The name of the field. Filters of a prefix that pin fields of one name read the same. */
  readonly field: string;
  readonly read: (stored: StoredValue<T>) => string | undefined;
  readonly value: string;
}

/** What a watcher of a prefix selects. It is asked during writes, so it must not throw. */
export interface WatchFilter<T extends object> {
  /** Filters of a prefix with the same key select the same values. */
  readonly key: string;
  readonly selects: (stored: StoredValue<T>) => boolean;
  readonly pin: Pin<T> | undefined;
}

/** Receives events. */
export interface Listener<T extends object> {
  publish(event: StoreEvent<T>): void;
}

interface Group<T extends object, L> {
  readonly selects: WatchFilter<T>["selects"];
  readonly listeners: Set<L>;
}

type Groups<T extends object, L> = Map<string, Group<T, L>>;

interface PinnedField<T extends object, L> {
  readonly read: Pin<T>["read"];
  readonly groups: Map<string, Groups<T, L>>;
}

/**
 * The watchers of one prefix. An event is tested once for all watchers with the same filter, and reaches filters that pin a
 * field only if the value before or after the event has the pinned value: a watcher that selects other values costs nothing.
 */
export class Audience<T extends object, L extends Listener<T>> {
  readonly #unfiltered = new Set<L>();
  readonly #filtered: Groups<T, L> = new Map();
  readonly #pinned = new Map<string, PinnedField<T, L>>();

  get isEmpty(): boolean {
    return this.#unfiltered.size === 0 && this.#filtered.size === 0 && this.#pinned.size === 0;
  }

  add(listener: L, filter: WatchFilter<T> | undefined): void {
    if (filter === undefined) {
      this.#unfiltered.add(listener);
      return;
    }
    const groups = filter.pin === undefined ? this.#filtered : this.#pinnedGroups(filter.pin);
    const group = groups.get(filter.key);
    if (group === undefined)
      groups.set(filter.key, { selects: filter.selects, listeners: new Set([listener]) });
    else group.listeners.add(listener);
  }

  delete(listener: L, filter: WatchFilter<T> | undefined): void {
    if (filter === undefined) this.#unfiltered.delete(listener);
    else if (filter.pin === undefined) leave(this.#filtered, filter.key, listener);
    else this.#leavePinned(filter.pin, filter.key, listener);
  }

  /** All watchers, in no particular order. */
  listeners(): readonly L[] {
    const pinned = [...this.#pinned.values()].flatMap(({ groups }) => [...groups.values()]);
    const groups = [this.#filtered, ...pinned].flatMap((group) => [...group.values()]);
    return [...this.#unfiltered, ...groups.flatMap(({ listeners }) => [...listeners])];
  }

  /** Publishes an event to those who select the value before or after it. */
  publish(event: StoreEvent<T>): void {
    for (const listener of this.#unfiltered) listener.publish(event);
    publishTo(this.#filtered, event);
    for (const { read, groups } of this.#pinned.values()) {
      // The last value of a delete has the fields of the one before.
      const after = read(event.value);
      const before = event.previous && read(event.previous);
      if (after !== undefined) publishTo(groups.get(after), event);
      if (before !== undefined && before !== after) publishTo(groups.get(before), event);
    }
  }

  #pinnedGroups({ field, read, value }: Pin<T>): Groups<T, L> {
    const pinned = this.#pinned.get(field) ?? { read, groups: new Map<string, Groups<T, L>>() };
    this.#pinned.set(field, pinned);
    const groups = pinned.groups.get(value) ?? new Map<string, Group<T, L>>();
    pinned.groups.set(value, groups);
    return groups;
  }

  #leavePinned({ field, value }: Pin<T>, key: string, listener: L): void {
    const pinned = this.#pinned.get(field);
    const groups = pinned?.groups.get(value);
    if (pinned === undefined || groups === undefined) return;
    leave(groups, key, listener);
    if (groups.size === 0) pinned.groups.delete(value);
    if (pinned.groups.size === 0) this.#pinned.delete(field);
  }
}

function leave<T extends object, L>(groups: Groups<T, L>, key: string, listener: L): void {
  const group = groups.get(key);
  group?.listeners.delete(listener);
  if (group?.listeners.size === 0) groups.delete(key);
}

function publishTo<T extends object, L extends Listener<T>>(
  groups: Groups<T, L> | undefined,
  event: StoreEvent<T>,
): void {
  if (groups === undefined) return;
  for (const { selects, listeners } of groups.values()) {
    const isSeen =
      (event.type === "put" && selects(event.value)) ||
      (event.previous !== undefined && selects(event.previous));
    if (isSeen) for (const listener of listeners) listener.publish(event);
  }
}
