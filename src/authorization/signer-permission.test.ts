import { expect, test } from "vitest";
import type { AuthorizationAttributes, Authorizer } from "./contract/authorizer.ts";
import { isAuthorizedForSigner } from "./signer-permission.ts";

const user = { name: "alice", uid: "", groups: [], extra: {} };

/** Allows one verb on one name in the group, version and resource of signers. */
function allows(verb: string, name: string, verdict: "allow" | "deny" = "allow"): Authorizer {
  return ({ user: { name: asked }, info }: AuthorizationAttributes) => {
    const expected = { group: "certificates.k8s.io", version: "*", resource: "signers", namespace: "" };
    const isAsked = Object.entries({ ...expected, verb, name }).every(
      ([key, value]) => Object.entries(info).find(([other]) => other === key)?.[1] === value,
    );
    return { verdict: isAsked && asked === "alice" ? verdict : "noOpinion", reason: "" };
  };
}

test.each<[title: string, authorizer: Authorizer, isAuthorized: boolean]>([
  ["its name", allows("sign", "example.com/a"), true],
  ["all signers of its domain", allows("sign", "example.com/*"), true],
  ["another signer", allows("sign", "example.com/b"), false],
  ["all signers of another domain", allows("sign", "example.org/*"), false],
  ["another verb", allows("approve", "example.com/a"), false],
  ["its name, which is denied", allows("sign", "example.com/a", "deny"), false],
])("the permission to sign, given %s", async (_title, authorizer, isAuthorized) => {
  expect(await isAuthorizedForSigner(authorizer, user, "sign", "example.com/a")).toBe(isAuthorized);
});
