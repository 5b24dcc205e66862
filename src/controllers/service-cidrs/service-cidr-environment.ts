import type { Clock } from "../../apimachinery/clock.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { ServedApi } from "../../served/served-api.ts";
import type { ControllerClient } from "../contract/controller.ts";

/** What the controllers of ServiceCIDRs and IPAddresses work with. */
export interface ServiceCidrEnvironment {
  readonly lister: Lister;
  /** The client of kube-controller-manager. */
  readonly client: ControllerClient;
  /** The server's own client. */
  readonly serverClient: Pick<ControllerClient, "create" | "delete">;
  readonly served: Pick<ServedApi, "current">;
  readonly clock: Pick<Clock, "now">;
  readonly gates: FeatureGates;
}
