import type { Cluster, JsonObject, JsonValue, LoggedRequest, RequestScope, StatusError } from "../index.ts";

/** What Vitest and Jest take from a matcher. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** Which object a cluster has: what it is called, and, if it is to be like something, what is in it. */
export interface ExpectedObject extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string } & JsonObject;
}

/**
 * Whether the cluster has an object that is like this one: every field that is given has this value, lists as a whole.
 * @throws {StatusError} what the cluster says of it, unless that it is not there
 */
export async function toHaveObject(cluster: Cluster, expected: ExpectedObject): Promise<MatcherResult> {
  const { apiVersion, kind, metadata } = expected;
  const what = `${kind} ${metadata.namespace ?? "default"}/${metadata.name}`;
  const found = await objectOf(cluster, expected);
  if (found === undefined)
    return { pass: false, message: () => `The cluster has no ${what} (${apiVersion})` };
  const differences = differencesOf(found, expected, "");
  return {
    pass: differences.length === 0,
    message: () =>
      differences.length === 0
        ? `The cluster has ${what}, and it should not be like that`
        : `${what} is not like that:\n${differences.join("\n")}`,
  };
}

async function objectOf(cluster: Cluster, expected: ExpectedObject): Promise<JsonObject | undefined> {
  const { apiVersion, kind, metadata } = expected;
  const { namespace } = metadata;
  try {
    return await cluster.get(apiVersion, kind, metadata.name, {
      ...(namespace !== undefined && { namespace }),
    });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** By what it says: where a test runner gives modules to each test file, the cluster's StatusError may be another class. */
function isNotFound(error: unknown): boolean {
  return (
    typeof error === "object" &&
    error !== null &&
    "status" in error &&
    (error as StatusError).status.reason === "NotFound"
  );
}

function differencesOf(found: JsonValue | undefined, expected: JsonValue, path: string): readonly string[] {
  if (isObject(expected) && isObject(found) && !isAsymmetric(expected)) {
    return Object.entries(expected).flatMap(([name, value]) =>
      differencesOf(
        Object.hasOwn(found, name) ? found[name] : undefined,
        value,
        path === "" ? name : `${path}.${name}`,
      ),
    );
  }
  const is = JSON.stringify(found);
  if (isAsymmetric(expected)) {
    return expected.asymmetricMatch(found) ? [] : [`  ${path} is ${is}, and should be ${nameOf(expected)}`];
  }
  const shouldBe = JSON.stringify(expected);
  return is === shouldBe ? [] : [`  ${path} is ${is}, and should be ${shouldBe}`];
}

/** What `expect.any(String)` and its like are. */
interface AsymmetricMatcher {
  asymmetricMatch(found: unknown): boolean;
  /** What it is called in messages: `Any<String>`. */
  toAsymmetricMatcher?(): string;
  /** What a matcher of text looks for. */
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

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** How many of the newest requests a message shows. */
const shown = 10;

/** Whether a client has asked for something; so often, if a number is given. */
export function toHaveRequested(cluster: Cluster, scope: RequestScope, times?: number): MatcherResult {
  const { length } = cluster.requests.matching(scope);
  const pass = times === undefined ? length > 0 : length === times;
  return {
    pass,
    message: () => {
      const wanted = times === undefined ? "" : ` ${times} times`;
      const should = `${JSON.stringify(scope, patternAsText)} should ${pass ? "not " : ""}have been asked for`;
      return `${should}${wanted}; it was ${length} times.\n${length === 0 ? nearMiss(cluster, scope) : ""}${seen(cluster)}`;
    },
  };
}

function patternAsText(_name: string, value: unknown): unknown {
  return value instanceof RegExp ? String(value) : value;
}

function nearMiss({ requests }: Cluster, scope: RequestScope): string {
  const nearest = requests.nearest(scope);
  return nearest === undefined
    ? ""
    : `The nearest differs in ${nearest.missed.join(", ")}:\n${lineOf(nearest.request)}\n`;
}

function seen({ requests }: Cluster): string {
  const newest = requests.all.slice(-shown);
  return newest.length === 0
    ? "No client has asked for anything."
    : `The newest requests:\n${newest.map(lineOf).join("\n")}`;
}

function lineOf({ method, target, status, user }: LoggedRequest): string {
  return `  ${method} ${target} ${status ?? "..."} ${user}`;
}
