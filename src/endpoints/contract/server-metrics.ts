import { Distribution, Histogram, type HistogramReading } from "../../apimachinery/histogram.ts";
import type { Since } from "../../apimachinery/release.ts";
import type { RoutedRequest } from "../../request/routed-request.ts";
import type { Samples } from "./metric-family.ts";
import { StorageEvents } from "./storage-events.ts";

/** Requests with equal labels, whatever their status. */
interface RouteSeries {
  readonly route: RoutedRequest;
  readonly codes: { readonly code: number; readonly contentType: string; count: number }[];
  readonly durations: Distribution;
  readonly sizes: Distribution;
  openWatches: number;
}

/** What is known of an answered request. */
export interface AnsweredRequest {
  readonly code: number;
  /** By the clock of the cluster. */
  readonly seconds: number;
  /** The bytes of the response; undefined while they are not all known. */
  readonly bytes: number | undefined;
  /** Of the response. Default: none. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
}

/** The labels of a watch with initial events. */
export type WatchListTarget = Pick<RoutedRequest, "group" | "version" | "resource" | "scope">;

/**
 * The metrics of requests to resources. A watch is counted when its response starts, and its duration when it ends; upstream
 * does both at its end.
 */
export class ServerMetrics {
  /** By endpoint, since each receives few kinds of requests. Labels are formatted when the metrics are read. */
  readonly #requests = new Map<RoutedRequest["endpoint"], RouteSeries[]>();
  readonly #healthChecks = new Map<string, number>();
  readonly storageEvents: StorageEvents = new StorageEvents();
  readonly #watchLists = new Histogram(watchListBounds);
  readonly #durationBounds: readonly number[];
  readonly #since: Since;

  constructor(since: Since) {
    this.#durationBounds = durationBounds(since);
    this.#since = since;
  }

  /** Counts of requests, by verb and status. */
  get requests(): Samples {
    const samples = new Map<string, number>();
    for (const { route, codes } of this.#series())
      for (const { code, contentType, count } of codes)
        samples.set(this.#requestLabels(route, code, contentType), count);
    return samples;
  }

  get durations(): HistogramReading {
    const series = this.#series().filter(({ durations }) => durations.count > 0);
    return {
      bounds: this.#durationBounds,
      series: new Map(series.map(({ route, durations }) => [durationLabels(route), durations])),
    };
  }

  /** The sizes of the responses to reads. */
  get responseSizes(): HistogramReading {
    const series = this.#series().filter(({ sizes }) => sizes.count > 0);
    return {
      bounds: sizeBounds,
      // Dry runs write, so no two series of reads differ in that alone.
      series: new Map(series.map(({ route, sizes }) => [routeLabels(route), sizes])),
    };
  }

  /** How long watches took to send their initial events. */
  get watchLists(): HistogramReading {
    return this.#watchLists;
  }

  /** Numbers of open watches. */
  get longRunning(): Samples {
    const watches = this.#series().filter(({ route }) => route.verb === "WATCH");
    return new Map(watches.map(({ route, openWatches }) => [routeLabels(route), openWatches]));
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

  countRequest(route: RoutedRequest, { code, seconds, bytes, headers = [] }: AnsweredRequest): void {
    const series = this.#seriesOf(route);
    const contentType = this.#since("1.21") ? "" : reportedContentType(headers);
    const known = series.codes.find((other) => other.code === code && other.contentType === contentType);
    if (known !== undefined) known.count += 1;
    else series.codes.push({ code, contentType, count: 1 });
    if (route.verb !== "WATCH" || code >= 400) series.durations.observe(seconds);
    if (bytes !== undefined && (route.verb === "GET" || route.verb === "LIST")) series.sizes.observe(bytes);
  }

  /** Counts a watch as open until the returned function is called, with the seconds that it was open. */
  openWatch(route: RoutedRequest): (seconds: number) => void {
    const series = this.#seriesOf(route);
    series.openWatches += 1;
    return (seconds) => {
      series.openWatches -= 1;
      series.durations.observe(seconds);
    };
  }

  /** Counts a watch that has sent its initial events and their end, the seconds after its request came. */
  countWatchList({ group, version, resource, scope }: WatchListTarget, seconds: number): void {
    const labels = `group="${group}",resource="${resource}",scope="${scope}",version="${version}"`;
    this.#watchLists.observe(labels, seconds);
  }

  /** `endpoint` is `healthz`, `livez` or `readyz`. */
  countHealthCheck(name: string, endpoint: string): void {
    const labels = `name="${name}",status="success",type="${endpoint}"`;
    increment(this.#healthChecks, labels);
  }

  reset(): void {
    this.#requests.clear();
    this.#healthChecks.clear();
    this.#watchLists.reset();
  }

  #seriesOf(route: RoutedRequest): RouteSeries {
    const known = this.#requests.get(route.endpoint);
    const same = known?.find((other) => isSame(other.route, route));
    if (same !== undefined) return same;
    const [durations, sizes] = [new Distribution(this.#durationBounds), new Distribution(sizeBounds)];
    const series: RouteSeries = { route, codes: [], durations, sizes, openWatches: 0 };
    this.#requests.set(route.endpoint, [...(known ?? []), series]);
    return series;
  }

  /** Releases before 1.21 also have the type of the response, and those before 1.18 an empty client. */
  #requestLabels(route: RoutedRequest, code: number, contentType: string): string {
    const labels = `code="${code}",${durationLabels(route)}`;
    if (this.#since("1.21")) return labels;
    const typed = labels.replace(",dry_run=", () => `,contentType="${contentType}",dry_run=`);
    return this.#since("1.18") ? typed : `client="",${typed}`;
  }

  #series(): readonly RouteSeries[] {
    return [...this.#requests.values()].flat();
  }
}

/** The bytes of a response; undefined for a stream. */
export function bytesOf(body: Uint8Array | readonly Uint8Array[] | object | undefined): number | undefined {
  if (body === undefined) return 0;
  if (body instanceof Uint8Array) return body.length;
  if (!Array.isArray(body)) return undefined;
  let bytes = 0;
  for (const piece of body) bytes += piece.length;
  return bytes;
}

/** Upstream: apiserver, pkg/endpoints/metrics/metrics.go. */
function durationBounds(since: Since): readonly number[] {
  const common = [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];
  if (since("1.25")) return [0.005, 0.025, ...common];
  if (since("1.23")) return common;
  const tenths = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1];
  const seconds = [1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60];
  return [...tenths, ...seconds];
}

const watchListBounds: readonly number[] = [
  0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 2, 4, 6, 8, 10, 15, 20, 30, 45, 60,
];

/** From a kilobyte to a gigabyte. */
const sizeBounds: readonly number[] = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];

function increment<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Whether two requests to the same endpoint have equal labels. */
function isSame(a: RoutedRequest, b: RoutedRequest): boolean {
  return a.verb === b.verb && a.scope === b.scope && a.dryRun === b.dryRun;
}

/** The content types that the metrics of old releases tell apart (apiserver, pkg/endpoints/metrics/metrics.go). */
const reportedContentTypes: ReadonlySet<string> = new Set([
  "application/apply-patch+yaml",
  "application/json",
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/vnd.kubernetes.protobuf",
  "application/vnd.kubernetes.protobuf;stream=watch",
  "application/yaml",
  "text/plain",
  "text/plain;charset=utf-8",
]);

function reportedContentType(headers: Required<AnsweredRequest>["headers"]): string {
  const [, value = ""] = headers.find(([name]) => name.toLowerCase() === "content-type") ?? [];
  const normalized = / (stream=watch|charset=utf-8)$/.test(value)
    ? value.replaceAll(" ", "")
    : value.toLowerCase();
  return reportedContentTypes.has(normalized) ? normalized : "other";
}

function durationLabels({
  verb,
  dryRun,
  group,
  version,
  resource,
  subresource,
  scope,
}: RoutedRequest): string {
  return `component="apiserver",dry_run="${dryRun}",group="${group}",resource="${resource}",scope="${scope}",subresource="${subresource}",verb="${verb}",version="${version}"`;
}

function routeLabels({ verb, group, version, resource, subresource, scope }: RoutedRequest): string {
  return `component="apiserver",group="${group}",resource="${resource}",scope="${scope}",subresource="${subresource}",verb="${verb}",version="${version}"`;
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
