import { isIP } from "node:net";
import { checkOptions, type OptionTypes } from "../../apimachinery/option-checks.ts";
import { boolean, listOf, numberFrom, text } from "../../apimachinery/option-types.ts";
import { kubeconfigFor, type UserKubeconfigOptions } from "../contract/kubeconfig.ts";
import type { ControlPort, Served } from "../contract/served.ts";
import { type Authority, apiServerHosts, createAuthority } from "./certificates.ts";
import { keepCompiledCode } from "./compile-cache.ts";
import { isLocal, type PagePolicy } from "./foreign-pages.ts";
import { listen } from "./listen.ts";
import { kubeApiserverLimits } from "./port-limits.ts";
import type { Upgrade } from "./upgrade.ts";

export interface ServeOptions {
  /** Default: a free port. */
  readonly port?: number;
  /** The address to listen on. Default: `127.0.0.1`, which other machines cannot reach. */
  readonly host?: string;
  /** `false` serves plain HTTP/1.1. Default: `true`, with a certificate by a new authority. */
  readonly tls?: boolean;
  /** Takes over connections of clients that request another protocol. Default: they get an ordinary answer. */
  readonly upgrade?: Upgrade;
  /**
   * Names besides addresses and localhost by which clients may call a port without TLS on a loopback address, and whose web
   * pages may use it: `--allowed-hosts`. Default: none, so that web pages of other sites can use it under no name.
   */
  readonly allowedHosts?: readonly string[];
  /** How many streams a client may open on one HTTP/2 connection: `--http2-max-streams-per-connection`. Default: 100. */
  readonly http2MaxStreamsPerConnection?: number;
  /**
   * Whether the port has the control API below `/kubedouble/v1/`, for the administrator's token only. Default: `true`.
   */
  readonly control?: boolean;
}

/** The user and other settings of a kubeconfig for a port, which adds its URL and its authority. */
export type ServingKubeconfigOptions = Omit<UserKubeconfigOptions, "server" | "certificateAuthorityData">;

/** A cluster on a port. */
export interface Serving {
  readonly url: string;
  readonly port: number;
  /** The PEM of the server's authority; empty without TLS. */
  readonly caCertificate: string;
  /** The YAML of a kubeconfig for a user, or for an administrator. @throws {Error} for groups or a uid without a user */
  kubeconfig(options?: ServingKubeconfigOptions): string;
  /** Ends open watches cleanly and frees the port. */
  close(): Promise<void>;
}

const optionTypes: OptionTypes = {
  port: {
    accepts: "a whole number from 0 to 65535",
    isValid: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65535,
  },
  host: text,
  tls: boolean,
  upgrade: { accepts: "a function", isValid: (value) => typeof value === "function" },
  allowedHosts: listOf(text),
  http2MaxStreamsPerConnection: numberFrom(1),
  control: boolean,
};

/** Serves a cluster to clients of any language. Node keeps compiled code for the next process from here on, where it can. */
export async function serve(cluster: Served, options: ServeOptions = {}): Promise<Serving> {
  checkOptions("serve", options, optionTypes);
  keepCompiledCode();
  const { tls = true } = options;
  return servePort(cluster, options, tls ? createAuthority() : undefined);
}

async function servePort(
  cluster: Served,
  options: ServeOptions,
  authority: Authority | undefined,
): Promise<Serving> {
  const { port: wantedPort = 0, host = "127.0.0.1", upgrade } = options;
  const { http2MaxStreamsPerConnection: maxStreams = kubeApiserverLimits.maxStreams } = options;
  const control = options.control === false ? undefined : cluster.control?.(controlPort(options, authority));
  const { address, port, close } = await listen(control?.handler ?? cluster.handler, {
    port: wantedPort,
    host,
    tls: authority?.issue({
      commonName: "kube-apiserver",
      usage: "server",
      hosts: [...apiServerHosts, host],
    }),
    upgrade,
    pages: authority === undefined && isLocal(host) ? pagePolicy(cluster, options) : undefined,
    reachability: cluster.reachability,
    limits: { ...kubeApiserverLimits, maxStreams },
  });
  const url = `${authority === undefined ? "http" : "https"}://${reachable(host)}:${port}`;
  const caCertificate = authority?.certificate ?? "";
  const withdraw = cluster.advertise?.({ address: reachableAddress(address), port, rootCa: caCertificate });
  const end = async (): Promise<void> => {
    withdraw?.();
    await Promise.all([control?.close(), close()]);
  };
  let closed: Promise<void> | undefined;
  return {
    url,
    port,
    caCertificate,
    kubeconfig: (wanted = {}) =>
      kubeconfigFor(cluster, {
        ...wanted,
        server: url,
        ...(authority !== undefined && { certificateAuthorityData: caCertificate }),
      }),
    close: () => {
      closed ??= end();
      return closed;
    },
  };
}

function pagePolicy(cluster: Served, { allowedHosts = [] }: ServeOptions): PagePolicy {
  return {
    allowedHosts: allowedHosts.map((name) => name.toLowerCase()),
    allowsOrigin: (origin) => cluster.allowsOrigin?.(origin) ?? false,
  };
}

/** How long responses may take to reach their clients before their connections close, in milliseconds. */
const responseMilliseconds = 100;

/** Forks have the settings and the authority of the port, but not its upgrades, which belong to its cluster. */
function controlPort(options: ServeOptions, authority: Authority | undefined): ControlPort {
  const { upgrade: _, ...ofForks } = options;
  return {
    open: (fork, port) => servePort(fork, { ...ofForks, port }, authority),
    afterResponses: (action) => void setTimeout(action, responseMilliseconds).unref(),
  };
}

/** The host for URLs of a listener. */
function reachable(host: string): string {
  const address = reachableAddress(host);
  return isIP(address) === 6 ? `[${address}]` : address;
}

/** A listener on all addresses is reached on the loopback. */
function reachableAddress(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  return host === "::" ? "::1" : host;
}
