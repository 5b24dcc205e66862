import { readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { messageOf } from "../apimachinery/errors/message-of.ts";
import { goQuote } from "../apimachinery/go/go-quote.ts";
import { parseRelease, type Release } from "../apimachinery/release.ts";
import type { UserInfo } from "../apimachinery/user-info.ts";
import { parsePolicyFile } from "../authorization/abac/policy-file.ts";
import type { AuthorizationMode } from "../authorization/modes.ts";
import { callsWebhooks } from "../cluster/checked-configuration.ts";
import { ClusterCore } from "../cluster/cluster-core.ts";
import { StartError } from "../cluster/contract/start-error.ts";
import { completeEmulationOptions } from "../cluster/emulation-options.ts";
import { entriesOf } from "../cluster/option-types.ts";
import { type ClusterOptions, completeOptions, defaultRelease } from "../cluster/options.ts";
import type { Manifest } from "../cluster/seeding/manifest.ts";
import { clientNames, withNames } from "../cluster/service-name/client-names.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { serve } from "../transports/node/serve.ts";
import {
  type AuthenticationFiles,
  kubeconfigFile,
  presentText,
  readAuthenticationFiles,
  textOfFile,
} from "./authentication-files.ts";
import { startedGates } from "./feature-gate-flag.ts";
import { FlagError } from "./flag-error.ts";
import { createPrivateDirectory, removeLeftDirectories, writePrivateFile } from "./private-file.ts";
import type { RequestLogs } from "./request-logs.ts";
import { runtimeConfigWarnings } from "./runtime-config-warnings.ts";
import type { ServeFlags } from "./serve-flags.ts";
import { parseTokenAuthFile } from "./token-auth-file.ts";

/** A running server and the kubeconfig of its administrator. */
export interface RunningServer {
  readonly url: string;
  /** An absolute path. */
  readonly kubeconfig: string;
  /** The bearer token of the administrator. */
  readonly token: string;
  /** The PEM of the server's authority; empty without TLS. */
  readonly caCertificate: string;
  /** Ends every connection, and removes the kubeconfig unless a flag set its path. */
  stop(): Promise<void>;
}

/** Creates the cluster that the flags describe and serves it. A failure leaves no files behind. */
export async function startServer(flags: ServeFlags, port: number): Promise<RunningServer> {
  if (!flags.quiet) writeAboutFlags(flags);
  const [manifests, scenarios] = [await readManifests(flags.load), await parseScenarios(flags.scenarios)];
  const { cluster, logs, mustSettle } = await createCluster(flags, manifests);
  const writeReport = await openReport(flags, cluster);
  // Objects and files that cannot be loaded end the command before it serves anything.
  if (manifests.length > 0 || mustSettle) await settled(cluster, flags.authenticationFiles);
  for (const scenario of scenarios) cluster.faults.inject(scenario);
  const { bindAddress: host, http, allowedHosts, http2MaxStreamsPerConnection, control } = flags;
  const serving = await serve(cluster, {
    port,
    host,
    tls: !http,
    allowedHosts,
    ...(http2MaxStreamsPerConnection !== undefined && { http2MaxStreamsPerConnection }),
    control,
  });
  const stop = async () => {
    await writeReport();
    await cluster.close();
    await serving.close();
    logs?.close();
  };
  try {
    const { path, remove } = writeKubeconfig(flags.kubeconfig, serving.kubeconfig());
    // After the caller has reported that the server is ready: the client starts at the same time.
    setImmediate(() => {
      void cluster.start();
      removeLeftDirectories();
    });
    const { url, caCertificate } = serving;
    const token = cluster.adminToken();
    const shutDown = () => notReady(cluster, flags.shutdownDelayMilliseconds).then(stop).finally(remove);
    return { url, kubeconfig: path, token, caCertificate, stop: shutDown };
  } catch (error) {
    await stop();
    throw error;
  }
}

function writeAboutFlags({ deprecations, withoutEffect }: ServeFlags): void {
  for (const line of deprecations) console.error(line);
  for (const name of withoutEffect) console.error(`kubedouble: --${name} has no effect here`);
}

/** Most servers trust no issuers, so the code that fetches from them is loaded on demand. */
function issuerFetch({ cluster, authenticationFiles }: ServeFlags): Pick<ClusterOptions, "oidcFetch"> {
  const { authenticationConfiguration } = authenticationFiles;
  if (cluster.oidcIssuerUrl === undefined && authenticationConfiguration === undefined) return {};
  return {
    oidcFetch: async (url, request) => {
      const { fetchFromIssuer } = await import("../transports/node/fetch-from-issuer.ts");
      return fetchFromIssuer(url, request);
    },
  };
}

/** @throws {Error} that names the file, for a configuration of authentication that cannot be read */
async function settled(cluster: ClusterCore, files: AuthenticationFiles): Promise<void> {
  try {
    await cluster.settle();
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    const file = goQuote(files.authenticationConfiguration ?? "");
    const load = "failed to load authentication configuration";
    throw new Error(error.message.replace(`${load}:`, `${load} from file ${file}:`));
  }
}

/** Serves on for a while, by the cluster's clock, so that load balancers notice that the server shuts down. */
async function notReady({ health, clock }: ClusterCore, milliseconds: number): Promise<void> {
  if (milliseconds === 0) return;
  health.fail("shutdown", "process is shutting down");
  await new Promise<void>((resolve) => clock.after(milliseconds, resolve));
}

/** Most servers start without manifests, so the code that reads them is loaded on demand. */
async function readManifests(paths: readonly string[]): Promise<readonly Manifest[]> {
  if (paths.length === 0) return [];
  const manifests = await import("./manifests.ts");
  return manifests.readManifests(paths);
}

/** Most servers start without failures, so their code is loaded on demand. @throws {FlagError} */
async function parseScenarios(texts: readonly string[]): Promise<readonly Scenario[]> {
  if (texts.length === 0) return [];
  const { parseScenario } = await import("../scenario/named-scenarios.ts");
  try {
    return texts.map(parseScenario);
  } catch (error) {
    throw new FlagError(`--scenario: ${messageOf(error)}`);
  }
}

/** Most servers write no logs, so the code for them is loaded on demand. */
async function openLogs(flags: ServeFlags, release: Release): Promise<RequestLogs | undefined> {
  const { auditLogPath, auditPolicyFile, verbosity } = flags;
  if (auditLogPath === undefined && auditPolicyFile === undefined && verbosity === 0) return undefined;
  const { openRequestLogs } = await import("./request-logs.ts");
  return openRequestLogs(flags, release);
}

/** Most servers report no roles, so the code for that is loaded on demand. */
async function openReport({ rbacReport }: ServeFlags, cluster: ClusterCore): Promise<() => Promise<void>> {
  if (rbacReport === undefined) return async () => {};
  const { openRbacReport } = await import("./rbac-report.ts");
  return openRbacReport(rbacReport, cluster);
}

/** As installers start kube-apiserver; the administrator of the kubeconfig may do everything. */
const defaultModes: readonly AuthorizationMode[] = ["Node", "RBAC"];

async function createCluster(
  flags: ServeFlags,
  objects: readonly Manifest[],
): Promise<{ cluster: ClusterCore; logs: RequestLogs | undefined; mustSettle: boolean }> {
  const options = {
    ...(flags.authorizationConfig === undefined && { authorizationMode: defaultModes }),
    ...flags.cluster,
    featureGates: gatesOf(flags.cluster),
    tokens: readTokens(flags.tokenAuthFile),
    ...readAuthenticationFiles(flags.authenticationFiles),
    ...issuerFetch(flags),
    ...(await readAdmission(flags.admissionControlConfigFile)),
    ...readPolicies(flags.authorizationPolicyFile),
    ...readAuthorizationWebhook(flags.authorizationWebhookConfigFile),
    ...readAuthorizationConfiguration(flags.authorizationConfig),
    ...readDescriptions(flags.openapiDescriptions),
  };
  const config = completeOptions(options, flagOf);
  const logs = await openLogs(flags, config.catalog.release);
  const auditLevel = logs?.auditLevel ?? config.auditLevel;
  const cluster = new ClusterCore({ ...config, objects, auditLevel });
  for (const { server, address } of flags.serviceAt)
    cluster.targets.addresses.add(cluster.names.real(server), address);
  if (flags.stages.length > 0) await cluster.pods.stages(await stagesIn(flags.stages));
  for (const listener of logs?.listeners ?? []) cluster.log.follow(listener);
  const mustSettle = callsWebhooks(config) || config.authentication.jwt !== undefined;
  return { cluster, logs, mustSettle };
}

/** The texts of files with stages, and of those in directories. @throws {Error} for a file that cannot be read */
async function stagesIn(paths: readonly string[]): Promise<readonly string[]> {
  const { readTexts } = await import("./manifests.ts");
  return readTexts(paths).map(({ text }) => text);
}

/** The gates that change something here. Prints the warnings about the others, and about what the runtime configuration ignores. */
export function gatesOf({
  featureGates = {},
  runtimeConfig = {},
  release = defaultRelease,
  ...options
}: ClusterOptions): ReadonlyMap<string, boolean> {
  const { version } = completeEmulationOptions(options, parseRelease(release), flagOf);
  const names = clientNames(options.identifiers ?? "kubernetes");
  const given = new Map(entriesOf(names.real(featureGates)));
  const { gates, warnings } = withNames(names, () => startedGates(given, version));
  const ignored = runtimeConfigWarnings(new Map(entriesOf(names.real(runtimeConfig))), version.binary);
  for (const warning of [...warnings, ...ignored]) console.error(`kubedouble: ${names.shown(warning)}`);
  return gates;
}

/** The flags that name the file of an option. */
const fileFlags: ReadonlyMap<string, string> = new Map([
  ["clientCa", "--client-ca-file"],
  ["proxyClientCert", "--proxy-client-cert-file"],
  ["proxyClientKey", "--proxy-client-key-file"],
  ["requestheaderClientCa", "--requestheader-client-ca-file"],
  ["authorizationConfiguration", "--authorization-config"],
  ["authorizationWebhookConfig", "--authorization-webhook-config-file"],
  ["authenticationTokenWebhookConfig", "--authentication-token-webhook-config-file"],
  ["serviceAccountKeys", "--service-account-key-file"],
  ["serviceAccountSigningKey", "--service-account-signing-key-file"],
  ["oidcCa", "--oidc-ca-file"],
  ["authenticationConfiguration", "--authentication-config"],
]);

/** The flag of an option: `featureGates` is `--feature-gates`. */
export function flagOf(option: string): string {
  return fileFlags.get(option) ?? `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** @throws {Error} that names the file */
function readDescriptions(path: string | undefined): Pick<ClusterOptions, "openapiDescriptions"> {
  if (path === undefined) return {};
  const text = readFileSync(path, "utf8");
  try {
    return { openapiDescriptions: JSON.parse(text) };
  } catch (error) {
    throw new Error(`${path}: ${messageOf(error)}`);
  }
}

function readTokens(path: string | undefined): ReadonlyMap<string, UserInfo> {
  if (path === undefined) return new Map();
  const { tokens, warnings } = parseTokenAuthFile(textOfFile("token-auth-file", path), path);
  for (const warning of warnings) console.error(`kubedouble: ${warning}`);
  return tokens;
}

/** Few servers configure plugins, so the code that reads that is loaded on demand. */
async function readAdmission(
  path: string | undefined,
): Promise<Pick<ClusterOptions, "admissionControlConfigFile">> {
  if (path === undefined) return {};
  const { readAdmissionConfiguration } = await import("./admission-files.ts");
  return readAdmissionConfiguration(path);
}

/** @throws {Error} that names the file and the line */
function readPolicies(path: string | undefined): Pick<ClusterOptions, "authorizationPolicy"> {
  if (path === undefined) return {};
  const authorizationPolicy = readFileSync(path, "utf8");
  parsePolicyFile(authorizationPolicy, path);
  return { authorizationPolicy };
}

/** @throws {FlagError} for a file that cannot be read */
function readAuthorizationWebhook(
  path: string | undefined,
): Pick<ClusterOptions, "authorizationWebhookConfig"> {
  if (path === undefined) return {};
  return { authorizationWebhookConfig: kubeconfigFile("authorization-webhook-config-file", path) };
}

/** The configuration, which is read again when its file changes. @throws {FlagError} for a file that cannot be read */
function readAuthorizationConfiguration(
  path: string | undefined,
): Pick<ClusterOptions, "authorizationConfiguration"> {
  if (path === undefined) return {};
  const readFile = (named: string) => readFileSync(named, "utf8");
  // As kube-apiserver logs it.
  const onReloadError = (error: unknown) =>
    console.error(`kubedouble: reloading authorization config: ${messageOf(error)}`);
  return {
    authorizationConfiguration: { text: presentText("authorization-config", path), readFile, onReloadError },
  };
}

function writeKubeconfig(wanted: string | undefined, text: string): { path: string; remove(): void } {
  if (wanted !== undefined) {
    writePrivateFile(wanted, text);
    return { path: resolve(wanted), remove() {} };
  }
  const directory = createPrivateDirectory();
  const path = join(directory, "config");
  const remove = () => rmSync(directory, { recursive: true, force: true });
  try {
    writePrivateFile(path, text);
  } catch (error) {
    remove();
    throw error;
  }
  return { path, remove };
}
