import type { LoggedRequest } from "./logged-request.ts";

/** Which requests are meant. What is left out does not matter; of a list any will do. */
export interface RequestScope {
  /** The verb of RBAC: get, list, watch, create, update, patch, delete, deletecollection; for other paths the method in lower case. */
  readonly verb?: string | readonly string[];
  /** The group of the resource; the empty string is the core's. */
  readonly group?: string;
  /** The plural in the path, such as `pods`. */
  readonly resource?: string | readonly string[];
  /** The empty string means the object itself. */
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** The path, or a pattern that it matches; for what is not about resources. */
  readonly path?: string | RegExp;
  /** The name of the user. */
  readonly user?: string;
  /** What the User-Agent contains, or a pattern that it matches. */
  readonly userAgent?: string | RegExp;
}

/** What of a request a scope can name. */
export type RequestFacts = Pick<LoggedRequest, keyof RequestScope>;

type Criterion = readonly [name: keyof RequestScope, holds: (request: RequestFacts) => boolean];

/** A scope as tests of requests: whether one is meant, and if not, why. */
export class RequestMatcher {
  readonly #criteria: readonly Criterion[];

  constructor(scope: RequestScope) {
    this.#criteria = criteriaOf(scope);
  }

  matches(request: RequestFacts): boolean {
    return this.#criteria.every(([, holds]) => holds(request));
  }

  /** What of the scope a request is not; nothing if it is meant. */
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

/** A scope as it stands in messages. */
export function formatScope(scope: RequestScope): string {
  const parts = Object.entries(scope).map(([name, value]) => `${name} ${String(value)}`);
  return parts.length === 0 ? "any request" : `a request with ${parts.join(", ")}`;
}

/** A scope that would have meant a request, as it is written in a test: what the request lacks is as the request is. */
export function formatScopeFor(scope: RequestScope, request: RequestFacts): string {
  const missed = new RequestMatcher(scope).missed(request);
  const parts = Object.entries(scope).map(([name, value]) => {
    const isMissed = missed.some((one) => one === name);
    const meant: unknown = isMissed ? request[name as keyof RequestFacts] : value;
    return `${name}: ${meant instanceof RegExp ? String(meant) : JSON.stringify(meant)}`;
  });
  return `{ ${parts.join(", ")} }`;
}

/** The latest of the requests that lack least of what is wanted. */
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
