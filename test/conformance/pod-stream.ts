import { Agent, WebSocket } from "undici-7";
import type { Cluster } from "../../src/index.ts";
import { type Serving, serve } from "../../src/transports/node/serve.ts";

export const v5 = "v5.channel.k8s.io";
export const v4 = "v4.channel.k8s.io";
export const execPath = "/api/v1/namespaces/default/pods/web/exec?command=greet&stdout=1";

/** Adds a pod whose commands write two lines. */
export async function loadPod(cluster: Cluster): Promise<void> {
  const spec = { containers: [{ name: "c", image: "i" }] };
  await cluster.load([{ apiVersion: "v1", kind: "Pod", metadata: { name: "web" }, spec }]);
  cluster.pod("web").onExec(async ({ stdout }) => {
    await stdout.write("hello");
    await stdout.write("bye");
    return 0;
  });
}

/** A port on which commands run in the pod over WebSockets. */
export class PodStreams {
  readonly server: Serving;
  readonly #cluster: Cluster;
  readonly #agent = new Agent();

  private constructor(cluster: Cluster, server: Serving) {
    this.#cluster = cluster;
    this.server = server;
  }

  static async open(cluster: Cluster): Promise<PodStreams> {
    await loadPod(cluster);
    return new PodStreams(cluster, await serve(cluster, { tls: false }));
  }

  /**
   * What a client sees of a command: the selected protocol, the messages with data on each channel, and how the connection closed.
   * Without a close, it is `silent` once another command has ended.
   */
  async run(protocols: readonly string[], path: string = execPath): Promise<readonly string[]> {
    const { lines, closed } = this.#connect(protocols, path);
    await closed;
    return lines;
  }

  async runSilent(count: number): Promise<readonly string[]> {
    const { lines, until } = this.#connect([v5], execPath);
    await until(count + 1);
    await this.run([v5]);
    return [...lines, "silent"];
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
    await this.server.close();
  }

  #connect(protocols: readonly string[], path: string) {
    const socket = new WebSocket(`${this.server.url.replace(/^http/, "ws")}${path}`, {
      protocols: [...protocols],
      headers: { authorization: `Bearer ${this.#cluster.adminToken()}` },
      dispatcher: this.#agent,
    });
    socket.binaryType = "arraybuffer";
    const lines: string[] = [];
    let wake = () => {};
    const add = (line: string) => {
      lines.push(line);
      wake();
    };
    socket.addEventListener("open", () => add(socket.protocol));
    socket.addEventListener("error", () => {});
    socket.addEventListener("message", ({ data }) => {
      const bytes = typeof data === "string" ? new TextEncoder().encode(data) : new Uint8Array(data);
      if (bytes.byteLength < 2) return;
      const text = new TextDecoder().decode(bytes.subarray(1));
      add(`${bytes[0]} ${text.startsWith("{") ? JSON.parse(text).status : text}`);
    });
    const closed = new Promise<void>((resolve) => {
      socket.addEventListener("close", ({ code }) => {
        add(`closed ${code}`);
        resolve();
      });
    });
    const until = async (count: number) => {
      while (lines.length < count) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    };
    return { lines, closed, until };
  }
}
