import { isIP } from "node:net";
import { kubeconfig } from "../contract/kubeconfig.ts";
import type { Served } from "../contract/served.ts";
import { apiServerHosts, createAuthority } from "./certificates.ts";
import { listen } from "./listen.ts";
import type { Upgrade } from "./upgrade.ts";

export interface ServeOptions {
  /** Default: one that is free. */
  readonly port?: number;
  /** The address to listen on. Default: `127.0.0.1`, which nobody else can reach. */
  readonly host?: string;
  /** `false` serves plain HTTP/1.1. Default: `true`, with a certificate by an authority made for this server. */
  readonly tls?: boolean;
  /** PEM of the authorities whose client certificates authenticate. Default: none, and clients are not asked for any. */
  readonly clientCa?: string;
  /** Takes over connections whose clients ask for another protocol. Default: they get an ordinary answer. */
  readonly upgrade?: Upgrade;
}

/** A cluster on a port. */
export interface Serving {
  readonly url: string;
  readonly port: number;
  /** The PEM of the authority to trust; empty without TLS. */
  readonly caCertificate: string;
  /** The YAML of a kubeconfig for an administrator. */
  kubeconfig(): string;
  /** Ends open watches cleanly and frees the port. */
  close(): Promise<void>;
}

/** Serves a cluster to clients of any language. */
export async function serve(cluster: Served, options: ServeOptions = {}): Promise<Serving> {
  const { port: wantedPort = 0, host = "127.0.0.1", tls = true, clientCa, upgrade } = options;
  const authority = tls ? createAuthority() : undefined;
  const { port, close } = await listen(cluster.handler, {
    port: wantedPort,
    host,
    tls: authority && {
      ...authority.issue({ commonName: "kube-apiserver", usage: "server", hosts: [...apiServerHosts, host] }),
      clientCa,
    },
    upgrade,
    reachability: cluster.reachability,
  });
  const url = `${tls ? "https" : "http"}://${reachable(host)}:${port}`;
  const caCertificate = authority?.certificate ?? "";
  return {
    url,
    port,
    caCertificate,
    kubeconfig: () =>
      kubeconfig({
        server: url,
        token: cluster.adminToken(),
        ...(tls && { certificateAuthorityData: Buffer.from(caCertificate).toString("base64") }),
      }),
    close,
  };
}

/** The host of a URL that leads to a listener: one that listens everywhere is met on the loopback. */
function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return isIP(host) === 6 ? `[${host}]` : host;
}
