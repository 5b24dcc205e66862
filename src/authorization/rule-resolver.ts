import type { UserInfo } from "../apimachinery/user-info.ts";
import type { PolicyRule } from "./rbac-rules.ts";

/** What somebody may do in a namespace and outside of all, as far as it can be listed. */
export interface SubjectRules {
  readonly rules: readonly PolicyRule[];
  /** Whether the user may do more than the rules say. */
  readonly isIncomplete: boolean;
  /** What was in the way of some rules; empty when nothing was. */
  readonly evaluationError: string;
}

/** Lists what an authorizer allows to somebody. */
export type RuleResolver = (user: UserInfo, namespace: string) => SubjectRules;
