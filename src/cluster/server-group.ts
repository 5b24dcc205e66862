import type { Release } from "../apimachinery/release.ts";
import type { ClusterCredentials } from "./credentials.ts";

/** A server of a cluster. */
interface GroupedServer {
  readonly release: Release;
  close(): Promise<void>;
}

/** What a server shares with the others of its cluster, besides the objects. */
export interface JoinedCluster {
  readonly credentials: ClusterCredentials;
  readonly group: ServerGroup;
}

/** The servers over the same objects. The first one closes the others. */
export class ServerGroup {
  readonly #servers = new Set<GroupedServer>();
  /** Ends with the last change. */
  #changing: Promise<unknown> = Promise.resolve();

  join(server: GroupedServer): void {
    this.#servers.add(server);
  }

  /** The releases of the servers besides this one. */
  othersThan(server: GroupedServer): readonly Release[] {
    return [...this.#servers].filter((one) => one !== server).map(({ release }) => release);
  }

  /** Changes of releases, and new servers, come one after the other. @throws {Error} if the server is closed */
  async inTurn<T>(server: GroupedServer, change: () => Promise<T>): Promise<T> {
    const turn = this.#changing.then(() => {
      if (this.#servers.has(server)) return change();
      throw new Error("the cluster is closed");
    });
    this.#changing = turn.catch(() => {});
    return turn;
  }

  /** A server that closes leaves the group; if it is the first one, the others close as well. */
  async leave(server: GroupedServer): Promise<void> {
    const [first] = this.#servers;
    this.#servers.delete(server);
    if (first === server) await Promise.all([...this.#servers].map((other) => other.close()));
  }
}
