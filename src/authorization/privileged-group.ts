import { type AuthorizationOf, noRules } from "./contract/authorizer.ts";

/** The group whose members may do everything, whatever the modes are. */
export const privilegedGroup = "system:masters";

/** Allows everything to members of `system:masters`. Upstream: `authorizerfactory.NewPrivilegedGroups`. */
export const privilegedGroups: AuthorizationOf = () => ({
  authorize: ({ user }) => ({
    verdict: user.groups.includes(privilegedGroup) ? "allow" : "noOpinion",
    reason: "",
  }),
  rulesFor: () => noRules,
});
