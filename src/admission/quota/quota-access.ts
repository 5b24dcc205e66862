import type { Lister } from "../../apimachinery/lister.ts";
import type { LoadQuotaEvaluators } from "../../registry/contract/quota-evaluator.ts";
import type { KeyedMutex } from "./keyed-mutex.ts";
import type { UpdateQuotaStatus } from "./refund.ts";

/** What the plugin needs from the server. */
export interface QuotaAccess {
  readonly lister: Lister;
  /** Writes the status of a quota as the user of the server itself. */
  readonly updateQuotaStatus: UpdateQuotaStatus;
  /** Serializes charges and recounts per namespace. */
  readonly quotaMutex: KeyedMutex;
  readonly quotaEvaluators: LoadQuotaEvaluators;
}
