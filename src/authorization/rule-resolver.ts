import type { UserInfo } from "../apimachinery/user-info.ts";
import type { PolicyRule } from "./rbac-rules.ts";

/** The rules that apply to a user in a namespace, as far as they can be listed. */
export interface SubjectRules {
  readonly rules: readonly PolicyRule[];
  /** Whether the user may be allowed more than the rules say. */
  readonly isIncomplete: boolean;
  /** The errors that prevented some rules from being found; empty without errors. */
  readonly evaluationError: string;
}

/** Lists what an authorizer allows to a user. */
export type RuleResolver = (user: UserInfo, namespace: string) => SubjectRules;
