import type { ClusterOptions } from "../../../src/index.ts";

/** A request whose cost should grow no faster than its size. */
export interface SizedRequest {
  readonly method: string;
  readonly target: string;
  /** A name may occur more than once. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Uint8Array;
}

/** A kind of request that can be made arbitrarily large. */
export interface CostlyRequest {
  /** What is long in the request. */
  readonly name: string;
  /** What the cluster needs that the others do not have. */
  readonly options?: (size: number) => ClusterOptions;
  /** The requests that come before it, such as the creation of the object that it patches. */
  readonly before?: (size: number) => readonly SizedRequest[];
  /** The request with `size` repetitions. */
  readonly request: (size: number) => SizedRequest;
}

/** An object of the API. */
export type Manifest = Readonly<Record<string, unknown>>;

const json = [["Content-Type", "application/json"]] as const;

/** `size` elements. */
export function times<T>(size: number, element: (i: number) => T): T[] {
  return Array.from({ length: size }, (_, i) => element(i));
}

/** An object with `size` members. */
export function members<T>(size: number, member: (i: number) => readonly [name: string, value: T]): object {
  return Object.fromEntries(times(size, member));
}

export function get(target: string, headers: SizedRequest["headers"] = []): SizedRequest {
  return { method: "GET", target, headers };
}

export function post(target: string, object: unknown): SizedRequest {
  return { method: "POST", target, headers: json, body: JSON.stringify(object) };
}

export function put(target: string, object: unknown): SizedRequest {
  return { method: "PUT", target, headers: json, body: JSON.stringify(object) };
}

/** A body of any type. */
export function send(
  method: string,
  target: string,
  contentType: string,
  body: string | Uint8Array,
): SizedRequest {
  return { method, target, headers: [["Content-Type", contentType]], body };
}

/** The short names of patch types. */
const patchTypes = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
} as const;

export function patch(type: keyof typeof patchTypes, target: string, change: unknown): SizedRequest {
  return send("PATCH", target, patchTypes[type], JSON.stringify(change));
}

/** A list of kinds of requests from a list of names and requests. */
export function costly(
  entries: Readonly<Record<string, (size: number) => SizedRequest>>,
): readonly CostlyRequest[] {
  return Object.entries(entries).map(([name, request]) => ({ name, request }));
}

/** Requests that create one object each, from what depends on the size. */
export function creates(
  target: string,
  base: Manifest,
  entries: Readonly<Record<string, (size: number) => Manifest>>,
): readonly CostlyRequest[] {
  return costly(
    Object.fromEntries(
      Object.entries(entries).map(([name, parts]) => [
        name,
        (size: number) => post(target, { metadata: { name: "costly" }, ...base, ...parts(size) }),
      ]),
    ),
  );
}
