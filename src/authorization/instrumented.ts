import type { AuthorizationMetrics } from "./contract/authorization-metrics.ts";
import type { AuthorizationOf, Decision } from "./contract/authorizer.ts";

/** Counts the decisions that end the authorization of a request. Upstream: apiserver, pkg/authorization/metrics. */
export function instrumented(
  authorizationOf: AuthorizationOf,
  type: string,
  name: string,
  metrics: AuthorizationMetrics,
): AuthorizationOf {
  const allowed = `decision="allowed",name="${name}",type="${type}"`;
  const denied = `decision="denied",name="${name}",type="${type}"`;
  const counted = (decision: Decision): Decision => {
    if (decision.verdict === "allow") metrics.count("decisions_total", allowed);
    else if (decision.verdict === "deny") metrics.count("decisions_total", denied);
    return decision;
  };
  return (state) => {
    const { authorize, rulesFor } = authorizationOf(state);
    return {
      authorize: (attributes) => {
        const decision = authorize(attributes);
        return decision instanceof Promise ? decision.then(counted) : counted(decision);
      },
      rulesFor,
    };
  };
}
