import type { Lister } from "../apimachinery/lister.ts";
import type { FeatureGates } from "../catalog/feature-gates.ts";
import type { AdmissionPlugin } from "./contract/admission.ts";
import type { PodPluginName } from "./participations.ts";
import { defaultTolerationSeconds } from "./plugins/default-toleration-seconds.ts";
import { runtimeClass } from "./plugins/runtime-class.ts";
import { serviceAccount } from "./plugins/service-account.ts";

/** What the plugins for pods need from the server. */
export interface PodPluginEnvironment {
  readonly lister: Lister;
  readonly gates: FeatureGates;
  /** Random characters for the end of a generated name. */
  readonly suffix: (length: number) => string;
  /** Resolves when the controllers have caught up. */
  readonly settle: () => Promise<void>;
}

/** The plugins that only look at pods. */
export const podPlugins: {
  readonly [name in PodPluginName]: (environment: PodPluginEnvironment) => AdmissionPlugin;
} = {
  DefaultTolerationSeconds: defaultTolerationSeconds,
  RuntimeClass: ({ lister, gates }) => runtimeClass(lister, gates),
  ServiceAccount: ({ lister, suffix, settle }) => serviceAccount(lister, suffix, settle),
};
