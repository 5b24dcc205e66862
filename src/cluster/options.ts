import { type ClusterClock, RunningClock, VirtualClock } from "../apimachinery/clock.ts";
import { parseRelease } from "../apimachinery/release.ts";
import type { UserInfo } from "../apimachinery/user-info.ts";
import {
  defaultServiceAccountIssuer,
  type ServiceAccountIssuer,
} from "../authentication/service-account-token.ts";
import { type Catalog, catalogOf } from "../catalog/catalog.ts";
import { type FeatureGates, featureGates } from "../catalog/feature-gates.ts";
import { AbsentOwners } from "../controllers/garbage-collector/absent-owners.ts";
import {
  parseClusterIpRange,
  parseNodePortRange,
  type ServiceRanges,
} from "../registry/contract/service-ranges.ts";
import type { AuditLevel } from "../scenario/audit-event.ts";
import type { KindSource } from "../served/served-api.ts";
import { type ClusterIdentifiers, randomIdentifiers, seededIdentifiers } from "./identifiers.ts";
import { type Manifest, type Manifests, type ManifestText, manifestEntries } from "./seeding/manifest.ts";
import type { OnUnknown } from "./seeding/unknown-kinds.ts";

/** The authorization modes, with the names of `--authorization-mode`. */
export type AuthorizationMode = "AlwaysAllow" | "AlwaysDeny" | "RBAC";

/** The options of a cluster. All are optional. */
export interface ClusterOptions {
  /** The release of Kubernetes, from "1.16" to "1.36". Default: "1.32". */
  readonly release?: string;
  /**
   * The initial objects, besides those of a new cluster: manifests and lists of them, or YAML or JSON text, as `kubectl get
   * -o yaml` prints it. `load` says how they are loaded; in addition, objects that a new cluster has too get the uid and
   * the time of creation in the manifest. Text is read, and objects are validated, before the first request is answered.
   */
  readonly objects?: Manifests;
  /** Whether initial objects of kinds that the cluster does not serve are an error or left out. Default: "error". */
  readonly onUnknown?: OnUnknown;
  /** APIs to enable or disable: `--runtime-config`. Default: none. */
  readonly runtimeConfig?: ReadonlyMap<string, boolean>;
  /** Feature gates that differ from the defaults of the release: `--feature-gates`. Default: none. */
  readonly featureGates?: ReadonlyMap<string, boolean>;
  /** The controllers to run, in the syntax of kube-controller-manager's `--controllers`. Default: `["*"]`. */
  readonly controllers?: readonly string[];
  /**
   * PEM of the certificate authority in the ConfigMaps `kube-root-ca.crt`. Default: an empty text in new ones; existing
   * ones stay as they are.
   */
  readonly rootCa?: string;
  /** Bearer tokens and their users. Default: only the tokens that the cluster issues. */
  readonly tokens?: ReadonlyMap<string, UserInfo>;
  /**
   * Which bodies `cluster.requests` keeps: none, those of requests, or those of requests and responses; at most 32 MiB.
   * Default: "Metadata".
   */
  readonly auditLevel?: AuditLevel;
  /** How requests are authorized: all are allowed, none, or those that the roles in the cluster allow. Default: "AlwaysAllow". */
  readonly authorizationMode?: AuthorizationMode;
  /**
   * Whether a request without credentials is one of `system:anonymous`; otherwise it is refused: `--anonymous-auth`.
   * Default: it is, except on a port with the mode "AlwaysAllow", as in kube-apiserver.
   */
  readonly anonymousAuth?: boolean;
  /**
   * The clock. Default: a clock that follows real time, or a test's fake timers; with a `seed`, a clock that stands still
   * at 2026-01-01T00:00:00Z until it is advanced.
   */
  readonly clock?: ClusterClock;
  /** Makes uids, generated names, times and other generated values the same in every run. Default: they are random. */
  readonly seed?: number;
  /** How long clients can read and watch from old resourceVersions, in milliseconds. Default: five minutes. */
  readonly historyMilliseconds?: number;
  /** How many events may wait for a client that does not read before its watch ends. Default: 10,000. */
  readonly watchCapacity?: number;
  /** The range of the cluster IPs of services: one network, or one of each IP family. Default: "10.96.0.0/12". */
  readonly serviceClusterIpRange?: string;
  /** The range of the node ports of services. Default: "30000-32767". */
  readonly serviceNodePortRange?: string;
  /** The server address that `/api` advertises, as `host:port`. Default: "127.0.0.1:6443". */
  readonly advertiseAddress?: string;
}

/** The completed options. */
export interface Config {
  readonly catalog: Catalog;
  readonly objects: readonly (Manifest | ManifestText)[];
  readonly onUnknown: OnUnknown;
  /** The owners that loads did not contain. */
  readonly absentOwners: AbsentOwners;
  readonly featureGates: FeatureGates;
  readonly controllers: readonly string[];
  readonly rootCa: string;
  readonly tokens: ReadonlyMap<string, UserInfo>;
  readonly auditLevel: AuditLevel;
  readonly authorizationMode: AuthorizationMode;
  /** Whether requests without credentials are anonymous: those of the same process, and those of a port. */
  readonly anonymousAuth: { readonly inProcess: boolean; readonly onPort: boolean };
  readonly clock: ClusterClock;
  readonly identifiers: ClusterIdentifiers;
  readonly historyMilliseconds: number;
  readonly watchCapacity: number;
  readonly serviceRanges: ServiceRanges;
  readonly serviceAccountIssuer: ServiceAccountIssuer;
  readonly advertiseAddress: string;
  /** The stored objects that declare kinds. Their definitions may have whatever a `KindDefinition` has. */
  readonly kindSources: readonly KindSource[];
}

/** The start time of clusters with a seed. */
const seededStart = "2026-01-01T00:00:00Z";

/** @throws {Error} for an unsupported release, with the supported ones, and for an invalid runtime config */
export function completeOptions(options: ClusterOptions): Config {
  const { release = "1.32", runtimeConfig, seed, authorizationMode = "AlwaysAllow", anonymousAuth } = options;
  return {
    catalog: catalogOf({ release, ...(runtimeConfig !== undefined && { runtimeConfig }) }),
    objects: manifestEntries(options.objects ?? [], "objects"),
    onUnknown: options.onUnknown ?? "error",
    absentOwners: new AbsentOwners(),
    featureGates: featureGates(parseRelease(release), options.featureGates),
    controllers: options.controllers ?? ["*"],
    rootCa: options.rootCa ?? "",
    tokens: options.tokens ?? new Map(),
    auditLevel: options.auditLevel ?? "Metadata",
    authorizationMode,
    anonymousAuth: {
      inProcess: anonymousAuth ?? true,
      onPort: anonymousAuth ?? authorizationMode !== "AlwaysAllow",
    },
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
    kindSources: [],
  };
}
