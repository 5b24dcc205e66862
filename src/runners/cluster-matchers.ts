import { type Cluster, type JsonObject, type JsonValue, type RequestScope, StatusError } from "../index.ts";

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
    if (error instanceof StatusError && error.status.reason === "NotFound") return undefined;
    throw error;
  }
}

function differencesOf(found: JsonValue | undefined, expected: JsonValue, path: string): readonly string[] {
  if (isObject(expected) && isObject(found)) {
    return Object.entries(expected).flatMap(([name, value]) =>
      differencesOf(
        Object.hasOwn(found, name) ? found[name] : undefined,
        value,
        path === "" ? name : `${path}.${name}`,
      ),
    );
  }
  const [is, shouldBe] = [JSON.stringify(found), JSON.stringify(expected)];
  return is === shouldBe ? [] : [`  ${path} is ${is}, and should be ${shouldBe}`];
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** How many of the newest requests a message shows. */
const shown = 10;

/** Whether a client has asked for something. */
export function toHaveRequested(cluster: Cluster, scope: RequestScope, times?: number): MatcherResult {
  const { length } = cluster.requests.matching(scope);
  const pass = times === undefined ? length > 0 : length === times;
  return {
    pass,
    message: () => {
      const wanted = times === undefined ? "" : ` ${times} times`;
      const newest = cluster.requests.all.slice(-shown);
      const lines = newest.map(
        ({ method, target, status, user }) => `  ${method} ${target} ${status ?? "..."} ${user}`,
      );
      const seen =
        lines.length === 0
          ? "No client has asked for anything."
          : `The newest requests:\n${lines.join("\n")}`;
      return `${JSON.stringify(scope)} should ${pass ? "not " : ""}have been asked for${wanted}; it was ${length} times.\n${seen}`;
    },
  };
}
