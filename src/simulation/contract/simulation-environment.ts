import type { Clock } from "../../apimachinery/clock.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { Release } from "../../apimachinery/release.ts";
import type { UserInfo } from "../../apimachinery/user-info.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { ControllerClient } from "../../controllers/contract/controller.ts";
import type { Identifiers } from "../../registry/contract/system-fields.ts";
import type { ClusterFailures } from "./cluster-failures.ts";
import type { PlayedStages } from "./played-stages.ts";
import type { RawApi } from "./raw-api.ts";
import type { LifeScripts } from "./scripted-life.ts";

/** The dependencies of all simulated components. */
export interface SimulationEnvironment {
  /** Reads the latest state, so a controller sees its own writes at once and needs no expectations. */
  readonly lister: Lister;
  /** The client of kube-controller-manager. */
  readonly client: ControllerClient;
  /** A client of another component. `agent` becomes the manager of the fields that it writes. */
  readonly clientOf: (user: UserInfo, agent: string) => ControllerClient;
  /** The requests of kube-controller-manager that are not about objects. */
  readonly api: RawApi;
  readonly clock: Clock;
  /** The only source of random values: the same for the same seed. */
  readonly identifiers: Identifiers;
  readonly gates: FeatureGates;
  readonly release: Release;
  /** How pods live. */
  readonly podScripts: LifeScripts;
  /** Stages of KWOK. */
  readonly stages: PlayedStages;
  readonly failures: ClusterFailures;
}
