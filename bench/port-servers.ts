import { median } from "./benchmark.ts";
import { Child } from "./child.ts";
import { type counters, RawClient } from "./raw-client.ts";

export type Security = "plain" | "tls";

/** A server on a port, and the token of its clients. */
export class PortServer {
  readonly #child: Child;
  readonly #security: Security;
  readonly #token: string;
  readonly #port: number;

  private constructor(child: Child, security: Security, token: string, port: number) {
    this.#child = child;
    this.#security = security;
    this.#token = token;
    this.#port = port;
  }

  static async start(security: Security, name: string, ...args: readonly string[]): Promise<PortServer> {
    const child = await Child.start(name, security, ...args);
    const token = name === "port" ? await child.ask<string>("token") : (args[1] ?? "");
    return new PortServer(child, security, token, await child.ask<number>("port"));
  }

  /** Plain Node, which sends what it has recorded of this server. */
  async reference(): Promise<PortServer> {
    const scheme = this.#security === "tls" ? "https" : "http";
    const origin = `${scheme}://127.0.0.1:${this.#port}`;
    return PortServer.start(this.#security, "plain-port", origin, this.#token);
  }

  ask<T>(message: string): Promise<T> {
    return this.#child.ask<T>(message);
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }

  get(target: string): string {
    return `GET ${target} HTTP/1.1\r\n${this.#headers()}\r\n`;
  }

  post(target: string, body: string): string {
    const type = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
    return `POST ${target} HTTP/1.1\r\n${this.#headers()}${type}\r\n${body}`;
  }

  #headers(): string {
    return (
      "Host: 127.0.0.1\r\nUser-Agent: bench/1.0\r\nAccept: application/json\r\n" +
      `Authorization: Bearer ${this.#token}\r\n`
    );
  }

  async connected(count: number, counts: keyof typeof counters): Promise<readonly RawClient[]> {
    const clients: RawClient[] = [];
    while (clients.length < count) clients.push(await RawClient.open(this.#port, this.#security, counts));
    return clients;
  }

  /**
   * The CPU time of the server while its clients work. The clients stay awake: waking a process costs its sender
   * as much as a small response, and a slower server would find its clients asleep more often.
   */
  async cpuOf(work: () => Promise<unknown>): Promise<number> {
    let isAwake = true;
    const stayAwake = (): void => {
      if (isAwake) setImmediate(stayAwake);
    };
    stayAwake();
    const before = await this.ask<number>("cpu");
    await work();
    const cpu = (await this.ask<number>("cpu")) - before;
    isAwake = false;
    return cpu;
  }
}

/** The ratio of what a measurement finds for our server, with so many pods, and for plain Node. */
export async function portRatio(
  security: Security,
  pods: number,
  prepare: (server: PortServer, subject: PortServer) => Promise<() => Promise<number>>,
): Promise<number> {
  const subject = await PortServer.start(security, "port", String(pods));
  const reference = await subject.reference();
  const theirs = await prepare(reference, subject);
  const ours = await prepare(subject, subject);
  const ratio = await ratioOf(theirs, ours);
  await Promise.all([subject.stop(), reference.stop()]);
  return ratio;
}

async function ratioOf(reference: () => Promise<number>, subject: () => Promise<number>): Promise<number> {
  const ratios: number[] = [];
  for (let index = -1; index < 9; index++) {
    const base = await reference();
    const ratio = (await subject()) / base;
    // The first pair only warms up the compilers.
    if (index >= 0) ratios.push(ratio);
  }
  return median(ratios);
}
