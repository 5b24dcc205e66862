import {
  type Authorization,
  type AuthorizationAttributes,
  type Decision,
  type NamedAuthorization,
  noRules,
} from "./contract/authorizer.ts";

/** The name of the member that denies what is revoked. */
export const revokedMember = "permissionRevoked";

/** Whether a test has revoked the permission for a request. */
export type Revocations = (attributes: AuthorizationAttributes) => boolean;

const revoked: Decision = { verdict: "deny", reason: "" };
const notRevoked: Decision = { verdict: "noOpinion", reason: "" };

/** The same authorization, but permissions that are revoked are denied before any mode is asked. */
export function revocable(authorization: Authorization, isRevoked: Revocations): Authorization {
  const revocations: Authorization = {
    authorize: (attributes) => (isRevoked(attributes) ? revoked : notRevoked),
    rulesFor: () => noRules,
  };
  return {
    authorize: (attributes) => (isRevoked(attributes) ? revoked : authorization.authorize(attributes)),
    rulesFor: authorization.rulesFor,
    get members(): readonly NamedAuthorization[] {
      return [{ name: revokedMember, authorization: revocations }, ...(authorization.members ?? [])];
    },
  };
}
