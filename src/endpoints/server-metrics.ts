import type { RoutedRequest } from "../request/routed-request.ts";

/** Labels in the order of their names, as they stand between braces, and the value under them. */
export type Samples = ReadonlyMap<string, number>;

/** What a server counts. A watch counts when it is answered, not as upstream when it ends. */
export class ServerMetrics {
  readonly #requests = new Map<string, number>();
  readonly #deprecated = new Map<string, number>();
  readonly #healthChecks = new Map<string, number>();

  /** Requests that have reached a resource, by what became of them. */
  get requests(): Samples {
    return this.#requests;
  }

  /** The deprecated versions that somebody asked for. */
  get deprecated(): Samples {
    return this.#deprecated;
  }

  /** How often each check was made; all of them went well. */
  get healthChecks(): Samples {
    return this.#healthChecks;
  }

  countRequest(route: RoutedRequest, code: number): void {
    const { verb, dryRun, group, version, resource, subresource, scope } = route;
    const labels = `code="${code}",component="apiserver",dry_run="${dryRun}",group="${group}",resource="${resource}",scope="${scope}",subresource="${subresource}",verb="${verb}",version="${version}"`;
    this.#requests.set(labels, (this.#requests.get(labels) ?? 0) + 1);
    if (route.removedRelease !== undefined) this.#noteDeprecated(route, route.removedRelease);
  }

  /** `endpoint` is `healthz`, `livez` or `readyz`. */
  countHealthCheck(name: string, endpoint: string): void {
    const labels = `name="${name}",status="success",type="${endpoint}"`;
    this.#healthChecks.set(labels, (this.#healthChecks.get(labels) ?? 0) + 1);
  }

  reset(): void {
    for (const samples of [this.#requests, this.#deprecated, this.#healthChecks]) samples.clear();
  }

  #noteDeprecated({ group, version, resource, subresource }: RoutedRequest, removed: string): void {
    const labels = `group="${group}",removed_release="${removed}",resource="${resource}",subresource="${subresource}",version="${version}"`;
    this.#deprecated.set(labels, 1);
  }
}
