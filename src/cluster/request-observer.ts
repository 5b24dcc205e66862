import type { Clock } from "../apimachinery/clock.ts";
import type { UserInfo } from "../apimachinery/user-info.ts";
import type { ApiRequest, ApiResponse } from "../request/handler.ts";
import type { RequestInfo } from "../request/request-info.ts";
import type { Faults } from "../scenario/faults.ts";
import type { OpenEntry } from "../scenario/logged-request.ts";
import type { RequestLog } from "../scenario/request-log.ts";
import type { StruckServer } from "../scenario/scenario.ts";
import type { StateChanges } from "./state-changes.ts";

/** What the pipeline knows of a request that a fault strikes. */
export type StruckRequest = Pick<StruckServer, "query" | "signal" | "answer">;

export interface RequestObserverOptions {
  readonly log: RequestLog;
  readonly faults: Faults;
  readonly clock: Clock;
  readonly changesFor: (request: OpenEntry) => StateChanges;
}

/** Notes down who asks for what, and finds the fault that strikes it. */
export class RequestObserver {
  readonly #options: RequestObserverOptions;

  constructor(options: RequestObserverOptions) {
    this.#options = options;
  }

  begin(request: ApiRequest, auditId: string): OpenEntry {
    const entry: OpenEntry = {
      method: request.method,
      target: request.target,
      path: "",
      verb: request.method.toLowerCase(),
      group: "",
      version: "",
      resource: "",
      subresource: "",
      namespace: "",
      name: "",
      user: "",
      userAgent: request.headers.get("user-agent") ?? "",
      auditId,
      receivedAt: this.#options.clock.now(),
      status: undefined,
      milliseconds: undefined,
    };
    this.#options.log.add(entry);
    return entry;
  }

  end(entry: OpenEntry, status: number): void {
    entry.status = status;
    entry.milliseconds = this.#options.clock.now() - entry.receivedAt;
  }

  /** Fills in what the request is about. */
  describe(entry: OpenEntry, info: RequestInfo): void {
    entry.path = info.path;
    entry.verb = info.verb;
    if (info.isResourceRequest) {
      entry.group = info.group;
      entry.version = info.version;
      entry.resource = info.resource;
      entry.subresource = info.subresource;
      entry.namespace = info.namespace;
      entry.name = info.name;
    }
  }

  /** Fills in who asks, and says what strikes the request; undefined if nothing does. */
  faultOf(entry: OpenEntry, user: UserInfo): ((request: StruckRequest) => Promise<ApiResponse>) | undefined {
    entry.user = user.name;
    const { faults, clock, changesFor } = this.#options;
    const struck = faults.isEmpty ? undefined : faults.take(entry);
    return (
      struck && ((request) => struck.strike({ ...request, request: entry, clock, ...changesFor(entry) }))
    );
  }
}
