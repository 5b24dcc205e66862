import { type ClusterClock, RunningClock, VirtualClock } from "../apimachinery/clock.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import type { UserInfo } from "../apimachinery/user-info.ts";
import {
  defaultServiceAccountIssuer,
  type ServiceAccountIssuer,
} from "../authentication/service-account-token.ts";
import { type Catalog, catalogOf } from "../catalog/catalog.ts";
import { type FeatureGates, featureGates } from "../catalog/feature-gates.ts";
import { parseRelease } from "../catalog/release.ts";
import {
  parseClusterIpRange,
  parseNodePortRange,
  type ServiceRanges,
} from "../registry/contract/service-ranges.ts";
import type { AuditLevel } from "../scenario/audit-event.ts";
import { type ClusterIdentifiers, randomIdentifiers, seededIdentifiers } from "./identifiers.ts";

/** The authorizers, by the names of `--authorization-mode`. */
export type AuthorizationMode = "AlwaysAllow" | "AlwaysDeny" | "RBAC";

/** How a cluster shall be. Everything is optional. */
export interface ClusterOptions {
  /** The release of Kubernetes, from "1.16" to "1.36". Default: "1.32". */
  readonly release?: string;
  /** What the cluster holds from the beginning: manifests, or lists of them. Default: what a fresh cluster has. */
  readonly objects?: readonly JsonObject[];
  /** Which APIs are served beside the default ones: `--runtime-config`. Default: none. */
  readonly runtimeConfig?: ReadonlyMap<string, boolean>;
  /** Gates that are not as the release has them: `--feature-gates`. Default: none. */
  readonly featureGates?: ReadonlyMap<string, boolean>;
  /** Which controllers run, as kube-controller-manager's `--controllers` says it. Default: `["*"]`. */
  readonly controllers?: readonly string[];
  /** PEM of the authority that pods find in the ConfigMap `kube-root-ca.crt`. Default: none, an empty text. */
  readonly rootCa?: string;
  /** Bearer tokens and whom they authenticate. Default: none but those that the cluster hands out. */
  readonly tokens?: ReadonlyMap<string, UserInfo>;
  /**
   * How much `cluster.requests` keeps of what clients send and are answered: nothing of the bodies, those of requests, or
   * both; 32 MiB of them at most. Default: "Metadata".
   */
  readonly auditLevel?: AuditLevel;
  /** Who may do what: everybody everything, or what the roles in the cluster allow. Default: "AlwaysAllow". */
  readonly authorizationMode?: AuthorizationMode;
  /**
   * Where time comes from. Default: a clock that runs with the world's, or with a test's fake timers; with a `seed` one
   * that stands still at 2026-01-01T00:00:00Z until it is advanced.
   */
  readonly clock?: ClusterClock;
  /** Makes uids, generated names, times and the like the same every time. Default: they are random. */
  readonly seed?: number;
  /** How long old resourceVersions can be read and watched from, in milliseconds. Default: five minutes. */
  readonly historyMilliseconds?: number;
  /** How many events may wait for a watcher that does not read before it is cut off. Default: 10,000. */
  readonly watchCapacity?: number;
  /** Where the cluster IPs of services come from, a network or one of each IP family. Default: "10.96.0.0/12". */
  readonly serviceClusterIpRange?: string;
  /** Where the node ports of services come from. Default: "30000-32767". */
  readonly serviceNodePortRange?: string;
  /** What `/api` tells clients to come to, as `host:port`. Default: "127.0.0.1:6443". */
  readonly advertiseAddress?: string;
}

/** The options, complete. */
export interface Config {
  readonly catalog: Catalog;
  readonly objects: readonly JsonObject[];
  readonly featureGates: FeatureGates;
  readonly controllers: readonly string[];
  readonly rootCa: string;
  readonly tokens: ReadonlyMap<string, UserInfo>;
  readonly auditLevel: AuditLevel;
  readonly authorizationMode: AuthorizationMode;
  readonly clock: ClusterClock;
  readonly identifiers: ClusterIdentifiers;
  readonly historyMilliseconds: number;
  readonly watchCapacity: number;
  readonly serviceRanges: ServiceRanges;
  readonly serviceAccountIssuer: ServiceAccountIssuer;
  readonly advertiseAddress: string;
}

/** When clusters begin whose times are the same every time. */
const seededStart = "2026-01-01T00:00:00Z";

/** @throws {Error} for a release that is not supported, naming those that are, and for a runtime config that is wrong */
export function completeOptions(options: ClusterOptions): Config {
  const { release = "1.32", runtimeConfig, seed } = options;
  return {
    catalog: catalogOf({ release, ...(runtimeConfig !== undefined && { runtimeConfig }) }),
    objects: options.objects ?? [],
    featureGates: featureGates(parseRelease(release), options.featureGates),
    controllers: options.controllers ?? ["*"],
    rootCa: options.rootCa ?? "",
    tokens: options.tokens ?? new Map(),
    auditLevel: options.auditLevel ?? "Metadata",
    authorizationMode: options.authorizationMode ?? "AlwaysAllow",
    clock: options.clock ?? (seed === undefined ? new RunningClock() : new VirtualClock(seededStart)),
    identifiers: seed === undefined ? randomIdentifiers() : seededIdentifiers(seed),
    historyMilliseconds: options.historyMilliseconds ?? 5 * 60 * 1000,
    watchCapacity: options.watchCapacity ?? 10_000,
    serviceRanges: {
      clusterIps: parseClusterIpRange(options.serviceClusterIpRange ?? "10.96.0.0/12"),
      nodePorts: parseNodePortRange(options.serviceNodePortRange ?? "30000-32767"),
    },
    serviceAccountIssuer: defaultServiceAccountIssuer(),
    advertiseAddress: options.advertiseAddress ?? "127.0.0.1:6443",
  };
}
