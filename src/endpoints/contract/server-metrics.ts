import type { TokenCounter } from "../../authentication/contract/authentication-environment.ts";
import type { RoutedRequest } from "../../request/routed-request.ts";

/** Values by their labels, which are sorted by name and formatted as between braces. */
export type Samples = ReadonlyMap<string, number>;

/** Requests with equal labels. */
interface RequestSeries {
  readonly route: RoutedRequest;
  readonly code: number;
  count: number;
}

/** The metrics of a server. A watch is counted when its response starts; upstream counts it when it ends. */
export class ServerMetrics {
  /** By endpoint, since each receives few kinds of requests. Labels are formatted when the metrics are read. */
  readonly #requests = new Map<RoutedRequest["endpoint"], RequestSeries[]>();
  readonly #healthChecks = new Map<string, number>();
  readonly #tokens = new Map<TokenCounter, number>();
  readonly #users = new Map<string, number>();
  readonly #attempts = new Map<AttemptResult, number>();

  /** Counts of requests to resources, by verb and status. */
  get requests(): Samples {
    return new Map(this.#series().map(({ route, code, count }) => [requestLabels(route, code), count]));
  }

  /** Deprecated versions that were requested. */
  get deprecated(): Samples {
    return new Map(
      this.#series().flatMap(({ route }) => deprecatedLabels(route).map((labels) => [labels, 1])),
    );
  }

  /** Counts of health checks, all of which succeeded. */
  get healthChecks(): Samples {
    return this.#healthChecks;
  }

  /** Requests of authenticated users, by the kind of their name. */
  get users(): Samples {
    return labeled("username", this.#users);
  }

  /** Authentications by their result. */
  get attempts(): Samples {
    return labeled("result", this.#attempts);
  }

  /** How many tokens of service accounts a counter has counted. */
  tokens(counter: TokenCounter): Samples {
    return new Map([["", this.#tokens.get(counter) ?? 0]]);
  }

  countToken(counter: TokenCounter): void {
    increment(this.#tokens, counter);
  }

  /** Counts a request of an authenticated or anonymous user. */
  countUser(username: string): void {
    increment(this.#attempts, "success");
    increment(this.#users, usernameLabel(username));
  }

  /** Counts a request that is refused: `error` if its credentials are wrong, `failure` if it has none. */
  countUnauthorized(result: "error" | "failure"): void {
    increment(this.#attempts, result);
  }

  countRequest(route: RoutedRequest, code: number): void {
    const known = this.#requests.get(route.endpoint);
    const series = known?.find((other) => other.code === code && isSame(other.route, route));
    if (series !== undefined) series.count += 1;
    else this.#requests.set(route.endpoint, [...(known ?? []), { route, code, count: 1 }]);
  }

  /** `endpoint` is `healthz`, `livez` or `readyz`. */
  countHealthCheck(name: string, endpoint: string): void {
    const labels = `name="${name}",status="success",type="${endpoint}"`;
    increment(this.#healthChecks, labels);
  }

  reset(): void {
    const counts = [this.#requests, this.#healthChecks, this.#tokens, this.#users, this.#attempts];
    for (const each of counts) each.clear();
  }

  #series(): readonly RequestSeries[] {
    return [...this.#requests.values()].flat();
  }
}

type AttemptResult = "success" | "error" | "failure";

function increment<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function labeled(label: string, counts: ReadonlyMap<string, number>): Samples {
  return new Map([...counts].map(([value, count]) => [`${label}="${value}"`, count]));
}

const knownUsernames: ReadonlySet<string> = new Set([
  "admin",
  "client",
  "kube_proxy",
  "kubelet",
  "system:serviceaccount:kube-system:default",
]);

/** The kind of a username, so that there are few. Upstream: apiserver, pkg/endpoints/filters/metrics.go. */
function usernameLabel(username: string): string {
  if (knownUsernames.has(username)) return username;
  return username.includes("@") ? "email_id" : "other";
}

/** Whether two requests to the same endpoint have equal labels. */
function isSame(a: RoutedRequest, b: RoutedRequest): boolean {
  return a.verb === b.verb && a.scope === b.scope && a.dryRun === b.dryRun;
}

function requestLabels(route: RoutedRequest, code: number): string {
  const { verb, dryRun, group, version, resource, subresource, scope } = route;
  return `code="${code}",component="apiserver",dry_run="${dryRun}",group="${group}",resource="${resource}",scope="${scope}",subresource="${subresource}",verb="${verb}",version="${version}"`;
}

/** The labels of a deprecated version; empty for other versions. */
function deprecatedLabels({
  removedRelease,
  group,
  version,
  resource,
  subresource,
}: RoutedRequest): readonly string[] {
  if (removedRelease === undefined) return [];
  return [
    `group="${group}",removed_release="${removedRelease}",resource="${resource}",subresource="${subresource}",version="${version}"`,
  ];
}
