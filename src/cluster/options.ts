import type { PluginConfigurations } from "../admission/contract/plugin-configuration.ts";
import { type ClusterClock, RunningClock, VirtualClock } from "../apimachinery/clock.ts";
import { parseDurationMilliseconds } from "../apimachinery/duration.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import { checkOptions, type OptionTitle, type OptionType } from "../apimachinery/option-checks.ts";
import { boolean, listOf, numberFrom, oneOf, text } from "../apimachinery/option-types.ts";
import { parseRelease, type Release } from "../apimachinery/release.ts";
import type { AuthenticationConfig } from "../authentication/contract/authentication-config.ts";
import { type Catalog, catalogOfVersion } from "../catalog/catalog.ts";
import type { FeatureGates } from "../catalog/feature-gates.ts";
import { enablementsOf } from "../catalog/gated-resources.ts";
import { LoadRecord } from "../controllers/contract/load-record.ts";
import { type SimulationPart, simulationParts } from "../controllers/contract/simulation-part.ts";
import type { ProxyCertificate } from "../endpoints/aggregated/https-server.ts";
import type { MetricsOptions } from "../endpoints/contract/metrics-options.ts";
import { customResources } from "../kinds/apiextensions/custom-resource/custom-resource-source.ts";
import type { DeclaredApi } from "../lifecycle/declared-api.ts";
import {
  parseClusterIpRange,
  parseNodePortRange,
  type ServiceRanges,
} from "../registry/contract/service-ranges.ts";
import type { AuditLevel } from "../scenario/audit-event.ts";
import type { PodScripts } from "../scenario/pod-scripts.ts";
import type { SimulatedFailures } from "../scenario/simulated-failures.ts";
import type { KindSource } from "../served/served-api.ts";
import type { ReviewWire } from "../webhooks/review-wire.ts";
import {
  type AdmissionOptions,
  admissionOptionTypes,
  completeAdmissionOptions,
  completePluginConfigurations,
  type PluginSwitch,
} from "./admission-options.ts";
import {
  type AuthenticationOptions,
  authenticationOptionTypes,
  completeAuthenticationOptions,
  type NamedValues,
} from "./authentication-options.ts";
import {
  type AuthorizationConfig,
  type AuthorizationOptions,
  authorizationOptionTypes,
  completeAuthorizationOptions,
} from "./authorization-options.ts";
import { originPatterns } from "./cross-origin.ts";
import { declaredApis, kindSourcesOf } from "./declared-apis.ts";
import { duration } from "./duration-option.ts";
import {
  completeEmulationOptions,
  type EmulationOptions,
  emulationOptionTypes,
} from "./emulation-options.ts";
import { completeFeatureGates } from "./feature-gate-options.ts";
import { defaultHistoryBytes } from "./history-limit.ts";
import { type ClusterIdentifiers, randomIdentifiers, seededIdentifiers } from "./identifiers.ts";
import { completeMetricsOptions, metricsOptionTypes, type ShownMetricsOptions } from "./metrics-options.ts";
import { clusterClock, entriesOf, isObject, mapOf } from "./option-types.ts";
import { type Manifest, type Manifests, type ManifestText, manifestEntries } from "./seeding/manifest.ts";
import type { OnUnknown } from "./seeding/unknown-kinds.ts";
import { clientNames, withNames } from "./service-name/client-names.ts";
import { checkControllers, completeSimulation } from "./simulation-options.ts";

/** The options of a cluster. All are optional. */
export interface ClusterOptions
  extends AuthenticationOptions,
    AuthorizationOptions,
    AdmissionOptions,
    EmulationOptions,
    ShownMetricsOptions {
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
  readonly runtimeConfig?: NamedValues<boolean>;
  /** Feature gates that differ from the defaults of the release: `--feature-gates`. Default: none. */
  readonly featureGates?: NamedValues<boolean>;
  /** APIs with a timeline of their own, which `createApi` of `kubedouble/lifecycle` declares. Default: none. */
  readonly apis?: readonly DeclaredApi[];
  /** The controllers to run, in the syntax of kube-controller-manager's `--controllers`. Default: `["*"]`. */
  readonly controllers?: readonly string[];
  /**
   * What lives in the cluster: `true` for everything, or a list of parts. "workloads" are the controllers that create pods and follow
   * them, "scheduler" assigns pods to nodes, and "kubelets" run three nodes and let their pods go through their phases. Default: none.
   */
  readonly simulate?: boolean | readonly SimulationPart[];
  /**
   * PEM of the certificate authority in the ConfigMaps `kube-root-ca.crt`. Default: that of the first open port. Without
   * one, new ConfigMaps have an empty text, and existing ones stay as they are.
   */
  readonly rootCa?: string;
  /**
   * Which bodies `cluster.requests` keeps: none, those of requests, or those of requests and responses; at most 32 MiB.
   * Default: "Metadata".
   */
  readonly auditLevel?: AuditLevel;
  /**
   * The descriptions of types and fields for OpenAPI clients such as `kubectl explain`: a Swagger document, such as the
   * `/openapi/v2` of a real cluster or the `swagger.json` of a release. Default: none.
   */
  readonly openapiDescriptions?: JsonObject;
  /**
   * Whether a request without credentials is one of `system:anonymous`; otherwise it is refused: `--anonymous-auth`.
   * Default: it is, except on a port with the mode "AlwaysAllow", as in kube-apiserver.
   */
  readonly anonymousAuth?: boolean;
  /**
   * How long after the start its hooks may fail without an effect on `/livez`, such as "30s": `--livez-grace-period`. Default:
   * "0s".
   */
  readonly livezGracePeriod?: string;
  /**
   * Regular expressions of the origins whose web pages may use the cluster: `--cors-allowed-origins`. Each must fix the
   * start and the end of the host, such as `^http://localhost:5173$`. Default: none.
   */
  readonly corsAllowedOrigins?: readonly string[];
  /**
   * The clock. Default: a clock that follows real time, or a test's fake timers; with a `seed`, a clock that stands still
   * at 2026-01-01T00:00:00Z until it is advanced.
   */
  readonly clock?: ClusterClock;
  /**
   * How names are written that contain `kubernetes`, `k8s` or `kube`: as they are, or with `svc` in their place, for specifications that
   * mask the name of the service: `meta.svc.io`, `svc-system`. The other options may have either. Default: "kubernetes".
   */
  readonly identifiers?: "kubernetes" | "svc";
  /** Makes uids, generated names, times and other generated values the same in every run. Default: they are random. */
  readonly seed?: number;
  /**
   * Whether `/debug/pprof/`, which has profiles without samples, and `/debug/flags` are served, and metrics can be reset:
   * `--profiling`. Default: true.
   */
  readonly profiling?: boolean;
  /**
   * Whether `/logs` is served, an empty directory: `--enable-logs-handler`, which is deprecated. Default: true before 1.31, as in
   * kube-apiserver.
   */
  readonly enableLogsHandler?: boolean;
  /** How long clients can read and watch from old resourceVersions, in milliseconds. Default: five minutes. */
  readonly historyMilliseconds?: number;
  /**
   * How much memory old resourceVersions may need, in bytes, estimated. Beyond it, the oldest answer 410. Default: an
   * eighth of the heap limit of the process, or 128 MiB in a browser.
   */
  readonly historyBytes?: number;
  /** How many events may wait for a client that does not read before its watch ends. Default: 10,000. */
  readonly watchCapacity?: number;
  /**
   * How many requests of port clients that read may be in flight; others get 429, except those of `system:masters`. Watches and
   * other long-running requests do not count. 0 is any number: `--max-requests-inflight`. Default: 400.
   */
  readonly maxRequestsInflight?: number;
  /** The same for requests that write: `--max-mutating-requests-inflight`. Default: 200. */
  readonly maxMutatingRequestsInflight?: number;
  /** The range of the cluster IPs of services: one network, or one of each IP family. Default: "10.96.0.0/12". */
  readonly serviceClusterIpRange?: string;
  /** The range of the node ports of services. Default: "30000-32767". */
  readonly serviceNodePortRange?: string;
  /**
   * The address of the server in `/api`, in the Service `kubernetes` and in its endpoints, as `host:port`. Default: that of
   * the first open port. Without one, `/api` has "127.0.0.1:6443".
   */
  readonly advertiseAddress?: string;
  /**
   * PEM of the certificate with which the server identifies itself to the servers behind APIServices: `--proxy-client-cert-file`. It
   * needs `proxyClientKey`. Default: none.
   */
  readonly proxyClientCert?: string;
  /** PEM of the key of `proxyClientCert`: `--proxy-client-key-file`. Default: none. */
  readonly proxyClientKey?: string;
}

/** A part of the simulation. */
const simulationPart: OptionType = oneOf(...simulationParts);

/** What each option accepts. */
const clusterOptionTypes: { readonly [option in keyof Required<ClusterOptions>]: OptionType } = {
  release: { accepts: 'text such as "1.32"', isValid: text.isValid },
  objects: {
    accepts: "a manifest, YAML or JSON text, or a list of them",
    isValid: (value) => typeof value === "string" || isObject(value) || Array.isArray(value),
  },
  onUnknown: oneOf("error", "skip"),
  ...emulationOptionTypes,
  ...metricsOptionTypes,
  runtimeConfig: mapOf(boolean),
  featureGates: mapOf(boolean),
  apis: declaredApis,
  controllers: listOf(text),
  simulate: {
    accepts: `true, false or a list of which each element is ${simulationPart.accepts}`,
    isValid: (value) => boolean.isValid(value) || listOf(simulationPart).isValid(value),
  },
  rootCa: text,
  ...authenticationOptionTypes,
  openapiDescriptions: {
    accepts: "a Swagger document, an object with definitions",
    isValid: (value) => isObject(value) && isObject(value["definitions"]),
  },
  auditLevel: oneOf("Metadata", "Request", "RequestResponse"),
  ...authorizationOptionTypes,
  ...admissionOptionTypes,
  anonymousAuth: boolean,
  livezGracePeriod: duration,
  corsAllowedOrigins: listOf(text),
  clock: clusterClock,
  profiling: boolean,
  enableLogsHandler: boolean,
  identifiers: oneOf("kubernetes", "svc"),
  seed: numberFrom(Number.NEGATIVE_INFINITY),
  historyMilliseconds: numberFrom(0),
  historyBytes: numberFrom(0),
  watchCapacity: numberFrom(1),
  maxRequestsInflight: numberFrom(0),
  maxMutatingRequestsInflight: numberFrom(0),
  serviceClusterIpRange: text,
  serviceNodePortRange: text,
  advertiseAddress: text,
  proxyClientCert: text,
  proxyClientKey: text,
};

/** The completed options. */
export interface Config {
  readonly catalog: Catalog;
  readonly objects: readonly (Manifest | ManifestText)[];
  readonly onUnknown: OnUnknown;
  /** Which server of its cluster it is. The first one, 1, runs the controllers and the simulation. */
  readonly server: number;
  readonly loads: LoadRecord;
  /** How pods of a simulated cluster live. */
  readonly podScripts: PodScripts;
  readonly simulatedFailures: SimulatedFailures;
  readonly featureGates: FeatureGates;
  /** The gates that differ from the defaults of the release. */
  readonly givenGates: ReadonlyMap<string, boolean>;
  readonly controllers: readonly string[];
  readonly simulation: readonly SimulationPart[];
  /** Undefined: that of the port that is published. */
  readonly rootCa: string | undefined;
  readonly authentication: AuthenticationConfig;
  readonly auditLevel: AuditLevel;
  readonly openapiDescriptions: JsonObject | undefined;
  readonly authorization: AuthorizationConfig;
  readonly admission: PluginSwitch;
  readonly admissionConfigurations: PluginConfigurations;
  /** Whether requests without credentials are anonymous: those of the same process, and those of a port. */
  readonly anonymousAuth: { readonly inProcess: boolean; readonly onPort: boolean };
  readonly livezGraceMilliseconds: number;
  readonly metrics: MetricsOptions;
  readonly corsAllowedOrigins: readonly RegExp[];
  readonly clock: ClusterClock;
  readonly identifiers: ClusterIdentifiers;
  readonly profiling: boolean;
  readonly logsHandler: boolean;
  /** How clients write the names of Kubernetes. */
  readonly names: "kubernetes" | "svc";
  /** Changes what is said to webhooks; undefined if nothing does. */
  readonly reviewWire: ReviewWire | undefined;
  readonly historyMilliseconds: number;
  readonly historyBytes: number;
  readonly watchCapacity: number;
  readonly maxRequestsInflight: number;
  readonly maxMutatingRequestsInflight: number;
  readonly serviceRanges: ServiceRanges;
  /** Undefined: that of the port that is published. */
  readonly advertiseAddress: string | undefined;
  /** Identifies the server to those behind APIServices; undefined for no certificate. */
  readonly proxyCertificate: ProxyCertificate | undefined;
  /** The APIs whose versions come and go with the releases. */
  readonly apis: readonly DeclaredApi[];
  /** The stored objects that declare kinds. Their definitions may have whatever a `KindDefinition` has. */
  readonly kindSources: readonly KindSource[];
  /** The same options for another release, without the initial objects. @throws {Error} as `completeOptions` does */
  readonly atRelease: (release: Release, title: OptionTitle) => Config;
}

/** The start time of clusters with a seed. */
const seededStart = "2026-01-01T00:00:00Z";

/** The release of clusters that name none. */
export const defaultRelease: Release = "1.32";

/**
 * Checks the options and sets their defaults. `title` names an option in errors: as a property, or as a flag.
 * @throws {Error} that says the option, what was given, and what is accepted
 */
export function completeOptions(
  options: ClusterOptions,
  title: OptionTitle = (option) => `createCluster: ${option}`,
): Config {
  checkOptions("createCluster", options, clusterOptionTypes, title);
  const names = clientNames(options.identifiers ?? "kubernetes");
  // The initial objects are read later, each as a whole.
  const { objects = [], apis = [], ...named } = options;
  for (const { group } of apis) checkDeclaredGroup(group, names.real(group), title("apis"));
  return withNames(names, () => completeRealOptions({ ...names.real(named), objects, apis }, title));
}

/** Completes options with the real names. @throws {Error} */
function completeRealOptions(options: ClusterOptions, title: OptionTitle): Config {
  checkControllers(options, title("controllers"));
  const { release = defaultRelease, runtimeConfig = {}, seed, anonymousAuth } = options;
  const { version, forward } = completeEmulationOptions(options, parseRelease(release), title);
  const givenGates = new Map(entriesOf(options.featureGates ?? {}));
  const enabledGates = completeFeatureGates(givenGates, version, title("featureGates"));
  const authorization = completeAuthorizationOptions(options, title, enabledGates);
  return {
    catalog: catalogOfVersion(version, enablementsOf(entriesOf(runtimeConfig), forward, enabledGates)),
    objects: manifestEntries(options.objects ?? [], "objects"),
    server: 1,
    onUnknown: options.onUnknown ?? "error",
    loads: new LoadRecord(),
    featureGates: enabledGates,
    givenGates,
    controllers: options.controllers ?? ["*"],
    ...completeSimulation(options.simulate ?? false),
    rootCa: options.rootCa,
    authentication: completeAuthenticationOptions(options, title, enabledGates),
    auditLevel: options.auditLevel ?? "Metadata",
    openapiDescriptions: options.openapiDescriptions,
    authorization,
    admission: completeAdmissionOptions(options, title, enabledGates, authorization),
    admissionConfigurations: completePluginConfigurations(options, title, enabledGates),
    anonymousAuth: {
      inProcess: anonymousAuth ?? true,
      onPort: anonymousAuth ?? !authorization.modes.includes("AlwaysAllow"),
    },
    metrics: completeMetricsOptions(options, version.binary),
    livezGraceMilliseconds: parseDurationMilliseconds(options.livezGracePeriod ?? "0s"),
    corsAllowedOrigins: originPatterns(options.corsAllowedOrigins, title("corsAllowedOrigins")),
    clock: options.clock ?? (seed === undefined ? new RunningClock() : new VirtualClock(seededStart)),
    identifiers: seed === undefined ? randomIdentifiers() : seededIdentifiers(seed),
    profiling: options.profiling ?? true,
    // kubernetes, CHANGELOG-1.31: switched off by default.
    logsHandler: options.enableLogsHandler ?? !enabledGates.since("1.31"),
    names: options.identifiers ?? "kubernetes",
    reviewWire: undefined,
    historyMilliseconds: options.historyMilliseconds ?? 5 * 60 * 1000,
    historyBytes: options.historyBytes ?? defaultHistoryBytes(),
    watchCapacity: options.watchCapacity ?? 10_000,
    maxRequestsInflight: options.maxRequestsInflight ?? 400,
    maxMutatingRequestsInflight: options.maxMutatingRequestsInflight ?? 200,
    serviceRanges: {
      clusterIps: parseClusterIpRange(options.serviceClusterIpRange ?? "10.96.0.0/12"),
      nodePorts: parseNodePortRange(options.serviceNodePortRange ?? "30000-32767"),
    },
    advertiseAddress: options.advertiseAddress,
    proxyCertificate: proxyCertificateOf(options, title),
    apis: options.apis ?? [],
    kindSources: [customResources(), ...kindSourcesOf(options.apis ?? [], title("apis"))],
    atRelease: (other, ofChange) => completeOptions({ ...options, release: other, objects: [] }, ofChange),
  };
}

/** `createApi` knows no masks. @throws {Error} for a group that stands for another one */
function checkDeclaredGroup(group: string, real: string, title: string): void {
  if (group === real) return;
  throw new Error(
    `${title}: with masked names, clients that write ${group} mean ${real}; createApi must declare it as ${real}`,
  );
}

/** @throws {Error} for a certificate without its key, and for a key without its certificate */
function proxyCertificateOf(
  { proxyClientCert: certificate, proxyClientKey: key }: ClusterOptions,
  title: OptionTitle,
): ProxyCertificate | undefined {
  if (certificate !== undefined && key !== undefined) return { certificate, key };
  const given = certificate === undefined ? "proxyClientKey" : "proxyClientCert";
  const missing = certificate === undefined ? "proxyClientCert" : "proxyClientKey";
  if (certificate === undefined && key === undefined) return undefined;
  throw new Error(`${title(given)} has no effect without ${title(missing)}`);
}
