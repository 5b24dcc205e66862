import type { LoggedRequest } from "./logged-request.ts";

/** Which requests match. A member that is left out matches everything; a list matches any of its values. */
export interface RequestScope {
  /** The RBAC verb: get, list, watch, create, update, patch, delete, deletecollection; for non-resource paths the method in lower case. */
  readonly verb?: string | readonly string[];
  /** The API group; the empty string is the core group. */
  readonly group?: string;
  /** The plural name in the path, such as `pods`. */
  readonly resource?: string | readonly string[];
  /** The empty string matches requests for the object itself. */
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** The path, or a pattern for it; for non-resource requests. */
  readonly path?: string | RegExp;
  /** The name of the user. */
  readonly user?: string;
  /** Part of the User-Agent header, or a pattern for it. */
  readonly userAgent?: string | RegExp;
}

/** The members of a request that a scope can name. */
export type RequestFacts = Pick<LoggedRequest, keyof RequestScope>;

type Criterion = readonly [name: keyof RequestScope, holds: (request: RequestFacts) => boolean];

/** Tests requests against a scope, and says why one does not match. */
export class RequestMatcher {
  readonly #criteria: readonly Criterion[];

  constructor(scope: RequestScope) {
    this.#criteria = criteriaOf(scope);
  }

  matches(request: RequestFacts): boolean {
    return this.#criteria.every(([, holds]) => holds(request));
  }

  /** The members of the scope that a request does not match; empty if it matches. */
  missed(request: RequestFacts): readonly (keyof RequestScope)[] {
    return this.#criteria.filter(([, holds]) => !holds(request)).map(([name]) => name);
  }
}

const equal = ["verb", "group", "resource", "subresource", "namespace", "name", "user"] as const;

function criteriaOf(scope: RequestScope): readonly Criterion[] {
  const criteria: Criterion[] = [];
  for (const name of equal) {
    const wanted = scope[name];
    if (wanted === undefined) continue;
    const all = typeof wanted === "string" ? [wanted] : wanted;
    criteria.push([name, (request) => all.includes(request[name])]);
  }
  const { path, userAgent } = scope;
  if (path !== undefined) {
    criteria.push([
      "path",
      (request) => (typeof path === "string" ? request.path === path : path.test(request.path)),
    ]);
  }
  if (userAgent !== undefined) {
    criteria.push(["userAgent", (request) => contains(request.userAgent, userAgent)]);
  }
  return criteria;
}

function contains(text: string, part: string | RegExp): boolean {
  return typeof part === "string" ? text.includes(part) : part.test(text);
}

/** A scope as messages show it. */
export function formatScope(scope: RequestScope): string {
  const parts = Object.entries(scope).map(([name, value]) => `${name} ${String(value)}`);
  return parts.length === 0 ? "any request" : `a request with ${parts.join(", ")}`;
}

/** The scope as a test would write it to match this request: mismatching members take the request's values. */
export function formatScopeFor(scope: RequestScope, request: RequestFacts): string {
  const missed = new RequestMatcher(scope).missed(request);
  const parts = Object.entries(scope).map(([name, value]) => {
    const isMissed = missed.some((one) => one === name);
    const meant: unknown = isMissed ? request[name as keyof RequestFacts] : value;
    return `${name}: ${meant instanceof RegExp ? String(meant) : JSON.stringify(meant)}`;
  });
  return `{ ${parts.join(", ")} }`;
}

/** The latest of the requests with the fewest mismatches. */
export function nearestTo<R extends RequestFacts>(
  wanted: { missed(request: RequestFacts): readonly string[] },
  requests: readonly R[],
): R | undefined {
  let nearest: R | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const request of requests) {
    const { length } = wanted.missed(request);
    if (length > least) continue;
    nearest = request;
    least = length;
  }
  return nearest;
}
