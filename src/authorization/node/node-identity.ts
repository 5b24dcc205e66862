import type { UserInfo } from "../../apimachinery/user-info.ts";

const prefix = "system:node:";
const nodesGroup = "system:nodes";

/**
 * The name of the node that a user is; empty if the user is a node without a name, undefined if the user is not a node.
 * Upstream: pkg/auth/nodeidentifier/default.go.
 */
export function nodeOf({ name, groups }: UserInfo): string | undefined {
  return name.startsWith(prefix) && groups.includes(nodesGroup) ? name.slice(prefix.length) : undefined;
}
