import type { MutableJsonObject } from "../../../apimachinery/json.ts";
import { all, type Defaulter, ifSet, sentStruct, whenUnset, whenZero } from "../../defaulting/defaulter.ts";
import { preserveZeroAnnotation } from "./priority-level-configuration-forms.ts";

const concurrencyShares = 30;

const exempt = ifSet("exempt", whenUnset({ nominalConcurrencyShares: 0, lendablePercent: 0 }));

const queuing = ifSet(
  "limitResponse",
  ifSet("queuing", whenZero({ queues: 64, handSize: 8, queueLengthLimit: 50 })),
);
const limited = ifSet("limited", whenUnset({ lendablePercent: 0 }), queuing);

/** The name of the shares before v1beta3. */
const assuredShares = ifSet("limited", whenZero({ assuredConcurrencyShares: concurrencyShares }));

/** PriorityLevelConfiguration of v1. */
export const priorityLevelConfigurationDefaults: Defaulter = ifSet(
  "spec",
  exempt,
  ifSet("limited", whenUnset({ nominalConcurrencyShares: concurrencyShares })),
  limited,
);

/** PriorityLevelConfiguration of v1beta3. */
export const v1beta3PriorityLevelConfigurationDefaults: Defaulter = all(
  defaultNominalShares,
  ifSet("spec", exempt, limited),
);

/** PriorityLevelConfiguration of v1beta1 and v1beta2. */
export const earlyPriorityLevelConfigurationDefaults: Defaulter = ifSet(
  "spec",
  exempt,
  assuredShares,
  limited,
);

/** PriorityLevelConfiguration of v1alpha1. */
export const alphaPriorityLevelConfigurationDefaults: Defaulter = ifSet(
  "spec",
  assuredShares,
  ifSet("limited", queuing),
);

const nominalWhenZero = ifSet(
  "spec",
  ifSet("limited", whenZero({ nominalConcurrencyShares: concurrencyShares })),
);

function defaultNominalShares(level: MutableJsonObject): void {
  const metadata = sentStruct(level, "metadata");
  const annotations = metadata && sentStruct(metadata, "annotations");
  if (annotations?.[preserveZeroAnnotation] === undefined) nominalWhenZero(level);
}
