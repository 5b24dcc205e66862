import { beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/apimachinery/json.ts";
import type { KubeObject } from "../../src/apimachinery/object-meta.ts";
import { resourceQuestion } from "../../src/authorization/contract/resource-attributes.ts";
import { BoundRoles } from "../../src/authorization/rbac/bound-roles.ts";
import { rbac } from "../../src/authorization/rbac/rbac.ts";
import { PlainLister } from "./plain-lister.ts";

const group = "rbac.authorization.k8s.io";
const user = (name: string, ...groups: readonly string[]) => ({ name, uid: "", groups, extra: {} });
const [ann, bob] = [user("ann"), user("bob")];

let lister: PlainLister;
let roles: BoundRoles;
beforeEach(() => {
  lister = new PlainLister();
  roles = new BoundRoles(lister);
  for (const name of ["r", "s", "t"]) role(name, rule("get", name));
});

const rule = (verb: string, resource: string): JsonObject => ({
  verbs: [verb],
  apiGroups: [""],
  resources: [resource],
});

function role(name: string, ...rules: readonly JsonObject[]): void {
  const metadata = { name };
  lister.put(
    { group, resource: "clusterroles" },
    { apiVersion: `${group}/v1`, kind: "ClusterRole", metadata, rules },
  );
}

/** A binding of a ClusterRole to users, in the cluster or in a namespace. */
function binding(name: string, to: readonly string[], ref = "r", namespace = ""): KubeObject {
  return {
    apiVersion: `${group}/v1`,
    kind: namespace === "" ? "ClusterRoleBinding" : "RoleBinding",
    metadata: { name, ...(namespace !== "" && { namespace }) },
    roleRef: { apiGroup: group, kind: "ClusterRole", name: ref },
    subjects: to.map((each) => ({ kind: "User", name: each })),
  };
}

const resource = { group, resource: "clusterrolebindings" };
const bind = (...parameters: Parameters<typeof binding>) => lister.put(resource, binding(...parameters));
const unbind = (...parameters: Parameters<typeof binding>) => lister.delete(resource, binding(...parameters));
const bound = (to = ann, namespace = "") =>
  roles.of(to, namespace).map((each) => (each.found ? each.binding.metadata.name : each.problem));

describe("the bindings of a user who has asked before", () => {
  test("are those that came since, too, in the order of their names", () => {
    bind("b", ["ann"]);
    expect(bound()).toEqual(["b"]);
    bind("a", ["ann"]);
    expect(bound()).toEqual(["a", "b"]);
  });

  test("are not one that is deleted", () => {
    bind("a", ["ann"]);
    bind("b", ["ann"]);
    expect(bound()).toEqual(["a", "b"]);
    unbind("a", ["ann"]);
    expect(bound()).toEqual(["b"]);
    unbind("b", ["ann"]);
    expect(bound()).toEqual([]);
    bind("c", ["ann"]);
    expect(bound()).toEqual(["c"]);
  });

  test("are not one that has another subject now", () => {
    bind("a", ["ann"]);
    bind("b", ["ann"]);
    expect(bound()).toEqual(["a", "b"]);
    bind("a", ["bob"]);
    expect([bound(), bound(bob)]).toEqual([["b"], ["a"]]);
  });

  test("are none after a restart without them", () => {
    bind("a", ["ann"]);
    expect(bound()).toEqual(["a"]);
    lister.forget();
    expect(bound()).toEqual([]);
  });

  test("are still there if a role has the same name", () => {
    const inNamespace = { group, resource: "rolebindings" };
    lister.put(inNamespace, binding("a", ["ann"], "r", "ns"));
    expect(bound(ann, "ns")).toEqual(["a"]);
    const same = {
      apiVersion: `${group}/v1`,
      kind: "Role",
      metadata: { name: "a", namespace: "ns" },
      rules: [],
    };
    lister.put({ group, resource: "roles" }, same);
    expect(bound(ann, "ns")).toEqual(["a"]);
  });
});

test.each(["ClusterRole", "Role"])("a %s allows what its rules say now", (kind) => {
  const [one, all] =
    kind === "Role" ? (["role", "roles"] as const) : (["clusterrole", "clusterroles"] as const);
  const metadata = { name: one, ...(kind === "Role" && { namespace: "ns" }) };
  const grant = (granted: string) =>
    lister.put(
      { group, resource: all },
      { apiVersion: `${group}/v1`, kind, metadata, rules: [rule("get", granted)] },
    );
  const allowed = () =>
    ["pods", "nodes"].filter((wanted) => {
      const asked = { verb: "get", group: "", version: "v1", resource: wanted, namespace: "ns", name: "a" };
      return roles.allowing(ann, resourceQuestion(asked)) !== undefined;
    });
  const bindings = { group, resource: "rolebindings" };
  const roleRef = { apiGroup: group, kind, name: one };
  lister.put(bindings, { ...binding("b", ["ann"], "", "ns"), roleRef });
  expect(allowed()).toEqual([]);
  grant("pods");
  expect(allowed()).toEqual(["pods"]);
  grant("nodes");
  expect(allowed()).toEqual(["nodes"]);
});

test("a service account needs a namespace", () => {
  lister.put(resource, { ...binding("a", []), subjects: [{ kind: "ServiceAccount", name: "sa" }] });
  expect(bound(user("system:serviceaccount::sa"))).toEqual([]);
  expect(bound(user("system:serviceaccount:mutated:sa"))).toEqual([]);
});

describe("the role that allows a request", () => {
  const question = { group: "", version: "v1", namespace: "", name: "x" };
  const allowing = (verb: string, named: string, subresource = "") =>
    roles.allowing(ann, resourceQuestion({ ...question, verb, resource: named, subresource }))?.grant();

  test("may allow it with any of its rules for the resource", () => {
    role("r", rule("get", "pods"), rule("list", "pods"));
    bind("a", ["ann"]);
    for (const verb of ["get", "list"]) expect(allowing(verb, "pods")).toMatch('"a"');
    expect(allowing("watch", "pods")).toBeUndefined();
  });

  test("may be any of those with rules for the resource", () => {
    role("r", rule("get", "pods"));
    role("s", rule("list", "pods"));
    bind("a", ["ann"], "r");
    bind("b", ["ann"], "s");
    expect(allowing("get", "pods")).toMatch('"a"');
    expect(allowing("list", "pods")).toMatch('"b"');
  });

  test.each([[["*", "pods/log", "*/log"]], [["pods/log", "*/log", "*"]], [["*/log", "*", "pods/log"]]])(
    "is the first one, whether it names %j",
    (named) => {
      for (const [position, each] of named.entries()) {
        role(`role-${position}`, rule("get", each));
        bind(`binding-${position}`, ["ann"], `role-${position}`);
      }
      expect(allowing("get", "pods", "log")).toMatch('"binding-0"');
    },
  );
});

test("roles that do not allow a request are no reason, and those that are missing are", async () => {
  const { authorize } = rbac({ lister, roles });
  const question = { verb: "get", group: "", version: "v1", resource: "x", namespace: "", name: "" };
  const decision = () => authorize({ user: ann, info: resourceQuestion(question) });
  bind("a", ["ann"]);
  expect(await decision()).toEqual({ verdict: "noOpinion", reason: "" });
  bind("b", ["ann"], "gone");
  expect(await decision()).toEqual({
    verdict: "noOpinion",
    reason: 'RBAC: clusterrole.rbac.authorization.k8s.io "gone" not found',
  });
});
