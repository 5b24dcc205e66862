import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { ExpiredCredentials } from "../authentication/expired-credentials.ts";
import type { StaticTokens } from "../authentication/static-token.ts";
import type { ControllerProgress } from "../controllers/controller-manager.ts";
import type { ReachabilityControl } from "../request/reachability.ts";
import type { EstablishmentHolds } from "../scenario/establishment-holds.ts";
import type { Faults } from "../scenario/faults.ts";
import type { HealthControl } from "../scenario/health-control.ts";
import type { OpenWatches } from "../scenario/open-watches.ts";
import type { RequestLog } from "../scenario/request-log.ts";
import type { WatchDeliveries } from "../scenario/watch-deliveries.ts";
import type { Store } from "../store/store.ts";
import type { OutgoingTargets } from "../webhooks/outgoing-targets.ts";
import type { ApiServerOutages } from "./api-server-outages.ts";
import type { ClusterStart } from "./cluster-start.ts";
import type { SimulationMaker } from "./controllers-for.ts";
import type { Config } from "./options.ts";
import type { PublishedServer } from "./published-server.ts";
import type { ServerGroup } from "./server-group.ts";

/** The parts of a server. */
export interface ServerOptions {
  readonly config: Config;
  /** Holds the objects that a new server creates. */
  readonly store: Store<KubeObject>;
  readonly tokens: StaticTokens;
  /** The credentials that tests have made expire. */
  readonly expired: ExpiredCredentials;
  /** Records the requests of clients. */
  readonly log: RequestLog;
  /** The injected faults. */
  readonly faults: Faults;
  /** Orders the events of their watches. */
  readonly deliveries: WatchDeliveries;
  /** The checks that fail. */
  readonly health: HealthControl;
  /** The servers behind APIServices that are down. */
  readonly outages: ApiServerOutages;
  /** The definitions that tests keep from being established. */
  readonly establishment: EstablishmentHolds;
  /** Whether clients can reach the server. */
  readonly reachability: ReachabilityControl;
  /** The open watches of clients. */
  readonly watches: OpenWatches;
  /** All servers of the cluster. */
  readonly group: Pick<ServerGroup, "running">;
  /** What answers for servers that objects name. */
  readonly targets: OutgoingTargets;
  /** How the cluster describes this server to clients. */
  readonly published: PublishedServer;
  /** Ends once the store holds the initial objects too. */
  readonly start: ClusterStart;
  /** How far controllers have come with this state; undefined if they start with it. */
  readonly controllers: ControllerProgress | undefined;
  /** Makes the controllers of a simulated cluster; undefined without a simulation. */
  readonly simulation: SimulationMaker | undefined;
  /** Ends open watches and the controllers. */
  readonly closing: AbortSignal;
  /**
   * Whether the store has the objects of every new cluster of these options, those of another cluster that was forked or
   * restored, or those of a server of another release.
   */
  readonly origin: "new" | "given" | "stored";
}
