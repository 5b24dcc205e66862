import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { ReachabilityControl } from "../request/reachability.ts";
import type { ClusterControls } from "../scenario/cluster-controls.ts";
import type { EstablishmentHolds } from "../scenario/establishment-holds.ts";
import type { OpenWatches } from "../scenario/open-watches.ts";
import { ReplicaView } from "../scenario/replica-view.ts";
import type { Store } from "../store/store.ts";
import type { ApiServerOutages } from "./api-server-outages.ts";
import type { Config } from "./options.ts";
import type { ClientNames } from "./service-name/client-names.ts";
import { expireHistory } from "./state-changes.ts";

/** The connections of clients. */
interface Connections {
  readonly watches: OpenWatches;
  readonly reachability: ReachabilityControl;
}

/** The other parts of a cluster that faults change. */
interface ControlledParts {
  readonly outages: ApiServerOutages;
  readonly establishment: EstablishmentHolds;
  readonly names: ClientNames;
  /** The present store. */
  readonly state: () => Store<KubeObject>;
}

/** What faults do to a cluster. */
export function controlsFor(
  { clock, simulatedFailures }: Pick<Config, "clock" | "simulatedFailures">,
  { watches, reachability }: Connections,
  { outages, establishment, names, state }: ControlledParts,
): ClusterControls {
  return {
    clock,
    watches,
    interrupt: (refused) => reachability.interrupt(refused),
    takeDown: (gv) => outages.takeDown(gv),
    viewOf: (revisionsAgo) => new ReplicaView(state(), revisionsAgo),
    expireHistory: () => expireHistory(state()),
    holdEstablishment: (group) => establishment.hold(names.real(group)),
    simulate: (failure, part, struck) => simulatedFailures.begin(names.real(failure), part, struck),
  };
}
