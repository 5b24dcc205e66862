import type { MutableJsonObject } from "../../apimachinery/json.ts";
import {
  all,
  type Defaulter,
  ifSet,
  inStruct,
  sentStruct,
  whenUnset,
  whenZero,
} from "../defaulting/defaulter.ts";

/** Says that a zero, which before v1 could not be told from unset, is meant. */
const keepsZero = "flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares";
const concurrencyShares = 30;

/** FlowSchema */
export const flowSchemaDefaults: Defaulter = inStruct("spec", whenZero({ matchingPrecedence: 1000 }));

const exempt = ifSet("exempt", whenUnset({ nominalConcurrencyShares: 0, lendablePercent: 0 }));

const queuing = ifSet(
  "limitResponse",
  ifSet("queuing", whenZero({ queues: 64, handSize: 8, queueLengthLimit: 50 })),
);
const limited = ifSet("limited", whenUnset({ lendablePercent: 0 }), queuing);

/** What the shares were called before v1beta3. */
const assuredShares = ifSet("limited", whenZero({ assuredConcurrencyShares: concurrencyShares }));

/** PriorityLevelConfiguration of v1 */
export const priorityLevelDefaults: Defaulter = ifSet(
  "spec",
  exempt,
  ifSet("limited", whenUnset({ nominalConcurrencyShares: concurrencyShares })),
  limited,
);

/** PriorityLevelConfiguration of v1beta3 */
export const v1beta3PriorityLevelDefaults: Defaulter = all(nominalShares, ifSet("spec", exempt, limited));

/** PriorityLevelConfiguration of v1beta1 and v1beta2 */
export const earlyPriorityLevelDefaults: Defaulter = ifSet("spec", exempt, assuredShares, limited);

/** PriorityLevelConfiguration of v1alpha1 */
export const alphaPriorityLevelDefaults: Defaulter = ifSet("spec", assuredShares, ifSet("limited", queuing));

const nominalWhenZero = ifSet(
  "spec",
  ifSet("limited", whenZero({ nominalConcurrencyShares: concurrencyShares })),
);

function nominalShares(level: MutableJsonObject): void {
  const metadata = sentStruct(level, "metadata");
  const annotations = metadata && sentStruct(metadata, "annotations");
  if (annotations?.[keepsZero] === undefined) nominalWhenZero(level);
}
