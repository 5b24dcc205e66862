import type { Clock } from "../apimachinery/clock.ts";
import type { OpenWatches } from "./open-watches.ts";
import type { StateView } from "./state-view.ts";

/** The cluster as a scenario finds it when it comes into force. */
export interface StruckCluster {
  readonly clock: Clock;
  /** Cuts all clients off until the function returned is called. */
  readonly interrupt: () => () => void;
  /** The watches that clients have open. */
  readonly watches: OpenWatches;
  /** A view of the state as it was so many revisions ago, or as long ago as is remembered. */
  readonly viewOf: (revisionsAgo: number) => StateView;
  /** Forgets history: every resourceVersion that a client knows by now is too old. */
  readonly expireHistory: () => void;
}
