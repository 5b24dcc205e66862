import { parseIp } from "../apimachinery/ip.ts";
import type { OpenPort } from "../transports/contract/served.ts";

/** Where clients reach the server. */
export interface ServerEndpoint {
  /** An IP address. */
  readonly address: string;
  readonly port: number;
}

/**
 * How the cluster describes its server to clients: in `/api`, in the Service `kubernetes` and its endpoints, and in the
 * ConfigMaps `kube-root-ca.crt`. Options come first, then the port that was opened first.
 */
export class PublishedServer {
  readonly #rootCa: string | undefined;
  readonly #advertiseAddress: string | undefined;
  readonly #ports = new Set<OpenPort>();
  readonly #listeners = new Set<() => void>();

  constructor(options: {
    readonly rootCa: string | undefined;
    readonly advertiseAddress: string | undefined;
  }) {
    this.#rootCa = options.rootCa;
    this.#advertiseAddress = options.advertiseAddress;
  }

  /** PEM of the certificate authority; empty if there is none to publish. */
  get rootCa(): string {
    return this.#rootCa ?? this.#port?.rootCa ?? "";
  }

  /** The `host:port` of the server. */
  get advertiseAddress(): string {
    if (this.#advertiseAddress !== undefined) return this.#advertiseAddress;
    const port = this.#port;
    if (port === undefined) return "127.0.0.1:6443";
    return port.address.includes(":") ? `[${port.address}]:${port.port}` : `${port.address}:${port.port}`;
  }

  /** Undefined without an option or an open port, and for an option that has no IP address and port. */
  get endpoint(): ServerEndpoint | undefined {
    if (this.#advertiseAddress !== undefined) return parseEndpoint(this.#advertiseAddress);
    return this.#port;
  }

  /** Publishes an open port. The result withdraws it. */
  advertise(port: OpenPort): () => void {
    const before = this.#port;
    this.#ports.add(port);
    if (this.#port !== before) this.#announce();
    return () => {
      const published = this.#port;
      this.#ports.delete(port);
      if (this.#port !== published) this.#announce();
    };
  }

  get isOpen(): boolean {
    return this.#ports.size > 0;
  }

  /** Calls back after each change, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The open port that was opened first. */
  get #port(): OpenPort | undefined {
    const [first] = this.#ports;
    return first;
  }

  #announce(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** `10.0.0.10:6443` or `[::1]:6443`. */
function parseEndpoint(text: string): ServerEndpoint | undefined {
  const [, address = "", port] = /^\[?([^[\]]*)\]?:(\d+)$/.exec(text) ?? [];
  return parseIp(address) === undefined ? undefined : { address, port: Number(port) };
}
