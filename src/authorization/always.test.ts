import { expect, test } from "vitest";
import { alwaysAllow, alwaysDeny, everyRule, noRule } from "./always.ts";
import { resourceAttributes } from "./resource-attributes.ts";

const user = { name: "alice", uid: "", groups: [], extra: {} };
const question = { verb: "get", group: "", version: "v1", resource: "pods", namespace: "default", name: "a" };
const attributes = resourceAttributes(user, question);

test("AlwaysAllow allows without a reason, and has a rule for resources and one for paths", () => {
  expect(alwaysAllow(attributes)).toEqual({ verdict: "allow", reason: "" });
  const nothing = { apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] };
  expect(everyRule(user, "default")).toEqual({
    rules: [
      { ...nothing, verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
      { ...nothing, verbs: ["*"], nonResourceURLs: ["*"] },
    ],
    isIncomplete: false,
    evaluationError: "",
  });
});

test("AlwaysDeny allows nothing, and has no rules", () => {
  expect(alwaysDeny(attributes)).toEqual({ verdict: "noOpinion", reason: "Everything is forbidden." });
  expect(noRule(user, "default")).toEqual({ rules: [], isIncomplete: false, evaluationError: "" });
});

test("the attributes of a question are those of a resource request", () => {
  expect(attributes).toEqual({
    user,
    info: {
      ...question,
      isResourceRequest: true,
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
