import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { Release } from "../apimachinery/release.ts";
import type { ControllerProgress } from "../controllers/controller-manager.ts";
import type { Store } from "../store/store.ts";
import type { OutgoingTargets } from "../webhooks/outgoing-targets.ts";
import type { SharedStart } from "./cluster-start.ts";
import type { ClusterCredentials } from "./credentials.ts";

/** A server that runs, by its number and its release. */
export interface RunningServer {
  readonly number: number;
  readonly release: Release;
}

/** A server of a cluster. */
interface GroupedServer extends RunningServer {
  close(): Promise<void>;
}

/** What a server shares with the others of its cluster, besides the objects. */
interface JoinedCluster {
  readonly credentials: ClusterCredentials;
  readonly group: ServerGroup;
}

/** What a fork has of its origin, and a further server of its cluster. */
export interface Inherited {
  readonly state?: Store<KubeObject>;
  readonly targets?: OutgoingTargets;
  readonly controllers?: ControllerProgress | undefined;
  readonly start?: SharedStart | undefined;
  /** Only for a further server. */
  readonly joined?: JoinedCluster;
}

/** The servers over the same objects. The first one closes the others. */
export class ServerGroup {
  readonly #servers = new Set<GroupedServer>();
  /** Ends with the last change. */
  #changing: Promise<unknown> = Promise.resolve();

  /** How many servers have joined; those that have left count. */
  #joined = 0;

  join(server: GroupedServer): void {
    this.#servers.add(server);
    this.#joined += 1;
  }

  /** What a further server has to know: the releases of those that are there, and its number. The first one has 1. */
  joining(): { readonly others: readonly Release[]; readonly server: number } {
    return { others: [...this.#servers].map(({ release }) => release), server: this.#joined + 1 };
  }

  /** The servers that have not closed. */
  get running(): readonly RunningServer[] {
    return [...this.#servers];
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
