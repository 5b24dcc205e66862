import type { RoutedRequest } from "../../request/routed-request.ts";

/** Labels in the order of their names, as they stand between braces, and the value under them. */
export type Samples = ReadonlyMap<string, number>;

/** Requests that differ in nothing that is counted. */
interface RequestSeries {
  readonly route: RoutedRequest;
  readonly code: number;
  count: number;
}

/** What a server counts. A watch counts when it is answered, not as upstream when it ends. */
export class ServerMetrics {
  /** By the endpoint, each of which sees few kinds of requests: their labels are written for who asks for them. */
  readonly #requests = new Map<RoutedRequest["endpoint"], RequestSeries[]>();
  readonly #healthChecks = new Map<string, number>();

  /** Requests that have reached a resource, by what became of them. */
  get requests(): Samples {
    return new Map(this.#series().map(({ route, code, count }) => [requestLabels(route, code), count]));
  }

  /** The deprecated versions that somebody asked for. */
  get deprecated(): Samples {
    return new Map(
      this.#series().flatMap(({ route }) => deprecatedLabels(route).map((labels) => [labels, 1])),
    );
  }

  /** How often each check was made; all of them went well. */
  get healthChecks(): Samples {
    return this.#healthChecks;
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
    this.#healthChecks.set(labels, (this.#healthChecks.get(labels) ?? 0) + 1);
  }

  reset(): void {
    for (const counts of [this.#requests, this.#healthChecks]) counts.clear();
  }

  #series(): readonly RequestSeries[] {
    return [...this.#requests.values()].flat();
  }
}

/** Whether two requests to one endpoint count as one. */
function isSame(a: RoutedRequest, b: RoutedRequest): boolean {
  return a.verb === b.verb && a.scope === b.scope && a.dryRun === b.dryRun;
}

function requestLabels(route: RoutedRequest, code: number): string {
  const { verb, dryRun, group, version, resource, subresource, scope } = route;
  return `code="${code}",component="apiserver",dry_run="${dryRun}",group="${group}",resource="${resource}",scope="${scope}",subresource="${subresource}",verb="${verb}",version="${version}"`;
}

/** The labels of a deprecated version, and none for others. */
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
