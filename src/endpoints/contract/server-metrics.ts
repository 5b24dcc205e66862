import type { RoutedRequest } from "../../request/routed-request.ts";
import type { Samples } from "./metric-family.ts";

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
    this.#requests.clear();
    this.#healthChecks.clear();
  }

  #series(): readonly RequestSeries[] {
    return [...this.#requests.values()].flat();
  }
}

function increment<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
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
