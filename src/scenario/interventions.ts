import type { StatusError } from "../apimachinery/errors/errors.ts";
import type { HeaderLookup } from "../request/handler.ts";
import type { HealthControl } from "./health-control.ts";
import type { ReplicaView } from "./replica-view.ts";
import type { WatchDeliveries } from "./watch-deliveries.ts";

/** Chooses the response to a delete that removes the object, instead of the usual one. */
export type DeleteAnswer = (usual: "object" | "status") => "object" | "status";

/** What tests change in the endpoints, which consult it when they open a watch, respond to a delete, or check the server's health. */
export interface Interventions {
  /** Holds back the events of watches. */
  readonly watches: WatchDeliveries;
  /** Chooses the response to a delete that removes the object; the kind decides if undefined. */
  readonly deleteReturns: DeleteAnswer | undefined;
  /** The checks that fail. */
  readonly health: HealthControl;
}

/** Admission webhooks that do not answer. */
export interface SilentWebhooks {
  /** The name of the webhook; undefined for all. */
  readonly webhook: string | undefined;
  /** A webhook is called. */
  readonly called: () => void;
  /** Makes the error with which admission refuses the request if no configuration has such a webhook, from the object's name. */
  readonly refuse: (name: string) => StatusError;
}

/** What a fault changes in the response to a request. */
export interface AnswerOptions {
  /** The headers that the server reads. Default: those that the client sent. */
  readonly headers?: HeaderLookup;
  /** The state that the server reads. Default: the newest. */
  readonly from?: ReplicaView;
  /** Chooses the response to a delete that removes the object. Default: that of the kind. */
  readonly deleteReturns?: DeleteAnswer;
  /** The webhooks that do not answer when admission calls them. Default: none. */
  readonly silent?: SilentWebhooks;
  /** Makes the error with which admission refuses the request, from the object's name in admission. Default: none. */
  readonly refuse?: (name: string) => StatusError;
}
