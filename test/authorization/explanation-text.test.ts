import { describe, expect, test } from "vitest";
import type { UserInfo } from "../../src/apimachinery/user-info.ts";
import type { AbacPolicy } from "../../src/authorization/abac/policy-file.ts";
import type { Decision } from "../../src/authorization/contract/authorizer.ts";
import { resourceQuestion } from "../../src/authorization/contract/resource-attributes.ts";
import {
  type AccessExplanation,
  explainAccess,
} from "../../src/authorization/explanation/access-explanation.ts";
import type { RequestInfo } from "../../src/request/request-info.ts";
import { PlainLister, stateOf } from "./plain-lister.ts";

const eve: UserInfo = { name: "eve", uid: "", groups: [], extra: {} };
const no: Decision = { verdict: "noOpinion", reason: "" };

function access(text: string): RequestInfo {
  const [verb = "", path = "", object = ""] = text.split(" ");
  if (path.startsWith("/")) return { isResourceRequest: false, verb, path };
  const [resource = "", subresource = ""] = path.split("/");
  const slash = object.lastIndexOf("/");
  const [namespace, name] = [object.slice(0, Math.max(0, slash)), object.slice(slash + 1)];
  return resourceQuestion({ verb, group: "", version: "v1", resource, subresource, namespace, name });
}

async function explained(
  info: string,
  modes: readonly (readonly [mode: string, decision: Decision])[],
  { user = eve, policies = [] as readonly AbacPolicy[] } = {},
): Promise<AccessExplanation> {
  const noRules = { rules: [], isIncomplete: false, errors: [] };
  const members = modes.map(([name, decision]) => ({
    name,
    authorization: { authorize: () => decision, rulesFor: () => noRules },
  }));
  const { lister, roles } = stateOf(new PlainLister());
  const authorization = { authorize: () => no, rulesFor: () => noRules, members };
  return explainAccess({ user, info: access(info) }, { authorization, lister, roles, policies });
}

describe("the text of an explanation", () => {
  test.each([
    ["get nodes n1", 'get resource "nodes" "n1" in API group "" at the cluster scope'],
    ["list nodes", 'list resource "nodes" in API group "" at the cluster scope'],
    ["list pods shop/", 'list resource "pods" in API group "" in the namespace "shop"'],
    ["get pods/log shop/web", 'get resource "pods/log" "web" in API group "" in the namespace "shop"'],
    ["get /metrics", 'get path "/metrics"'],
  ])("of %s says what is wanted", async (info, wanted) => {
    const { text } = await explained(info, []);
    expect(text).toBe(`User "eve" cannot ${wanted}`);
  });

  test("says what each mode said, with its reason and its error", async () => {
    const { text, isAllowed, verdicts } = await explained("list nodes", [
      ["Webhook", { ...no, reason: "unsure", error: "broken" }],
      ["ABAC", { ...no, error: "broken" }],
      ["Node", { ...no, reason: "no node" }],
      ["AlwaysDeny", { verdict: "deny", reason: "never" }],
      ["AlwaysAllow", { verdict: "allow", reason: "" }],
    ]);
    expect(isAllowed).toBe(false);
    expect(verdicts).toEqual([
      { mode: "Webhook", verdict: "noOpinion", reason: "unsure", error: "broken" },
      { mode: "ABAC", verdict: "noOpinion", reason: "", error: "broken" },
      { mode: "Node", verdict: "noOpinion", reason: "no node" },
      { mode: "AlwaysDeny", verdict: "deny", reason: "never" },
    ]);
    expect(text.split("\n").slice(1)).toEqual([
      "  Webhook: no opinion: unsure; broken",
      "  ABAC: no opinion: broken",
      "  Node: no opinion: no node",
      "  AlwaysDeny: denied: never",
    ]);
  });

  test.each([
    ["AlwaysAllow", "  AlwaysAllow: allowed: every request is allowed"],
    ["Webhook", "  Webhook: allowed"],
    ["system:masters", "  system:masters: allowed: members of system:masters may do everything"],
  ])("gives the grounds of %s", async (mode, line) => {
    const { text, missing } = await explained("list nodes", [[mode, { verdict: "allow", reason: "" }]]);
    expect(text.split("\n").slice(1)).toEqual([line]);
    expect(missing).toBeUndefined();
  });

  test("gives the grounds of the mode Node for a path", async () => {
    const user = { ...eve, name: "system:node:n1", groups: ["system:nodes"] };
    const { text } = await explained("get /metrics", [["Node", { verdict: "allow", reason: "" }]], { user });
    expect(text).toContain('  Node: allowed: node "n1" may do this');
  });

  test("names the first policy of the mode ABAC that allows it", async () => {
    const policy = {
      user: "eve",
      group: "",
      readonly: false,
      apiGroup: "*",
      resource: "nodes",
      namespace: "",
      nonResourcePath: "",
    };
    const policies = [{ ...policy, user: "bob" }, policy];
    const { text } = await explained("list nodes", [["ABAC", { verdict: "allow", reason: "" }]], {
      policies,
    });
    expect(text).toContain(
      'ABAC: allowed: allowed by the policy {"user":"eve","apiGroup":"*","resource":"nodes"}',
    );
  });

  test.each([
    [
      "list nodes",
      'A ClusterRole would allow it with the rule {"apiGroups":[""],"resources":["nodes"],"verbs":["list"]}',
    ],
    [
      "get pods shop/web",
      'A Role in the namespace "shop" would allow it with the rule {"apiGroups":[""],"resources":["pods"],"resourceNames":["web"],"verbs":["get"]}',
    ],
    [
      "get /metrics",
      'A ClusterRole would allow it with the rule {"nonResourceURLs":["/metrics"],"verbs":["get"]}',
    ],
  ])("of %s names the role that would allow it", async (info, line) => {
    const { text } = await explained(info, [["RBAC", no]]);
    expect(text.split("\n").at(-1)).toBe(line);
  });
});
