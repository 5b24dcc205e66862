/** The state of an object at a revision. */
export interface Version {
  readonly uid: string;
  readonly revision: number;
  /** What the last write put there: one text, which the server keeps in two fields. */
  readonly left: string;
  readonly right: string;
}

/** An event of a watch. */
export interface HistoryEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly key: string;
  readonly version: Version;
}

/** What a client has asked for, when, and what it was told. Times are positions in one order of all starts and ends. */
export interface Operation {
  readonly what: "create" | "update" | "patch" | "delete" | "get" | "list";
  readonly key: string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** The text that a write puts. */
  readonly value?: string;
  /** The revision that a write expects its object to have. */
  readonly expected?: number;
  /** The status of the answer; `undefined` if the client does not know whether the request was carried out. */
  readonly status: number | undefined;
  /** The object of the answer. */
  readonly version?: Version;
  /** The answer to a list. */
  readonly items?: ReadonlyMap<string, Version>;
  /** The revision of a list. */
  readonly revision?: number;
  /** Whether the client accepts an older state. */
  readonly mayBeStale?: boolean;
}

/** Everything that happened to some objects. */
export interface History {
  /** The revision before the first event. */
  readonly start: number;
  readonly operations: readonly Operation[];
  /** What a watch from `start` has delivered. */
  readonly events: readonly HistoryEvent[];
  /** Whether each revision must have an event: nothing else writes. */
  readonly isComplete: boolean;
}

const writes: ReadonlySet<string> = new Set(["create", "update", "patch", "delete"]);

/**
 * Where a history differs from that of one object store that handles requests one after the other: events that break the
 * order of revisions or the life of an object, writes without their event, events without a write, and answers that no
 * state between the start and the end of their request explains. The revisions of the events are the only possible
 * order, so the check takes n log n steps.
 */
export function flawsOfHistory(history: History): readonly string[] {
  const flaws: string[] = [];
  const model = new Model(history, flaws);
  const bounds = boundsOf(history);
  addFlawsOfWrites(flaws, history, model);
  for (const operation of history.operations) {
    const [low, high] = bounds(operation);
    const states = model.during(operation.key, operation.mayBeStale ? history.start : low, high);
    const flaw = flawOf(operation, states, model, low, high);
    if (flaw !== undefined) flaws.push(`${flaw}: ${JSON.stringify(operation)}`);
  }
  return flaws;
}

/** The states of every object, by the revision at which they began. */
class Model {
  readonly #states = new Map<
    string,
    { readonly revision: number; readonly version: Version | undefined }[]
  >();
  readonly events = new Map<number, HistoryEvent & { readonly before: Version | undefined }>();

  constructor({ start, events, isComplete }: History, flaws: string[]) {
    let last = start;
    for (const event of events) {
      const { type, key, version } = event;
      const { revision } = version;
      if (revision <= last) flaws.push(`revision ${revision} follows ${last}`);
      else if (isComplete && revision !== last + 1)
        flaws.push(`revision ${revision} follows ${last} directly`);
      last = Math.max(last, revision);
      const states = this.#states.get(key) ?? [];
      const before = states.at(-1)?.version;
      const flaw = flawOfEvent(event, before);
      if (flaw !== undefined) flaws.push(`${flaw}: ${JSON.stringify(event)}`);
      states.push({ revision, version: type === "DELETED" ? undefined : version });
      this.#states.set(key, states);
      this.events.set(revision, { ...event, before });
    }
  }

  get keys(): Iterable<string> {
    return this.#states.keys();
  }

  /** The states of an object from one revision to another, both included. */
  during(key: string, low: number, high: number): readonly (Version | undefined)[] {
    const states = this.#states.get(key) ?? [];
    let from = 0;
    for (let to = states.length; from < to; ) {
      const middle = (from + to) >> 1;
      if ((states[middle]?.revision ?? 0) <= low) from = middle + 1;
      else to = middle;
    }
    const found: (Version | undefined)[] = [states[from - 1]?.version];
    for (let at = from; at < states.length && (states[at]?.revision ?? 0) <= high; at += 1)
      found.push(states[at]?.version);
    return found;
  }
}

function flawOfEvent({ type, version }: HistoryEvent, before: Version | undefined): string | undefined {
  if (version.left !== version.right) return "half written";
  if (type === "ADDED") return before === undefined ? undefined : "added twice";
  if (before === undefined) return "an event of an object that does not exist";
  if (before.uid !== version.uid) return "another uid";
  if (type === "DELETED" && before.left !== version.left) return "deleted with another state than its last";
  return undefined;
}

/** The lowest and highest revision of a state that an operation may have seen. */
function boundsOf({ start, operations }: History): (operation: Operation) => readonly [number, number] {
  const revised = operations.flatMap((operation) => {
    const revision = writes.has(operation.what) ? operation.version?.revision : operation.revision;
    return revision === undefined || operation.mayBeStale ? [] : [{ operation, revision }];
  });
  const ended = revised.toSorted((a, b) => a.operation.endedAt - b.operation.endedAt);
  const begun = revised
    .filter(({ operation }) => writes.has(operation.what))
    .toSorted((a, b) => b.operation.startedAt - a.operation.startedAt);
  const lows = runningBest(
    ended,
    ({ operation, revision }) => [operation.endedAt, revision],
    start,
    Math.max,
  );
  const highs = runningBest(
    begun,
    ({ operation, revision }) => [-operation.startedAt, revision - 1],
    Number.POSITIVE_INFINITY,
    Math.min,
  );
  return ({ startedAt, endedAt }) => [lows(startedAt), highs(-endedAt)];
}

/** The best value among the entries before a position; the entries are sorted by position. */
function runningBest<T>(
  entries: readonly T[],
  of: (entry: T) => readonly [position: number, value: number],
  initial: number,
  better: (a: number, b: number) => number,
): (position: number) => number {
  const positions: number[] = [];
  const best: number[] = [];
  for (const entry of entries) {
    const [position, value] = of(entry);
    positions.push(position);
    best.push(better(best.at(-1) ?? initial, value));
  }
  return (position) => {
    let from = 0;
    for (let to = positions.length; from < to; ) {
      const middle = (from + to) >> 1;
      if ((positions[middle] ?? 0) < position) from = middle + 1;
      else to = middle;
    }
    return best[from - 1] ?? initial;
  };
}

/** Each write that succeeded has one event, and each event comes from one write. */
function addFlawsOfWrites(flaws: string[], history: History, model: Model): void {
  const possible = new Set<string>();
  const claimed = new Set<number>();
  for (const operation of history.operations) {
    const { what, status, version, value = "", expected, key } = operation;
    if (!writes.has(what) || what === "delete") continue;
    if (status === undefined) possible.add(value);
    if (status === undefined || status >= 300 || version === undefined) continue;
    const event = model.events.get(version.revision);
    if (event?.key !== key) flaws.push(`a write without its event: ${JSON.stringify(operation)}`);
    else if (claimed.has(version.revision))
      flaws.push(`two writes at one revision: ${JSON.stringify(operation)}`);
    else if (event.version.left !== value)
      flaws.push(`an event with another value: ${JSON.stringify(operation)}`);
    else if (expected !== undefined && event.before?.revision !== expected)
      flaws.push(`written over revision ${event.before?.revision}: ${JSON.stringify(operation)}`);
    claimed.add(version.revision);
  }
  addFlawsOfDeletes(flaws, history);
  if (!history.isComplete) return;
  for (const [revision, { type, key, version }] of model.events) {
    if (type === "DELETED" || claimed.has(revision) || possible.has(version.left)) continue;
    flaws.push(`an event without a write: ${type} ${key} at ${revision}`);
  }
}

/** The answer to a delete has no revision, so deletes are only counted. */
function addFlawsOfDeletes(flaws: string[], { operations, events, isComplete }: History): void {
  const deletes = operations.filter(({ what }) => what === "delete");
  for (const key of new Set(events.map((event) => event.key))) {
    const asked = deletes.filter((operation) => operation.key === key);
    const done = asked.filter(({ status }) => status !== undefined && status < 300).length;
    const unknown = asked.filter(({ status }) => status === undefined).length;
    const seen = events.filter((event) => event.key === key && event.type === "DELETED").length;
    if (seen < done) flaws.push(`${done} deletes of ${key} have ${seen} events`);
    if (isComplete && seen > done + unknown) flaws.push(`${done} deletes of ${key} have ${seen} events`);
  }
}

/** Why no state that an operation may have seen explains its answer; undefined if one does. */
function flawOf(
  { what, status, version, items, revision, expected, mayBeStale }: Operation,
  states: readonly (Version | undefined)[],
  model: Model,
  low: number,
  high: number,
): string | undefined {
  if (status === undefined) return undefined;
  if (what === "list") {
    if (revision === undefined || items === undefined) return undefined;
    if ((!mayBeStale && revision < low) || revision > high)
      return `a list of ${revision}, not ${low} to ${high}`;
    return flawOfList(items, revision, model);
  }
  if (status === 404) return states.includes(undefined) ? undefined : "not found, but it exists";
  if (status === 409) {
    if (what === "create")
      return states.some((state) => state !== undefined) ? undefined : "exists, but does not";
    const isStale = states.some((state) => state?.revision !== expected);
    return isStale ? undefined : "a conflict without one";
  }
  if (what !== "get" || version === undefined || status >= 300) return undefined;
  return states.some((state) => isSame(state, version)) ? undefined : "a state that it did not have";
}

function flawOfList(items: ReadonlyMap<string, Version>, revision: number, model: Model): string | undefined {
  for (const key of new Set([...items.keys(), ...model.keys])) {
    const [state] = model.during(key, revision, revision);
    const item = items.get(key);
    if (state === undefined ? item !== undefined : item === undefined || !isSame(state, item))
      return `a list of another state of ${key}`;
  }
  return undefined;
}

function isSame(one: Version | undefined, other: Version): boolean {
  return (
    one?.uid === other.uid &&
    one.revision === other.revision &&
    one.left === other.left &&
    one.right === other.right
  );
}
