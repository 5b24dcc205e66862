import { expect, test } from "vitest";
import { type Authorization, type Decision, noRules } from "../../src/authorization/contract/authorizer.ts";
import { revocable } from "../../src/authorization/revocable.ts";
import { union } from "../../src/authorization/union.ts";
import { PlainLister, stateOf } from "./plain-lister.ts";

const user = { name: "eve", uid: "", groups: [], extra: {} };
const path = (verb: string) => ({ user, info: { isResourceRequest: false, path: "/x", verb } }) as const;
const allowed: Decision = { verdict: "allow", reason: "role" };
const inner: Authorization = {
  authorize: () => allowed,
  rulesFor: () => ({ ...noRules, errors: ["own"] }),
  members: [{ name: "RBAC", authorization: { authorize: () => allowed, rulesFor: () => noRules } }],
};

test("what is revoked is denied without a reason, before any mode is asked", async () => {
  const authorization = revocable(inner, ({ info }) => info.verb === "delete");
  expect(await authorization.authorize(path("delete"))).toEqual({ verdict: "deny", reason: "" });
  expect(await authorization.authorize(path("get"))).toEqual(allowed);
  expect(authorization.rulesFor(user, "").errors).toEqual(["own"]);
  const members = authorization.members ?? [];
  expect(members.map(({ name }) => name)).toEqual(["permissionRevoked", "RBAC"]);
  const [revocations] = members;
  expect(await revocations?.authorization.authorize(path("delete"))).toEqual({ verdict: "deny", reason: "" });
  expect(await revocations?.authorization.authorize(path("get"))).toEqual({
    verdict: "noOpinion",
    reason: "",
  });
  expect(revocations?.authorization.rulesFor(user, "")).toEqual(noRules);
});

const says = (name: string, decision: Decision | Promise<Decision>) => ({
  name,
  of: (): Authorization => ({
    authorize: () => decision,
    rulesFor: () => ({ rules: [], isIncomplete: name === "b", errors: [name] }),
  }),
});
const no = (reason: string, error?: string): Decision => ({
  verdict: "noOpinion",
  reason,
  ...(error !== undefined && { error }),
});

test.each<[string, (Decision | Promise<Decision>)[], Decision]>([
  ["nobody", [], no("")],
  ["all without an opinion", [no("a"), no(""), no("b")], no("a\nb")],
  ["one error", [no("", "x")], no("", "x")],
  ["errors", [no("a", "x"), Promise.resolve(no("", "y")), no("b")], no("a\nb", "[x, y]")],
  [
    "the first that decides",
    [no("a"), Promise.resolve({ verdict: "deny", reason: "d" }), allowed],
    { verdict: "deny", reason: "d" },
  ],
  ["one after a promise", [Promise.resolve(no("a", "x")), allowed], allowed],
])("of %s, a union decides", async (_title, decisions, expected) => {
  const modes = decisions.map((decision, index) => says(String(index), decision));
  expect(await union(modes)(stateOf(new PlainLister())).authorize(path("get"))).toEqual(expected);
});

test("the rules of a union are those of all, and incomplete if those of one are", () => {
  const rules = (...names: readonly string[]) =>
    union(names.map((name) => says(name, allowed)))(stateOf(new PlainLister())).rulesFor(user, "");
  expect(rules("a", "b")).toEqual({ rules: [], isIncomplete: true, errors: ["a", "b"] });
  expect(rules("a")).toEqual({ rules: [], isIncomplete: false, errors: ["a"] });
});
