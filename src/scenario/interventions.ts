import type { StatusError } from "../apimachinery/errors/errors.ts";
import type { ReplicaView } from "./replica-view.ts";
import type { WatchDeliveries } from "./watch-deliveries.ts";

/** What tests change in the endpoints, which consult it when they open a watch and when they respond to a delete. */
export interface Interventions {
  /** Holds back the events of watches. */
  readonly watches: WatchDeliveries;
  /** The response to a delete that removes the object; the kind decides if undefined. */
  readonly deleteReturns: "object" | "status" | undefined;
}

/** What a fault changes in the response to a request. */
export interface AnswerOptions {
  /** The state that the server reads. Default: the newest. */
  readonly from?: ReplicaView;
  /** The response to a delete that removes the object. Default: that of the kind. */
  readonly deleteReturns?: "object" | "status";
  /** Makes the error with which admission refuses the request, from the object's name in admission. Default: none. */
  readonly refuse?: (name: string) => StatusError;
}
