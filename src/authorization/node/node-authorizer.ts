import { goQuote } from "../../apimachinery/go/go-quote.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import { type AuthorizationOf, type Decision, noRules } from "../contract/authorizer.ts";
import type { PolicyRule } from "../contract/policy-rule.ts";
import { RoleRules } from "../rbac/role-rules.ts";
import type { NodeDecision } from "./node-decision.ts";
import { nodeOf } from "./node-identity.ts";

/** What the authorizer depends on. */
export interface NodeEnvironment {
  readonly gates: Pick<FeatureGates, "isEnabled">;
  /** The rules of the role `system:node` of the release. Upstream: bootstrappolicy/policy.go, `NodeRules`. */
  readonly nodeRules: () => readonly PolicyRule[];
}

const refused = (reason: string): Decision => ({ verdict: "noOpinion", reason });

/**
 * Allows nodes what they need for the pods that run on them: `--authorization-mode=Node`. The rules are loaded with the first
 * request of a node. Upstream: plugin/pkg/auth/authorizer/node/node_authorizer.go.
 */
export function nodeAuthorization({ gates, nodeRules }: NodeEnvironment): AuthorizationOf {
  const reads = gates.isEnabled("AuthorizeNodeWithSelectors") ? "narrow" : "broad";
  return ({ lister }) => {
    let decide: NodeDecision | undefined;
    const loaded = async (): Promise<NodeDecision> => {
      const { nodeDecision } = await import("./node-decision.ts");
      decide ??= nodeDecision(lister, reads, new RoleRules(nodeRules()));
      return decide;
    };
    return {
      authorize: ({ user, info }) => {
        const node = nodeOf(user);
        if (node === undefined) return refused("");
        if (node === "") return refused(`unknown node for user ${goQuote(user.name)}`);
        return decide?.(node, info) ?? loaded().then((decideLater) => decideLater(node, info));
      },
      rulesFor: (user) =>
        nodeOf(user) === undefined
          ? noRules
          : {
              rules: [],
              isIncomplete: true,
              errors: ["node authorizer does not support user rule resolution"],
            },
    };
  };
}
