import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/apimachinery/json.ts";
import type { KubeObject } from "../../src/apimachinery/object-meta.ts";
import type { Authorization, Decision } from "../../src/authorization/contract/authorizer.ts";
import { resourceQuestion } from "../../src/authorization/contract/resource-attributes.ts";
import { explainAccess } from "../../src/authorization/explanation/access-explanation.ts";
import { roleGrantFor } from "../../src/authorization/explanation/role-grant.ts";
import { nodeAuthorization } from "../../src/authorization/node/node-authorizer.ts";
import { rbac } from "../../src/authorization/rbac/rbac.ts";
import { revocable, revokedMember } from "../../src/authorization/revocable.ts";
import { union } from "../../src/authorization/union.ts";
import { PlainLister, stateOf } from "./plain-lister.ts";

const group = "rbac.authorization.k8s.io";
const eve = { name: "eve", uid: "", groups: [], extra: {} };
const getPods = { apiGroups: [""], resources: ["pods"], verbs: ["get"] };
const info = (namespace: string, name = "web", resource = "pods") =>
  resourceQuestion({ verb: "get", group: "", version: "v1", resource, namespace, name });

function object(kind: string, name: string, namespace: string, members: object): KubeObject {
  const metadata = { name, ...(namespace !== "" && { namespace }) };
  return { apiVersion: `${group}/v1`, kind, metadata, ...members };
}

/** A role and its binding, in the cluster for the empty namespace. */
function listerOf(role: string, namespace: string, subject: JsonObject): PlainLister {
  const lister = new PlainLister();
  const roleNamespace = role === "Role" ? namespace : "";
  lister.put(
    { group, resource: `${role.toLowerCase()}s` },
    object(role, "r", roleNamespace, { rules: [getPods] }),
  );
  const kind = namespace === "" ? "ClusterRoleBinding" : "RoleBinding";
  const roleRef = { apiGroup: group, kind: role, name: "r" };
  lister.put(
    { group, resource: `${kind.toLowerCase()}s` },
    object(kind, "b", namespace, { roleRef, subjects: [subject] }),
  );
  return lister;
}

describe("a grant names", () => {
  const user = { kind: "User", name: "eve" };
  const account = { kind: "ServiceAccount", name: "sa" };
  const sa = { ...eve, name: "system:serviceaccount:ns:sa" };
  test.each([
    ["Role", "ns", user, eve, "RoleBinding"],
    ["ClusterRole", "ns", account, sa, "RoleBinding"],
    ["ClusterRole", "", { ...account, namespace: "ns" }, sa, "ClusterRoleBinding"],
  ])("a %s in the namespace %j, its binding and its subject %j", (role, namespace, subject, asking, kind) => {
    const { roles } = stateOf(listerOf(role, namespace, subject));
    const within = namespace === "" ? {} : { namespace };
    expect(roleGrantFor(roles, { user: asking, info: info(namespace) })).toEqual({
      binding: { kind, name: "b", ...within },
      role: { kind: role, name: "r", ...(role === "Role" && within) },
      subject: { ...subject, ...(subject.kind === "ServiceAccount" && { namespace: "ns" }) },
      rule: getPods,
    });
    expect(roleGrantFor(roles, { user: { ...eve, name: "bob" }, info: info(namespace) })).toBeUndefined();
  });
});

describe("an explanation", () => {
  const lister = listerOf("Role", "ns", { kind: "User", name: "eve" });
  const state = stateOf(lister);
  const says = (verdict: Decision["verdict"]): Authorization => ({
    authorize: () => ({ verdict, reason: "r" }),
    rulesFor: () => ({ rules: [], isIncomplete: false, errors: [] }),
  });
  const explained = (named: string, ...modes: readonly (readonly [string, Authorization])[]) => {
    const members = modes.map(([name, authorization]) => ({ name, authorization }));
    const authorization = { ...says("noOpinion"), members };
    return explainAccess({ user: eve, info: info(named) }, { authorization, ...state, policies: [] });
  };
  const ofRoles = rbac(state);

  test("of what a role allows names the binding and the rule", async () => {
    const { isAllowed, grant, missing, text } = await explained("ns", ["RBAC", ofRoles]);
    expect([isAllowed, grant?.binding.name, missing]).toEqual([true, "b", undefined]);
    expect(text.split("\n")).toEqual([
      'User "eve" can get resource "pods" "web" in API group "" in the namespace "ns"',
      '  RBAC: allowed: RBAC: allowed by RoleBinding "b/ns" of Role "r" to User "eve"',
      'Allowed by the rule {"apiGroups":[""],"resources":["pods"],"verbs":["get"]}',
    ]);
  });

  test("of what another mode allows names no role", async () => {
    const explanation = await explained("ns", ["Webhook", says("allow")], ["RBAC", ofRoles]);
    expect(explanation).not.toHaveProperty("grant");
    expect(explanation.verdicts.map(({ mode }) => mode)).toEqual(["Webhook"]);
  });

  test.each<[string, readonly (readonly [string, Authorization])[], boolean]>([
    ["RBAC and no other", [["RBAC", ofRoles]], true],
    [
      "RBAC among others",
      [
        ["Webhook", says("noOpinion")],
        ["RBAC", ofRoles],
      ],
      true,
    ],
    ["no mode", [], false],
    ["a mode that has no roles", [["Webhook", says("noOpinion")]], false],
    [
      "one that denies after RBAC",
      [
        ["RBAC", ofRoles],
        ["Webhook", says("deny")],
      ],
      false,
    ],
  ])("of what %s does not allow says whether a role would", async (_title, modes, canHelp) => {
    const { isAllowed, missing } = await explained("other", ...modes);
    expect([isAllowed, missing !== undefined]).toEqual([false, canHelp]);
  });

  test("mentions a revocation only if it decides", async () => {
    const modesOf = async (isRevoked: boolean) => {
      const authorization = revocable(union([{ name: "RBAC", of: rbac }])(state), () => isRevoked);
      const asked = { user: eve, info: info("ns") };
      const { verdicts } = await explainAccess(asked, { authorization, ...state, policies: [] });
      return verdicts.map(({ mode, verdict }) => `${mode} ${verdict}`);
    };
    expect(await modesOf(false)).toEqual(["RBAC allow"]);
    expect(await modesOf(true)).toEqual([`${revokedMember} deny`]);
  });
});

test("the grounds of the mode Node are the pods of the node, the node itself, or that every node may", async () => {
  const lister = new PlainLister();
  const spec = { nodeName: "n1", volumes: [{ secret: { secretName: "s" } }] };
  lister.put({ group: "", resource: "pods" }, object("Pod", "p", "ns", { spec }));
  const state = stateOf(lister);
  const user = { ...eve, name: "system:node:n1", groups: ["system:nodes"] };
  const nodeRules = () => [{ ...getPods, resources: ["services"], resourceNames: [], nonResourceURLs: [] }];
  const of = nodeAuthorization({ gates: { isEnabled: () => true }, nodeRules });
  const authorization = union([{ name: "Node", of }])(state);
  const grounds = async (...parameters: Parameters<typeof info>) => {
    const asked = { user, info: info(...parameters) };
    const { verdicts } = await explainAccess(asked, {
      authorization,
      lister,
      roles: state.roles,
      policies: [],
    });
    return verdicts.map(({ verdict, reason }) => `${verdict}: ${reason}`);
  };
  expect(await grounds("ns", "s", "secrets")).toEqual(['allow: the pods of node "n1" reach this object']);
  expect(await grounds("", "n1", "nodes")).toEqual(['allow: the object belongs to node "n1"']);
  expect(await grounds("ns", "a", "services")).toEqual(["allow: every node may do this"]);
  expect(await grounds("ns", "t", "secrets")).toEqual([
    "noOpinion: no relationship found between node 'n1' and this object",
  ]);
});
