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

/** How requests look to those who name them, such as tests that write names in another way. */
export interface RequestView {
  /** What is said of a request, as it becomes known. */
  readonly shown: <R extends RequestFacts>(request: R) => R;
  /** A scope in the names of what is shown. */
  readonly scope: (scope: RequestScope) => RequestScope;
  /** The name that the server has for one in a scope. */
  readonly real: (name: string) => string;
}

type Criterion = readonly [name: keyof RequestScope, holds: (request: RequestFacts) => boolean];

/** Tests requests against a scope, and says why one does not match. */
export class RequestMatcher {
  readonly #criteria: readonly Criterion[];
  readonly #view: RequestView | undefined;

  constructor(scope: RequestScope, view?: RequestView) {
    this.#criteria = criteriaOf(view?.scope(scope) ?? scope);
    this.#view = view;
  }

  matches(request: RequestFacts): boolean {
    const seen = this.#view?.shown(request) ?? request;
    return this.#criteria.every(([, holds]) => holds(seen));
  }

  /** The members of the scope that a request does not match; empty if it matches. */
  missed(request: RequestFacts): readonly (keyof RequestScope)[] {
    const seen = this.#view?.shown(request) ?? request;
    return this.#criteria.filter(([, holds]) => !holds(seen)).map(([name]) => name);
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
      typeof path === "string" ? (request) => request.path === path : tester(path, (request) => request.path),
    ]);
  }
  if (userAgent !== undefined) {
    criteria.push([
      "userAgent",
      typeof userAgent === "string"
        ? (request) => request.userAgent.includes(userAgent)
        : tester(userAgent, (request) => request.userAgent),
    ]);
  }
  return criteria;
}

/** A pattern with the flag g or y would continue where its last match ended. */
function tester(pattern: RegExp, textOf: (request: RequestFacts) => string): Criterion[1] {
  const stateless = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ""));
  return (request) => stateless.test(textOf(request));
}

/** A scope as messages show it. */
export function formatScope(scope: RequestScope): string {
  const parts = Object.entries(scope).map(
    ([name, value]) => `${name} ${value === "" ? '""' : String(value)}`,
  );
  return parts.length === 0 ? "any request" : `a request with ${parts.join(", ")}`;
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
