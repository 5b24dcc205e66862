import { textAt } from "../apimachinery/fields.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { AuthenticationEnvironment } from "./contract/authentication-environment.ts";
import { type Authentication, noOpinion, type TokenAuthenticator } from "./contract/authenticator.ts";
import { bootstrapTokenOf } from "./contract/bootstrap-secret.ts";
import { isSameToken } from "./contract/token-table.ts";

const format = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const extraGroup = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;

/**
 * Authenticates by the tokens in Secrets of kube-system, with which nodes join. Upstream:
 * plugin/pkg/auth/authenticator/token/bootstrap.
 */
export function bootstrapTokens(environment: AuthenticationEnvironment): TokenAuthenticator | undefined {
  if (!environment.config.bootstrapTokens) return undefined;
  const { lister, clock } = environment;
  return (token) => {
    const [, id = "", password = ""] = format.exec(token) ?? [];
    if (id === "") return noOpinion;
    const secret = lister.get({ group: "", resource: "secrets" }, "kube-system", `bootstrap-token-${id}`);
    return secret === undefined ? noOpinion : userOf(secret, id, password, clock.now());
  };
}

function userOf(secret: KubeObject, id: string, password: string, now: number): Authentication {
  const found = bootstrapTokenOf(secret, now);
  if (found === undefined || found.id !== id || !isSameToken(found.secret, password)) return noOpinion;
  if (found.isExpired || found.field("usage-bootstrap-authentication") !== "true") return noOpinion;
  const extra = found.field("auth-extra-groups");
  const groups = extra === "" ? [] : extra.split(",");
  if (textAt(secret, "metadata", "deletionTimestamp") !== "") return noOpinion;
  if (!groups.every((group) => extraGroup.test(group))) return noOpinion;
  const all = [...new Set(["system:bootstrappers", ...groups])].sort();
  const user = { name: `system:bootstrap:${id}`, uid: "", groups: all, extra: {} };
  return { type: "authenticated", user };
}
