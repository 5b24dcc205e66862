import type { Clock } from "../apimachinery/clock.ts";
import type { GroupVersion } from "../apimachinery/group-version.ts";
import type { OpenWatches } from "./open-watches.ts";
import type { ReplicaView } from "./replica-view.ts";
import type { SimulatedFailure, SimulatedPart } from "./simulated-failures.ts";

/** What a scenario can do to the cluster when it takes effect. */
export interface ClusterControls {
  readonly clock: Clock;
  /**
   * Disconnects all clients until the returned function is called. `refused` is called for each request that is refused
   * meanwhile, and once for all clients of a port, whose attempts cannot be seen.
   */
  readonly interrupt: (refused: () => void) => () => void;
  /** Takes down the server behind an APIService until the returned function is called. */
  readonly takeDown: (gv: GroupVersion) => () => void;
  /** The open watches of clients. */
  readonly watches: OpenWatches;
  /** The state as it was this many revisions ago, or as far back as history goes. */
  readonly viewOf: (revisionsAgo: number) => ReplicaView;
  /** Compacts history: every resourceVersion that a client knows is too old afterwards. */
  readonly expireHistory: () => void;
  /** Keeps the CustomResourceDefinitions of a group from being established until the returned function is called. */
  readonly holdEstablishment: (group: string) => () => void;
  /**
   * Lets a part of the simulated cluster itself fail until the returned function is called. `struck` is called when it shows.
   * @throws {Error} if the part that fails is not simulated
   */
  readonly simulate: (failure: SimulatedFailure, part: SimulatedPart, struck: () => void) => () => void;
}
