import type { UserInfo } from "../../apimachinery/user-info.ts";
import type { Authorizer, Decision } from "../../authorization/contract/authorizer.ts";
import type {
  AuthorizationCheck,
  AuthorizationVerdict,
  CheckAuthorization,
} from "../../cel/libraries/kubernetes/authorizers.ts";
import type { RequestInfo } from "../../request/request-info.ts";

/** An evaluation needs a decision of the authorizer that takes time. It starts again with the decision. */
class PendingDecision extends Error {
  readonly decision: Promise<void>;

  constructor(decision: Promise<void>) {
    super("the decision of the authorizer is pending");
    this.decision = decision;
  }
}

/**
 * What the authorizer says about a user, for the expressions of one request. Each question is asked once. Upstream: apiserver,
 * pkg/cel/library/authz.go and pkg/admission/plugin/authorizer/caching_authorizer.go.
 */
export class AuthorizerChecks {
  readonly #user: UserInfo;
  readonly #authorize: Authorizer;
  readonly #decisions = new Map<string, AuthorizationVerdict>();

  constructor(user: UserInfo, authorize: Authorizer) {
    this.#user = user;
    this.#authorize = authorize;
  }

  readonly check: CheckAuthorization = (check) => {
    const key = JSON.stringify(check);
    const known = this.#decisions.get(key);
    if (known !== undefined) return known;
    const deciding = this.#authorize({ user: this.#subject(check), info: infoOf(check) });
    const keep = (decision: Decision): AuthorizationVerdict => {
      const verdict = verdictOf(decision);
      this.#decisions.set(key, verdict);
      return verdict;
    };
    if (!(deciding instanceof Promise)) return keep(deciding);
    throw new PendingDecision(deciding.then(keep).then(() => {}));
  };

  /** Runs an evaluation, again after each decision that takes time. */
  evaluate<T>(run: () => T): Promise<T> | T {
    try {
      return run();
    } catch (error) {
      if (!(error instanceof PendingDecision)) throw error;
      return error.decision.then(() => this.evaluate(run));
    }
  }

  #subject({ serviceAccount }: AuthorizationCheck): UserInfo {
    if (serviceAccount === undefined) return this.#user;
    const { namespace, name } = serviceAccount;
    const groups = ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"];
    return { name: `system:serviceaccount:${namespace}:${name}`, uid: "", groups, extra: {} };
  }
}

function verdictOf({ verdict, reason, error }: Decision): AuthorizationVerdict {
  return { isAllowed: verdict === "allow", reason, ...(error !== undefined && { error }) };
}

function infoOf(check: AuthorizationCheck): RequestInfo {
  const { verb } = check;
  if (check.kind === "path") return { isResourceRequest: false, path: check.path, verb };
  const { group, resource, subresource, namespace, name, fieldSelector, labelSelector } = check;
  return {
    isResourceRequest: true,
    path: "",
    verb,
    group,
    version: "*",
    namespace,
    isBelowNamespace: namespace !== "",
    resource,
    subresource,
    name,
    parts: [],
    fieldSelector,
    labelSelector,
  };
}
