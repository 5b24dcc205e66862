import type {
  Cluster,
  JsonObject,
  JsonValue,
  LoggedRequest,
  RequestScope,
  RoleManifests,
  RoleUser,
  StatusError,
  WaitOptions,
} from "../index.ts";
import { receivedCluster } from "./received-cluster.ts";

/** The result of a matcher in Vitest and Jest. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** The part of a matcher's `this` that says whether it is negated, with `not`. */
export interface Expectation {
  readonly isNot?: boolean;
}

/** The object that a cluster should have: apiVersion, kind and metadata.name select it, and all fields are compared. */
export type ExpectedObject = object;

/** What selects the expected object. */
interface ObjectKey {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string | undefined;
}

/**
 * Passes if the cluster has the object and every given field has this value; lists are compared as a whole.
 * @throws {StatusError} if the cluster refuses to return the object, except for a missing object
 */
export async function toHaveObject(received: Cluster, expected: ExpectedObject): Promise<MatcherResult> {
  const cluster = receivedCluster(received, "toHaveObject");
  const key = keyOf(expected);
  return compare(key, expected, await objectOf(cluster, key));
}

/**
 * Waits until the cluster has the object and every given field has this value; if it is negated, until it has not. The
 * time limit is real time.
 * @throws {StatusError} if the cluster refuses to return the object
 */
export async function toEventuallyHaveObject(
  received: Cluster,
  expected: ExpectedObject,
  options: WaitOptions,
  expectation: Expectation,
): Promise<MatcherResult> {
  const cluster = receivedCluster(received, "toEventuallyHaveObject");
  const wanted = expectation.isNot !== true;
  const key = keyOf(expected);
  const { apiVersion, kind, name, namespace = "default" } = key;
  const query = { apiVersion, kind, namespace, fieldSelector: `metadata.name=${name}` };
  let latest = compare(key, expected, undefined);
  const isReached = ([found]: readonly JsonObject[]): boolean => {
    latest = compare(key, expected, found);
    return latest.pass === wanted;
  };
  try {
    await cluster.waitFor(query, isReached, options);
  } catch (error) {
    if (!(error instanceof Error && error.name === "TimeoutError")) throw error;
    const { pass, message } = latest;
    const { timeout = "4s" } = options;
    const duration = typeof timeout === "number" ? `${timeout} ms` : timeout;
    return { pass, message: () => `${message()}\nThis was the last state after ${duration}` };
  }
  return latest;
}

/** The result for an object of the cluster. */
function compare(key: ObjectKey, expected: ExpectedObject, found: JsonObject | undefined): MatcherResult {
  const what = nameOfObject(key);
  if (found === undefined) {
    return { pass: false, message: () => `The cluster has no ${what} (${key.apiVersion})` };
  }
  const differences = differencesOf(found, expected, "");
  return {
    pass: differences.length === 0,
    message: () =>
      differences.length === 0
        ? `Expected the cluster not to have ${what} with these fields`
        : `${what} differs from the expected object:\n${differences.join("\n")}`,
  };
}

function nameOfObject({ kind, namespace, name }: ObjectKey): string {
  return `${kind} ${namespace ?? "default"}/${name}`;
}

/** @throws {Error} if the expected object does not say which object it is */
function keyOf(expected: ExpectedObject): ObjectKey {
  // Any object may have these members.
  const {
    apiVersion,
    kind,
    metadata = {},
  } = expected as { readonly [key in keyof ObjectKey | "metadata"]?: unknown };
  const { name, namespace } = metadata as { readonly [key in keyof ObjectKey]?: unknown };
  if (typeof apiVersion !== "string" || typeof kind !== "string" || typeof name !== "string") {
    throw new Error(
      `an expected object needs apiVersion, kind and metadata.name: ${JSON.stringify(expected)}`,
    );
  }
  return { apiVersion, kind, name, namespace: typeof namespace === "string" ? namespace : undefined };
}

async function objectOf(cluster: Cluster, key: ObjectKey): Promise<JsonObject | undefined> {
  const { apiVersion, kind, name, namespace } = key;
  try {
    return await cluster.get(apiVersion, kind, name, { ...(namespace !== undefined && { namespace }) });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Checks the Status, not the class: if a test runner loads modules for each test file, the cluster may have another StatusError. */
function isNotFound(error: unknown): boolean {
  return (
    typeof error === "object" &&
    error !== null &&
    "status" in error &&
    (error as StatusError).status.reason === "NotFound"
  );
}

function differencesOf(found: JsonValue | undefined, expected: unknown, path: string): readonly string[] {
  const is = JSON.stringify(found);
  if (isAsymmetric(expected)) {
    return expected.asymmetricMatch(found) ? [] : [`  ${path} is ${is}, expected ${nameOf(expected)}`];
  }
  if (expected instanceof Date) {
    return isTime(found, expected) ? [] : [`  ${path} is ${is}, expected ${JSON.stringify(expected)}`];
  }
  if (isObject(expected) && isJsonObject(found)) {
    return Object.entries(expected).flatMap(([name, value]) =>
      differencesOf(
        Object.hasOwn(found, name) ? found[name] : undefined,
        value,
        path === "" ? name : `${path}.${name}`,
      ),
    );
  }
  const shouldBe = JSON.stringify(expected);
  return is === shouldBe ? [] : [`  ${path} is ${is}, expected ${shouldBe}`];
}

/** Whether a time of the API is that of a date; most times of the API have whole seconds. */
function isTime(found: JsonValue | undefined, date: Date): boolean {
  if (typeof found !== "string") return false;
  const time = Date.parse(found);
  return time === date.getTime() || time === Math.floor(date.getTime() / 1000) * 1000;
}

/** An asymmetric matcher, such as `expect.any(String)`. */
interface AsymmetricMatcher {
  asymmetricMatch(found: unknown): boolean;
  /** Its name in messages: `Any<String>`. */
  toAsymmetricMatcher?(): string;
  /** The text that a string matcher looks for. */
  readonly sample?: unknown;
}

function nameOf(matcher: AsymmetricMatcher): string {
  const { sample } = matcher;
  const sought = typeof sample === "string" ? JSON.stringify(sample) : String(sample ?? "");
  return matcher.toAsymmetricMatcher?.() ?? `${String(matcher)} ${sought}`.trim();
}

function isAsymmetric(expected: unknown): expected is AsymmetricMatcher {
  return (
    typeof expected === "object" &&
    expected !== null &&
    "asymmetricMatch" in expected &&
    typeof expected.asymmetricMatch === "function"
  );
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return isObject(value);
}

/** The number of newest requests that a message shows. */
const shown = 10;

/** Passes if a client has sent a matching request; with `times`, exactly that many. */
export function toHaveRequested(received: Cluster, scope: RequestScope, times?: number): MatcherResult {
  const cluster = receivedCluster(received, "toHaveRequested");
  const { length } = cluster.requests.matching(scope);
  const pass = times === undefined ? length > 0 : length === times;
  return {
    pass,
    message: () => {
      const expected = `Expected ${countOf(pass, times)} requests matching ${JSON.stringify(scope, patternAsText)}`;
      return `${expected}, found ${length}.\n${length === 0 ? nearMiss(cluster, scope) : ""}${seen(cluster)}`;
    },
  };
}

/**
 * Passes if the roles allow exactly what clients needed: manifests of Roles, ClusterRoles and their bindings. Without a user,
 * clients must have been one user only.
 * @throws {Error} for manifests without a role, and if the user has made no request
 */
export async function toBeLeastPrivilege(
  received: Cluster,
  roles: RoleManifests,
  options: RoleUser,
): Promise<MatcherResult> {
  const cluster = receivedCluster(received, "toBeLeastPrivilege");
  const { user, missing, unused, lost } = await cluster.requests.compareRoles(roles, options);
  const forgotten =
    lost === 0 ? [] : [`${lost} requests are not in the log, so what they needed is not known`];
  const differences = [...forgotten, ...missing, ...unused];
  return {
    pass: differences.length === 0,
    message: () =>
      differences.length === 0
        ? `Expected the roles to differ from what user ${JSON.stringify(user)} needed`
        : `The roles are not the smallest for user ${JSON.stringify(user)}:\n  ${differences.join("\n  ")}`,
  };
}

/** How many requests a failed assertion expected: `pass` if it was negated. */
function countOf(pass: boolean, times: number | undefined): string {
  if (times !== undefined) return `${pass ? "not " : ""}exactly ${times}`;
  return pass ? "no" : "at least 1";
}

function patternAsText(_name: string, value: unknown): unknown {
  return value instanceof RegExp ? String(value) : value;
}

function nearMiss({ requests }: Cluster, scope: RequestScope): string {
  const nearest = requests.nearest(scope);
  return nearest === undefined
    ? ""
    : `The nearest request differs in ${nearest.missed.join(", ")}:\n${lineOf(nearest.request)}\n`;
}

function seen({ requests }: Cluster): string {
  const newest = requests.all.slice(-shown);
  return newest.length === 0
    ? "There were no requests of clients."
    : `The newest requests:\n${newest.map(lineOf).join("\n")}`;
}

function lineOf({ method, target, status, user }: LoggedRequest): string {
  return `  ${method} ${target} ${status ?? "..."} ${user}`;
}
