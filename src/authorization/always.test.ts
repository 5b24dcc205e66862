import { expect, test } from "vitest";
import { PlainLister, stateOf } from "../../test/authorization/plain-lister.ts";
import { alwaysAllow, alwaysDeny } from "./always.ts";
import { resourceAttributes } from "./contract/resource-attributes.ts";
import { privilegedGroups } from "./privileged-group.ts";

const lister = new PlainLister();
const user = { name: "alice", uid: "", groups: ["dev"], extra: {} };
const question = { verb: "get", group: "", version: "v1", resource: "pods", namespace: "default", name: "a" };
const attributes = resourceAttributes(user, question);
const none = { rules: [], isIncomplete: false, errors: [] };

test("AlwaysAllow allows without a reason, and has a rule for resources and one for paths", () => {
  const { authorize, rulesFor } = alwaysAllow(stateOf(lister));
  expect(authorize(attributes)).toEqual({ verdict: "allow", reason: "" });
  const nothing = { apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] };
  expect(rulesFor(user, "default")).toEqual({
    rules: [
      { ...nothing, verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
      { ...nothing, verbs: ["*"], nonResourceURLs: ["*"] },
    ],
    isIncomplete: false,
    errors: [],
  });
});

test("AlwaysDeny allows nothing, and has no rules", () => {
  const { authorize, rulesFor } = alwaysDeny(stateOf(lister));
  expect(authorize(attributes)).toEqual({ verdict: "noOpinion", reason: "Everything is forbidden." });
  expect(rulesFor(user, "default")).toEqual(none);
});

test("members of system:masters may do everything, which no rule says", () => {
  const { authorize, rulesFor } = privilegedGroups(stateOf(lister));
  const member = { ...user, name: "root", groups: ["dev", "system:masters"] };
  expect(authorize({ ...attributes, user: member })).toEqual({ verdict: "allow", reason: "" });
  const other = { ...user, name: "system:masters" };
  expect(authorize({ ...attributes, user: other })).toEqual({ verdict: "noOpinion", reason: "" });
  expect(rulesFor(member, "default")).toEqual(none);
});

test("the attributes of a question are those of a resource request", () => {
  expect(attributes).toEqual({
    user,
    info: {
      ...question,
      isResourceRequest: true,
      isBelowNamespace: true,
      subresource: "",
      fieldSelector: "",
      labelSelector: "",
      path: "",
      parts: [],
    },
  });
  const { info } = resourceAttributes(user, { ...question, subresource: "status", fieldSelector: "a=b" });
  expect(info).toMatchObject({ subresource: "status", fieldSelector: "a=b", labelSelector: "" });
});
