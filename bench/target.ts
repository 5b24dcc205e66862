import { Agent, request } from "node:https";
import { pod } from "./pod.ts";

export const pods = "/api/v1/namespaces/default/pods";
const clients = 8;

/** A server over TLS that is measured, and how its clients authenticate. */
export interface Target {
  readonly url: string;
  readonly token: string;
}

/** A pod that differs from the others in its name and in two fields, as JSON. */
export function unlikePod(serial: number): string {
  return JSON.stringify(pod(podName(serial)))
    .replace("1.42.0", `1.42.${serial}`)
    .replace('"info"', `"level-${serial}"`);
}

export function podName(serial: number): string {
  return `shop-backend-${String(serial).padStart(6, "0")}`;
}

/** Eight clients of a server on persistent connections. */
export class TargetClients {
  readonly #target: Target;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: clients, rejectUnauthorized: false });

  constructor(target: Target) {
    this.#target = target;
  }

  /** Resolves with the status when the whole answer has come. */
  ask(method: string, path: string, body?: string, contentType = "application/json"): Promise<number> {
    const type = body === undefined ? {} : { "Content-Type": contentType };
    const headers = { Authorization: `Bearer ${this.#target.token}`, ...type };
    return new Promise((resolve, reject) => {
      request(`${this.#target.url}${path}`, { method, headers, agent: this.#agent }, (response) => {
        response.resume().on("end", () => resolve(response.statusCode ?? 0));
      })
        .on("error", reject)
        .end(body);
    });
  }

  /** Asks so many times. @throws {Error} for an answer other than 200 or 201 */
  async repeat(times: number, ask: (index: number) => Promise<number>): Promise<void> {
    let next = 0;
    const client = async (): Promise<void> => {
      while (next < times) {
        const status = await ask(next++);
        if (status !== 200 && status !== 201) throw new Error(`the server answered ${status}`);
      }
    };
    await Promise.all(Array.from({ length: clients }, client));
  }

  close(): void {
    this.#agent.destroy();
  }
}
