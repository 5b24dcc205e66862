import { realTimeout } from "../apimachinery/clock.ts";
import { parseDurationMilliseconds } from "../apimachinery/duration.ts";
import { StatusError } from "../apimachinery/errors/errors.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { checkOptions } from "../apimachinery/option-checks.ts";
import type { ListOptions, WatchOptions } from "./client-options.ts";
import type { WatchEvent } from "./object-watch.ts";
import type { BuiltInKind, BuiltInObject, BuiltInVersion, KubeList } from "./typed-objects.ts";
import { verbOptionTypes } from "./verb-option-types.ts";
import { lastState } from "./wait-message.ts";

/** Selects the object to wait for. */
export interface ObjectQuery<V extends string = string, K extends string = string> {
  readonly apiVersion: V;
  readonly kind: K;
  readonly name: string;
  /** Default: `default` for namespaced kinds. */
  readonly namespace?: string;
}

/** Selects the list to wait for. */
export interface ListQuery<V extends string = string, K extends string = string> {
  readonly apiVersion: V;
  readonly kind: K;
  readonly name?: undefined;
  /** Default: all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** How long to wait. */
export interface WaitOptions {
  /** Real time, in milliseconds or as text such as "10s". Default: "4s", less than what test runners give a test. */
  readonly timeout?: number | string;
}

/** Waits for an object or a list. A condition is not called while the object does not exist. */
export interface WaitFor {
  <V extends BuiltInVersion, K extends BuiltInKind<V>>(
    query: ObjectQuery<V, K>,
    condition: (object: BuiltInObject<V, K>) => boolean,
    options?: WaitOptions,
  ): Promise<BuiltInObject<V, K>>;
  <V extends BuiltInVersion, K extends BuiltInKind<V>>(
    query: ListQuery<V, K>,
    condition: (objects: readonly BuiltInObject<V, K>[]) => boolean,
    options?: WaitOptions,
  ): Promise<readonly BuiltInObject<V, K>[]>;
  (query: ObjectQuery, condition: "deleted", options?: WaitOptions): Promise<void>;
  <T extends object = KubeObject>(
    query: ObjectQuery,
    condition: (object: T) => boolean,
    options?: WaitOptions,
  ): Promise<T>;
  <T extends object = KubeObject>(
    query: ListQuery,
    condition: (objects: readonly T[]) => boolean,
    options?: WaitOptions,
  ): Promise<readonly T[]>;
}

/** The part of a client that lists and watches. */
interface Observer {
  list(apiVersion: string, kind: string, options: ListOptions): Promise<KubeList>;
  watch(apiVersion: string, kind: string, options: WatchOptions): AsyncIterable<WatchEvent>;
}

type Query = ObjectQuery | ListQuery;
type Objects = readonly KubeObject[];

/** How long to pause before a watch that has ended is opened again. */
const pauseMilliseconds = 10;

/** Implements `WaitFor`, whose signatures say what is passed and returned. */
export async function waitFor(
  observer: Observer,
  query: object,
  condition: unknown,
  options: object,
): Promise<never> {
  checkOptions("waitFor: query", query, verbOptionTypes.waitQuery);
  checkOptions("waitFor", options, verbOptionTypes.waitFor);
  // Both have been checked.
  const selected = query as Query;
  const { timeout = "4s" } = options as WaitOptions;
  const isMet = testOf(selected, condition);
  const objects = await observe(observer, selected, isMet, timeout, String(condition));
  // The result has the type that the signature of the call says.
  return (selected.name === undefined ? objects : objects[0]) as never;
}

/** The condition of a list that has at most one object if the query names it. */
function testOf({ name }: Query, condition: unknown): (objects: Objects) => boolean {
  if (condition === "deleted" && name !== undefined) return (objects) => objects.length === 0;
  if (typeof condition !== "function") {
    const accepted = name === undefined ? "a function" : 'a function or "deleted"';
    throw new TypeError(`waitFor: the condition must be ${accepted}, not ${String(condition)}`);
  }
  if (name === undefined) return (objects) => condition(objects) === true;
  return ([object]) => object !== undefined && condition(object) === true;
}

/** The first list that meets the condition. @throws {Error} the last state when the time is over */
async function observe(
  observer: Observer,
  query: Query,
  isMet: (objects: Objects) => boolean,
  timeout: number | string,
  condition: string,
): Promise<Objects> {
  const limit = new AbortController();
  const milliseconds = typeof timeout === "number" ? timeout : parseDurationMilliseconds(timeout);
  let latest: Objects | undefined;
  const isOver = new Promise<undefined>((resolve) => {
    limit.signal.addEventListener("abort", () => resolve(undefined));
  });
  const timer = realTimeout(milliseconds, () => limit.abort());
  const test = (objects: Objects): boolean => {
    latest = objects;
    return isMet(objects);
  };
  try {
    const found = await Promise.race([search(observer, query, test, limit.signal), isOver]);
    if (found !== undefined) return found;
    throw timeoutError(lastState({ query, condition, timeout: durationText(timeout), objects: latest }));
  } finally {
    timer.cancel();
    limit.abort();
  }
}

function durationText(timeout: number | string): string {
  return typeof timeout === "number" ? `${timeout} ms` : timeout;
}

function timeoutError(message: string): Error {
  const error = new Error(message);
  error.name = "TimeoutError";
  return error;
}

/** The first list that meets the condition; undefined if the signal aborts before. */
async function search(
  observer: Observer,
  query: Query,
  test: (objects: Objects) => boolean,
  signal: AbortSignal,
): Promise<Objects | undefined> {
  while (!signal.aborted) {
    const found = await watchOnce(observer, query, test, signal);
    if (found !== undefined) return found;
    // A watch may end at once, as in a closed cluster: without a pause, the time limit would never be noticed.
    await new Promise<void>((resolve) => realTimeout(pauseMilliseconds, resolve));
  }
  return undefined;
}

/** The first list that meets the condition; undefined when the watch has ended or expired. */
async function watchOnce(
  observer: Observer,
  query: Query,
  test: (objects: Objects) => boolean,
  signal: AbortSignal,
): Promise<Objects | undefined> {
  const { apiVersion, kind } = query;
  const options = selectionOf(query);
  const { items, metadata } = await observer.list(apiVersion, kind, options);
  const objects = new Map(items.map((object) => [keyOf(object), object]));
  if (test(items)) return items;
  const { resourceVersion } = metadata;
  try {
    for await (const event of observer.watch(apiVersion, kind, { ...options, resourceVersion, signal })) {
      if (event.type === "DELETED") objects.delete(keyOf(event.object));
      else objects.set(keyOf(event.object), event.object);
      const current = [...objects.values()];
      if (test(current)) return current;
    }
  } catch (error) {
    // The next list has a newer resourceVersion.
    if (!(error instanceof StatusError && error.code === 410)) throw error;
  }
  return undefined;
}

function selectionOf(query: Query): Pick<ListOptions, "namespace" | "labelSelector" | "fieldSelector"> {
  const { apiVersion: _, kind: __, name, ...selection } = query;
  if (name === undefined) return selection;
  return { namespace: query.namespace ?? "default", fieldSelector: `metadata.name=${name}` };
}

function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ""}/${metadata.name ?? ""}`;
}
