import { textAt } from "../apimachinery/fields.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { type Authentication, noOpinion } from "./contract/authenticator.ts";
import { bootstrapTokenOf } from "./contract/bootstrap-secret.ts";
import { isSameToken } from "./contract/token-table.ts";

const extraGroup = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;

/** The user of a bootstrap token with this id and password, if the Secret allows both. */
export function userOfBootstrapToken(
  secret: KubeObject,
  id: string,
  password: string,
  now: number,
): Authentication {
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
