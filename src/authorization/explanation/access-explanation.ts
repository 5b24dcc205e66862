import { goQuote } from "../../apimachinery/go/go-quote.ts";
import type { FollowingLister, Lister } from "../../apimachinery/lister.ts";
import type { UserInfo } from "../../apimachinery/user-info.ts";
import type { RequestInfo } from "../../request/request-info.ts";
import { abac } from "../abac/abac.ts";
import type { AbacPolicy } from "../abac/policy-file.ts";
import type { Authorization, AuthorizationAttributes, Decision } from "../contract/authorizer.ts";
import { type PolicyRuleObject, policyRuleObject } from "../contract/policy-rule.ts";
import type { RoleFinder } from "../contract/role-finder.ts";
import { NodeGraph } from "../node/node-graph.ts";
import { nodeOf } from "../node/node-identity.ts";
import { privilegedGroup } from "../privileged-group.ts";
import { revokedMember } from "../revocable.ts";
import { type RoleGrant, roleGrantFor } from "./role-grant.ts";
import { resourceOfRule, smallestRule } from "./smallest-rule.ts";

/** Why a user may or may not do something. */
export interface AccessExplanation {
  readonly isAllowed: boolean;
  /** What each mode said, in the order in which the server asks them. The last one decided, unless it had no opinion. */
  readonly verdicts: readonly ModeVerdict[];
  /** The binding and the rule of its role that allow it, if the mode RBAC does. */
  readonly grant?: RoleGrant;
  /** The role that would allow it; undefined if it is allowed, or if no role could allow it. */
  readonly missing?: MissingRole;
  /** All this in sentences. */
  readonly text: string;
}

/** What an authorization mode says about a request. */
export interface ModeVerdict {
  /** The mode, or `system:masters` for the group that precedes all modes. */
  readonly mode: string;
  readonly verdict: Decision["verdict"];
  /** What the server would say, or for a mode that allows without a reason, what allows it. */
  readonly reason: string;
  /** Why the mode could not decide. */
  readonly error?: string;
}

/** The smallest role that would allow a request. */
export interface MissingRole {
  readonly kind: "Role" | "ClusterRole";
  /** The namespace of the Role. */
  readonly namespace?: string;
  readonly rule: PolicyRuleObject;
}

/** What an explanation reads. */
export interface ExplainedServer {
  readonly authorization: Authorization;
  readonly lister: Lister;
  readonly roles: RoleFinder;
  readonly policies: readonly AbacPolicy[];
}

/** Asks the modes as the server does, and finds out why they answer what they do. */
export async function explainAccess(
  attributes: AuthorizationAttributes,
  server: ExplainedServer,
): Promise<AccessExplanation> {
  const verdicts: ModeVerdict[] = [];
  for (const { name, authorization } of server.authorization.members ?? []) {
    const { verdict, reason, error } = await authorization.authorize(attributes);
    // Tests revoke few permissions; for others it would be noise.
    if (name === revokedMember && verdict === "noOpinion") continue;
    const shown = verdict === "allow" && reason === "" ? grounds(name, attributes, server) : reason;
    verdicts.push({ mode: name, verdict, reason: shown, ...(error !== undefined && { error }) });
    if (verdict !== "noOpinion") break;
  }
  const decisive = verdicts.at(-1);
  const isAllowed = decisive?.verdict === "allow";
  const isOfRole = isAllowed && decisive.mode === "RBAC";
  const grant = isOfRole ? roleGrantFor(server.roles, attributes) : undefined;
  const canHelp = decisive?.verdict === "noOpinion" && verdicts.some(({ mode }) => mode === "RBAC");
  const missing = canHelp ? missingRole(attributes.info) : undefined;
  const explained = {
    isAllowed,
    verdicts,
    ...(grant !== undefined && { grant }),
    ...(missing !== undefined && { missing }),
  };
  return { ...explained, text: textOf(attributes, explained) };
}

/** Why a mode allows a request that it allows without a reason. */
function grounds(mode: string, attributes: AuthorizationAttributes, server: ExplainedServer): string {
  const { user, info } = attributes;
  if (mode === privilegedGroup) return `members of ${privilegedGroup} may do everything`;
  if (mode === "Node") return nodeGrounds(user, info, server.lister);
  if (mode === "ABAC") return abacGrounds(attributes, server);
  return mode === "AlwaysAllow" ? "every request is allowed" : "";
}

function nodeGrounds(user: UserInfo, info: RequestInfo, lister: Lister): string {
  const node = nodeOf(user) ?? "";
  const shown = goQuote(node);
  if (!info.isResourceRequest) return `node ${shown} may do this`;
  if (new NodeGraph(listedOnce(lister)).reaches(node, info))
    return `the pods of node ${shown} reach this object`;
  return info.name === node ? `the object belongs to node ${shown}` : "every node may do this";
}

/** Lists the objects when they are first read, and leaves nothing open. */
function listedOnce(lister: Lister): FollowingLister {
  return {
    get: (...key) => lister.get(...key),
    list: (...key) => lister.list(...key),
    follow: (resources) => ({
      next: () => ({
        isComplete: true,
        changes: resources.flatMap((resource) =>
          lister.list(resource, "").map((object) => ({ type: "put" as const, resource, object })),
        ),
      }),
    }),
  };
}

function abacGrounds(
  attributes: AuthorizationAttributes,
  { policies, lister, roles }: ExplainedServer,
): string {
  const state = { lister: listedOnce(lister), roles };
  const allows = (policy: AbacPolicy): boolean => {
    const decision = abac([policy])(state).authorize(attributes);
    return !(decision instanceof Promise) && decision.verdict === "allow";
  };
  const set = Object.entries(policies.find(allows) ?? {}).filter(
    ([, value]) => value !== "" && value !== false,
  );
  return `allowed by the policy ${JSON.stringify(Object.fromEntries(set))}`;
}

function missingRole(info: RequestInfo): MissingRole {
  const rule = policyRuleObject(smallestRule(info));
  const namespace = info.isResourceRequest ? info.namespace : "";
  return namespace === "" ? { kind: "ClusterRole", rule } : { kind: "Role", namespace, rule };
}

function textOf(
  { user, info }: AuthorizationAttributes,
  { isAllowed, verdicts, grant, missing }: Omit<AccessExplanation, "text">,
): string {
  const lines = [
    `User ${goQuote(user.name)} ${isAllowed ? "can" : "cannot"} ${actionText(info)}`,
    ...verdicts.map(verdictText),
  ];
  if (grant !== undefined) lines.push(`Allowed by the rule ${JSON.stringify(grant.rule)}`);
  if (missing !== undefined) {
    const { kind, namespace, rule } = missing;
    const where = namespace === undefined ? "" : ` in the namespace ${goQuote(namespace)}`;
    lines.push(`A ${kind}${where} would allow it with the rule ${JSON.stringify(rule)}`);
  }
  return lines.join("\n");
}

function actionText(info: RequestInfo): string {
  if (!info.isResourceRequest) return `${info.verb} path ${goQuote(info.path)}`;
  const { verb, group, namespace, name } = info;
  const object = name === "" ? "" : ` ${goQuote(name)}`;
  const where = namespace === "" ? "at the cluster scope" : `in the namespace ${goQuote(namespace)}`;
  return `${verb} resource ${goQuote(resourceOfRule(info))}${object} in API group ${goQuote(group)} ${where}`;
}

const verdictNames = { allow: "allowed", deny: "denied", noOpinion: "no opinion" } as const;

function verdictText({ mode, verdict, reason, error }: ModeVerdict): string {
  const details = [reason, error].filter((text) => text !== undefined && text !== "").join("; ");
  return `  ${mode}: ${verdictNames[verdict]}${details === "" ? "" : `: ${details}`}`;
}
