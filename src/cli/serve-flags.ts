import { parseDurationMilliseconds } from "../apimachinery/duration.ts";
import { messageOf } from "../apimachinery/errors/message-of.ts";
import { goQuote } from "../apimachinery/go/go-quote.ts";
import { type AuthorizationMode, modesProblem } from "../authorization/modes.ts";
import { parseRuntimeConfig } from "../catalog/runtime-config.ts";
import type { EmulationOptions } from "../cluster/emulation-options.ts";
import type { ShownMetricsOptions } from "../cluster/metrics-options.ts";
import type { ClusterOptions } from "../cluster/options.ts";
import type { OnUnknown } from "../cluster/seeding/unknown-kinds.ts";
import { type NamedAddress, namedAddress } from "../cluster/target-option-types.ts";
import type { SimulationPart } from "../controllers/contract/simulation-part.ts";
import type { AuthenticationFiles } from "./authentication-files.ts";
import { parseComponentVersion } from "./component-version-flag.ts";
import { controllersOf } from "./controllers-flag.ts";
import { deprecationLines } from "./deprecated-flags.ts";
import { parseFeatureGates } from "./feature-gate-flag.ts";
import { FlagError } from "./flag-error.ts";
import type { Flag, ParsedFlags } from "./flag-set.ts";
import { parseStringSlice } from "./flag-types.ts";
import { parseGoBool, parseGoInt } from "./go-values.ts";
import { parseReleaseFlags } from "./kube-apiserver-flags.ts";
import { allowedMetricLabels } from "./metric-label-files.ts";

/** The parsed flags of `serve` and `exec`. */
export interface ServeFlags {
  readonly help: boolean;
  readonly version: boolean;
  readonly bindAddress: string;
  readonly port: number | undefined;
  readonly http: boolean;
  /** The names by which clients may call a port without TLS. */
  readonly allowedHosts: readonly string[];
  /** Undefined for kube-apiserver's default. */
  readonly http2MaxStreamsPerConnection: number | undefined;
  /** Where to write the kubeconfig; undefined for a private temporary file. */
  readonly kubeconfig: string | undefined;
  readonly tokenAuthFile: string | undefined;
  readonly authenticationFiles: AuthenticationFiles;
  /** How long to serve after a signal, without being ready, in milliseconds. */
  readonly shutdownDelayMilliseconds: number;
  readonly admissionControlConfigFile: string | undefined;
  readonly authorizationPolicyFile: string | undefined;
  readonly authorizationConfig: string | undefined;
  readonly authorizationWebhookConfigFile: string | undefined;
  readonly load: readonly string[];
  /** The path of a Swagger document. */
  readonly openapiDescriptions: string | undefined;
  /** Where the servers are that objects name. */
  readonly serviceAt: readonly NamedAddress[];
  /** The files and directories with stages of KWOK. */
  readonly stages: readonly string[];
  /** The failures to inject, as text. */
  readonly scenarios: readonly string[];
  /** Where to write the audit log, and its policy; undefined for none. */
  readonly auditLogPath: string | undefined;
  readonly auditPolicyFile: string | undefined;
  /** Where to write the smallest roles for what clients did; undefined for none. */
  readonly rbacReport: string | undefined;
  /** How much to print; from 1 on, a line for each request. */
  readonly verbosity: number;
  /** Whether the port has the control API. */
  readonly control: boolean;
  /** The options of the cluster that flags set. */
  readonly cluster: ClusterOptions;
  /** The given flags that have no effect here, or no effect yet. */
  readonly withoutEffect: readonly string[];
  /** What kube-apiserver writes about the given flags that it deprecates. */
  readonly deprecations: readonly string[];
  /** Whether nothing is written about flags. */
  readonly quiet: boolean;
  /** The arguments after `--`. */
  readonly rest: readonly string[] | undefined;
}

/** Our own flags. Flags that we share with kube-apiserver have its names and types. */
const own: readonly Flag[] = [
  { name: "port", type: "int" },
  { name: "kubeconfig", type: "string" },
  { name: "release", type: "string" },
  { name: "load", type: "stringArray" },
  { name: "on-unknown", type: "string" },
  { name: "openapi-descriptions", type: "string" },
  { name: "http", type: "bool" },
  { name: "allowed-hosts", type: "stringSlice" },
  { name: "service-at", type: "stringArray" },
  { name: "scenario", type: "stringArray" },
  { name: "control", type: "bool" },
  { name: "rbac-report", type: "string" },
  { name: "controllers", type: "stringSlice" },
  { name: "simulate", type: "parts" },
  { name: "stages", type: "stringArray" },
  { name: "history-bytes", type: "int" },
  { name: "identifiers", type: "string" },
  { name: "quiet", type: "bool" },
  { name: "help", type: "bool", shorthand: "h" },
];

/** Flags of kube-apiserver that work as they do there. */
const effective: ReadonlySet<string> = new Set([
  "anonymous-auth",
  "enable-logs-handler",
  "profiling",
  "enable-admission-plugins",
  "disable-admission-plugins",
  "admission-control-config-file",
  "audit-log-path",
  "audit-policy-file",
  "v",
  "authorization-mode",
  "authorization-policy-file",
  "authorization-config",
  "authorization-webhook-config-file",
  "authorization-webhook-version",
  "authorization-webhook-cache-authorized-ttl",
  "authorization-webhook-cache-unauthorized-ttl",
  "cors-allowed-origins",
  "max-requests-inflight",
  "max-mutating-requests-inflight",
  "http2-max-streams-per-connection",
  "secure-port",
  "bind-address",
  "token-auth-file",
  "authentication-config",
  "client-ca-file",
  "oidc-ca-file",
  "oidc-client-id",
  "oidc-groups-claim",
  "oidc-groups-prefix",
  "oidc-issuer-url",
  "oidc-required-claim",
  "oidc-signing-algs",
  "oidc-username-claim",
  "oidc-username-prefix",
  "proxy-client-cert-file",
  "proxy-client-key-file",
  "requestheader-client-ca-file",
  "requestheader-allowed-names",
  "requestheader-username-headers",
  "requestheader-group-headers",
  "requestheader-extra-headers-prefix",
  "requestheader-uid-headers",
  "api-audiences",
  "service-account-api-audiences",
  "authentication-token-webhook-config-file",
  "authentication-token-webhook-version",
  "authentication-token-webhook-cache-ttl",
  "enable-bootstrap-token-auth",
  "service-account-issuer",
  "service-account-jwks-uri",
  "service-account-key-file",
  "service-account-signing-key-file",
  "service-account-lookup",
  "service-account-max-token-expiration",
  "service-account-extend-token-expiration",
  "livez-grace-period",
  "shutdown-delay-duration",
  "runtime-config",
  "show-hidden-metrics-for-version",
  "disabled-metrics",
  "allow-metric-labels",
  "allow-metric-labels-manifest",
  "emulated-version",
  "min-compatibility-version",
  "emulation-forward-compatible",
  "runtime-config-emulation-forward-compatible",
  "feature-gates",
  "service-cluster-ip-range",
  "service-node-port-range",
  "version",
]);

/** @throws {FlagError} */
export function parseServeFlags(command: string, args: readonly string[]): ServeFlags {
  const parsed = parseReleaseFlags(own, args);
  const last = (name: string): string | undefined => parsed.values.get(name)?.at(-1);
  const ours = new Set(own.map((flag) => flag.name));
  return {
    help: isSet(last("help")),
    version: isSet(last("version")),
    bindAddress: last("bind-address") ?? "127.0.0.1",
    port: portOf(parsed),
    http: isSet(last("http")),
    allowedHosts: (parsed.values.get("allowed-hosts") ?? []).flatMap(parseStringSlice),
    http2MaxStreamsPerConnection: wholeNumber("http2-max-streams-per-connection", parsed.values) || undefined,
    kubeconfig: last("kubeconfig") || undefined,
    tokenAuthFile: last("token-auth-file") || undefined,
    authenticationFiles: {
      clientCa: last("client-ca-file") || undefined,
      requestheaderClientCa: last("requestheader-client-ca-file") || undefined,
      proxyClientCert: last("proxy-client-cert-file") || undefined,
      proxyClientKey: last("proxy-client-key-file") || undefined,
      tokenWebhook: last("authentication-token-webhook-config-file") || undefined,
      serviceAccountKeys: parsed.values.get("service-account-key-file") ?? [],
      serviceAccountSigningKey: last("service-account-signing-key-file") || undefined,
      oidcCa: last("oidc-ca-file") || undefined,
      authenticationConfiguration: last("authentication-config") || undefined,
    },
    shutdownDelayMilliseconds: parseDurationMilliseconds(last("shutdown-delay-duration") ?? "0s"),
    admissionControlConfigFile: last("admission-control-config-file") || undefined,
    authorizationPolicyFile: last("authorization-policy-file") || undefined,
    authorizationConfig: last("authorization-config") || undefined,
    authorizationWebhookConfigFile: last("authorization-webhook-config-file") || undefined,
    load: filesToLoad(command, parsed),
    openapiDescriptions: last("openapi-descriptions") || undefined,
    serviceAt: (parsed.values.get("service-at") ?? []).map(serviceAt),
    stages: parsed.values.get("stages") ?? [],
    scenarios: parsed.values.get("scenario") ?? [],
    auditLogPath: last("audit-log-path") || undefined,
    auditPolicyFile: last("audit-policy-file") || undefined,
    rbacReport: last("rbac-report") || undefined,
    verbosity: parseGoInt(last("v") ?? "0"),
    control: optionalBool(last("control")) ?? true,
    cluster: clusterOptions(parsed),
    withoutEffect: [...parsed.values.keys()].filter((name) => !ours.has(name) && !effective.has(name)),
    deprecations: deprecationLines(parsed),
    quiet: isSet(last("quiet")),
    rest: parsed.rest,
  };
}

/** A truth value, or names of parts. */
function simulation(text: string | undefined): ClusterOptions["simulate"] {
  if (text === undefined) return undefined;
  const isSwitch = ["true", "false"].includes(text);
  // `createCluster` checks the names.
  return isSwitch ? text === "true" : (parseStringSlice(text) as SimulationPart[]);
}

/** The options of a cluster that flags set. @throws {FlagError} */
export function clusterOptions({ values }: ParsedFlags): ClusterOptions {
  const last = (name: string): string | undefined => values.get(name)?.at(-1) || undefined;
  const list = (name: string): string[] | undefined => values.get(name)?.flatMap(parseStringSlice);
  const options: { [option in keyof ClusterOptions]: ClusterOptions[option] | undefined } = {
    release: last("release"),
    controllers: controllersOf(list("controllers")),
    simulate: simulation(last("simulate")),
    enableAdmissionPlugins: list("enable-admission-plugins"),
    disableAdmissionPlugins: list("disable-admission-plugins"),
    anonymousAuth: optionalBool(last("anonymous-auth")),
    enableLogsHandler: optionalBool(last("enable-logs-handler")),
    profiling: optionalBool(last("profiling")),
    corsAllowedOrigins: list("cors-allowed-origins"),
    apiAudiences: list("api-audiences") ?? list("service-account-api-audiences"),
    authenticationTokenWebhookVersion: webhookVersion(
      "unsupported authentication webhook version",
      last("authentication-token-webhook-version"),
    ),
    authenticationTokenWebhookCacheTtl: last("authentication-token-webhook-cache-ttl"),
    enableBootstrapTokenAuth: optionalBool(last("enable-bootstrap-token-auth")),
    serviceAccountIssuer: values.get("service-account-issuer"),
    serviceAccountJwksUri: last("service-account-jwks-uri"),
    serviceAccountLookup: optionalBool(last("service-account-lookup")),
    serviceAccountMaxTokenExpiration: last("service-account-max-token-expiration"),
    serviceAccountExtendTokenExpiration: optionalBool(last("service-account-extend-token-expiration")),
    oidcIssuerUrl: last("oidc-issuer-url"),
    oidcClientId: last("oidc-client-id"),
    oidcUsernameClaim: last("oidc-username-claim"),
    oidcUsernamePrefix: last("oidc-username-prefix"),
    oidcGroupsClaim: last("oidc-groups-claim"),
    oidcGroupsPrefix: last("oidc-groups-prefix"),
    oidcSigningAlgs: list("oidc-signing-algs"),
    oidcRequiredClaim: requiredClaims(values.get("oidc-required-claim")),
    requestheaderAllowedNames: list("requestheader-allowed-names"),
    requestheaderUsernameHeaders: list("requestheader-username-headers"),
    requestheaderGroupHeaders: list("requestheader-group-headers"),
    requestheaderExtraHeadersPrefix: list("requestheader-extra-headers-prefix"),
    requestheaderUidHeaders: list("requestheader-uid-headers"),
    livezGracePeriod: last("livez-grace-period"),
    maxRequestsInflight: wholeNumber("max-requests-inflight", values),
    maxMutatingRequestsInflight: wholeNumber("max-mutating-requests-inflight", values),
    onUnknown: onUnknown(last("on-unknown")),
    identifiers: identifiers(last("identifiers")),
    authorizationMode: authorizationMode(list("authorization-mode")),
    authorizationWebhookVersion: webhookVersion(
      "unsupported webhook authorizer version",
      last("authorization-webhook-version"),
    ),
    authorizationWebhookCacheAuthorizedTtl: last("authorization-webhook-cache-authorized-ttl"),
    authorizationWebhookCacheUnauthorizedTtl: last("authorization-webhook-cache-unauthorized-ttl"),
    runtimeConfig: parseRuntimeConfig(values.get("runtime-config") ?? []),
    ...releaseOptions(values),
    featureGates: parseFeatureGates(values.get("feature-gates") ?? []),
    serviceClusterIpRange: last("service-cluster-ip-range"),
    serviceNodePortRange: last("service-node-port-range"),
    historyBytes: optionalInt(last("history-bytes")),
  };
  // Options that are not given must be absent, not undefined.
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** The options of emulation and of metrics that flags set. @throws {FlagError} */
function releaseOptions(values: ParsedFlags["values"]): {
  [option in keyof (EmulationOptions & ShownMetricsOptions)]: ClusterOptions[option] | undefined;
} {
  const last = (name: string): string | undefined => values.get(name)?.at(-1) || undefined;
  return {
    showHiddenMetricsForVersion: last("show-hidden-metrics-for-version"),
    disabledMetrics: values.get("disabled-metrics")?.flatMap(parseStringSlice),
    allowMetricLabels: allowedMetricLabels(
      values.get("allow-metric-labels"),
      last("allow-metric-labels-manifest"),
    ),
    minCompatibilityVersion: parseComponentVersion(values.get("min-compatibility-version") ?? []),
    emulatedVersion: parseComponentVersion(values.get("emulated-version") ?? []),
    emulationForwardCompatible: optionalBool(last("emulation-forward-compatible")),
    runtimeConfigEmulationForwardCompatible: optionalBool(
      last("runtime-config-emulation-forward-compatible"),
    ),
  };
}

/** A pair `namespace/name=host:port` or `https://host=host:port`. @throws {FlagError} that says what is wrong */
export function serviceAt(pair: string): NamedAddress {
  const equals = pair.indexOf("=");
  if (equals < 0) throw new FlagError(`--service-at ${goQuote(pair)}: must be namespace/name=host:port`);
  try {
    return namedAddress(pair.slice(0, equals), pair.slice(equals + 1));
  } catch (error) {
    throw new FlagError(`--service-at ${goQuote(pair)}: ${messageOf(error)}`);
  }
}

/** Each value of the flag is one pair of a claim and its value. */
function requiredClaims(pairs: readonly string[] | undefined): ReadonlyMap<string, string> | undefined {
  if (pairs === undefined) return undefined;
  return new Map(
    pairs.map((pair) => {
      const equals = pair.indexOf("=");
      if (equals < 0) throw new FlagError("malformed pair, expect string=string");
      return [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()];
    }),
  );
}

function optionalInt(value: string | undefined): number | undefined {
  return value === undefined ? undefined : parseGoInt(value);
}

function optionalBool(value: string | undefined): boolean | undefined {
  return value === undefined ? undefined : parseGoBool(value);
}

/** `--version=raw` and `--version=v1.2` are upstream's; they show ours too. */
function isSet(value: string | undefined): boolean {
  return value !== undefined && (value === "raw" || value.startsWith("v") || parseGoBool(value));
}

function wholeNumber(name: string, values: ParsedFlags["values"]): number | undefined {
  const given = values.get(name)?.at(-1);
  if (given === undefined) return undefined;
  const number = parseGoInt(given);
  if (number < 0) throw new FlagError(`--${name} can not be negative value`);
  return number;
}

function portOf(parsed: ParsedFlags): number | undefined {
  const name = parsed.values.has("port") ? "port" : "secure-port";
  const text = parsed.values.get(name)?.at(-1);
  if (text === undefined) return undefined;
  const port = parseGoInt(text);
  if (port >= 0 && port <= 65535) return port;
  throw new FlagError(`--${name} ${port} must be between 0 and 65535, inclusive. 0 picks a free port`);
}

/** @throws {FlagError} with upstream's text */
function authorizationMode(wanted: readonly string[] | undefined): readonly AuthorizationMode[] | undefined {
  if (wanted === undefined) return undefined;
  const problem = modesProblem(wanted);
  if (problem !== undefined) throw new FlagError(problem);
  // Each is one of the modes, or there would be a problem.
  return wanted as readonly AuthorizationMode[];
}

/** @throws {FlagError} with upstream's text */
function webhookVersion(problem: string, value: string | undefined): "v1" | "v1beta1" | undefined {
  if (value === undefined || value === "v1" || value === "v1beta1") return value;
  throw new FlagError(`${problem} ${goQuote(value)}, supported versions are "v1", "v1beta1"`);
}

function onUnknown(value: string | undefined): OnUnknown | undefined {
  if (value === undefined || value === "error" || value === "skip") return value;
  throw new FlagError(`--on-unknown ${goQuote(value)} is not "error" or "skip"`);
}

function identifiers(value: string | undefined): ClusterOptions["identifiers"] {
  if (value === undefined || value === "kubernetes" || value === "svc") return value;
  throw new FlagError(`--identifiers ${goQuote(value)} is not "kubernetes" or "svc"`);
}

/** A shell expands `--load dir/*` to one value and operands, so operands are files if `--load` is given. */
function filesToLoad(command: string, { values, operands }: ParsedFlags): readonly string[] {
  const load = values.get("load");
  if (load !== undefined) return [...load, ...operands];
  if (operands.length === 0) return [];
  const shown = JSON.stringify(operands).replaceAll('","', '" "');
  throw new FlagError(`"kubedouble ${command}" does not take any arguments, got ${shown}`);
}
