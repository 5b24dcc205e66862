import type { ClusterClock } from "../../apimachinery/clock.ts";
import type { Release } from "../../apimachinery/release.ts";
import type { Handler } from "../../request/handler.ts";
import type { Faults } from "../../scenario/faults.ts";
import type { RequestLog } from "../../scenario/request-log.ts";
import type { ControlPort, Served } from "../../transports/contract/served.ts";
import type { ReleaseChange, ReleaseChangeOptions } from "../contract/release-change-options.ts";

/** What the control API does to a cluster. `Snapshot` is the cluster's own type. */
export interface ControlledCluster<Snapshot> {
  readonly handler: Handler;
  readonly log: RequestLog;
  readonly faults: Faults;
  readonly clock: ClusterClock;
  readonly release: Release;
  /** Whether this is the administrator's token. */
  isAdminToken(token: string): boolean;
  check(options: { readonly allowUnserved?: boolean | readonly string[] }): void;
  compact(): void;
  snapshot(): Snapshot;
  restore(snapshot: Snapshot, options: { readonly watches?: "end" | "keep" }): void;
  settle(): Promise<void>;
  /** @throws {Error} for a release or options that are not possible */
  changeRelease(
    direction: "upgrade" | "downgrade",
    release: string,
    options: ReleaseChangeOptions,
  ): Promise<ReleaseChange>;
  fork(): ForkedCluster;
}

/** A fork, which must be closed. */
export interface ForkedCluster extends Served {
  close(): Promise<void>;
}

/** What the routes of the control API work on. */
export interface ControlContext<Snapshot> {
  readonly cluster: ControlledCluster<Snapshot>;
  readonly port: ControlPort;
  /** The state when the port was opened. */
  readonly opened: () => Snapshot;
}
