import type { StatusError } from "../apimachinery/errors/errors.ts";
import type { ReplicaView } from "./replica-view.ts";
import type { WatchDeliveries } from "./watch-deliveries.ts";

/**
 * Where tests intervene in the endpoints, which consult this in two places: when they open a watch, and when they
 * answer a delete.
 */
export interface Interventions {
  /** Holds back the events of watches. */
  readonly watches: WatchDeliveries;
  /** The answer to a delete that removed the object; undefined for that of the kind. */
  readonly deleteReturns: "object" | "status" | undefined;
}

/** What a fault changes when the server answers the request that it strikes. */
export interface AnswerOptions {
  /** The state from which the server answers. Default: the newest. */
  readonly from?: ReplicaView;
  /** The answer to a delete that removed the object. Default: that of the kind. */
  readonly deleteReturns?: "object" | "status";
  /** The error with which admission refuses the object; `name` is the name it uses for it. Default: none. */
  readonly refuse?: (name: string) => StatusError;
}
