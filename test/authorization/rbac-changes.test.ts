import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../../src/apimachinery/json.ts";
import type { KubeObject } from "../../src/apimachinery/object-meta.ts";
import { resourceQuestion } from "../../src/authorization/contract/resource-attributes.ts";
import { BoundRoles } from "../../src/authorization/rbac/bound-roles.ts";
import { PlainLister } from "./plain-lister.ts";

const group = "rbac.authorization.k8s.io";
const in_ = (resource: string) => ({ group, resource });
const users = [
  { name: "ann", uid: "", groups: [], extra: {} },
  { name: "bob", uid: "", groups: ["g1"], extra: {} },
  { name: "ann", uid: "", groups: ["g1", "none", "g2"], extra: {} },
  { name: "system:serviceaccount:a:ann", uid: "", groups: ["system:serviceaccounts:a"], extra: {} },
];

const subject = fc.constantFrom(
  { kind: "User", name: "ann" },
  { kind: "User", name: "g1" },
  { kind: "Group", name: "g1" },
  { kind: "Group", name: "g2" },
  { kind: "ServiceAccount", name: "ann" },
  { kind: "ServiceAccount", name: "ann", namespace: "a" },
  { kind: "ServiceAccount", name: "ann", namespace: "b" },
);

const change = fc.record({
  kind: fc.constantFrom("put", "put", "put", "delete", "role", "forget"),
  namespace: fc.constantFrom("", "a", "b"),
  name: fc.constantFrom("z", "y", "x"),
  role: fc.constantFrom("pods", "secrets", "paths", "all"),
  subjects: fc.array(subject, { maxLength: 3 }),
});

const rules: { readonly [role: string]: readonly object[] } = {
  pods: [{ verbs: ["get"], apiGroups: [""], resources: ["pods"] }],
  secrets: [{ verbs: ["get"], apiGroups: [""], resources: ["secrets", "*/log"] }],
  paths: [{ verbs: ["get"], nonResourceURLs: ["/a"] }],
  all: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }],
};

function clusterRole(name: string, revision: number): KubeObject {
  const metadata = { name, resourceVersion: String(revision) };
  // Rules are JSON.
  return {
    ...JSON.parse(JSON.stringify({ rules: rules[name] })),
    apiVersion: `${group}/v1`,
    kind: "ClusterRole",
    metadata,
  };
}

const questions = [
  ...["pods", "secrets"].map((resource) => ({ resource, subresource: "" })),
  { resource: "pods", subresource: "log" },
].flatMap(({ resource, subresource }) =>
  ["", "a", "b"].map((namespace) =>
    resourceQuestion({ verb: "get", group: "", version: "v1", resource, subresource, namespace, name: "x" }),
  ),
);
const path = { isResourceRequest: false, verb: "get", path: "/a" } as const;

/** Everything that the roles say about the users. */
function answers(roles: BoundRoles): unknown {
  return users.map((user) => [
    ...["", "a", "b", "c"].map((namespace) =>
      roles.of(user, namespace).map((bound) => (bound.found ? bound.grant() : bound.problem)),
    ),
    ...[...questions, path].map((info) => roles.allowing(user, info)?.grant() ?? "none"),
  ]);
}

/** The grant of the first role that allows a request, in the order of all roles. */
function grantsInOrder(roles: BoundRoles): readonly string[] {
  return users.flatMap((user) =>
    [...questions, path].map((info) => {
      const all = roles.of(user, info.isResourceRequest ? info.namespace : "");
      const first = all.find((bound) => bound.found && bound.role.ruleFor(info) !== undefined);
      return first?.found === true ? first.grant() : "none";
    }),
  );
}

function allGrants(roles: BoundRoles): readonly string[] {
  return users.flatMap((user) =>
    [...questions, path].map((info) => roles.allowing(user, info)?.grant() ?? "none"),
  );
}

test("what is bound to users is the same after changes as when it is read at once", () => {
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 12 }), (changes) => {
      const lister = new PlainLister();
      lister.put(in_("clusterroles"), clusterRole("pods", 0));
      lister.put(in_("clusterroles"), clusterRole("paths", 0));
      const followed = new BoundRoles(lister);
      for (const [revision, { kind, namespace, name, role, subjects }] of changes.entries()) {
        const binding: KubeObject = {
          apiVersion: `${group}/v1`,
          kind: namespace === "" ? "ClusterRoleBinding" : "RoleBinding",
          metadata: { name, ...(namespace !== "" && { namespace }) },
          roleRef: { apiGroup: group, kind: "ClusterRole", name: role },
          subjects,
        };
        const resource = in_(namespace === "" ? "clusterrolebindings" : "rolebindings");
        if (kind === "put") lister.put(resource, binding);
        else if (kind === "delete") lister.delete(resource, binding);
        else if (kind === "role") lister.put(in_("clusterroles"), clusterRole(role, revision));
        else lister.forget();
        expect(answers(followed)).toEqual(answers(new BoundRoles(lister)));
        expect(grantsInOrder(followed)).toEqual(allGrants(followed));
      }
    }),
    { numRuns: 150 },
  );
});

test.each([
  ["Role", "roles", "a"],
  ["ClusterRole", "clusterroles", ""],
])("a %s that changes counts for a user who has asked before", (kind, resource, namespace) => {
  const lister = new PlainLister();
  const put = (rules: readonly JsonObject[]) =>
    lister.put(in_(resource), {
      apiVersion: `${group}/v1`,
      kind,
      metadata: { name: "r", ...(namespace !== "" && { namespace }) },
      rules,
    });
  lister.put(in_("rolebindings"), {
    apiVersion: `${group}/v1`,
    kind: "RoleBinding",
    metadata: { name: "b", namespace: "a" },
    roleRef: { apiGroup: group, kind, name: "r" },
    subjects: [{ kind: "User", name: "ann" }],
  });
  const roles = new BoundRoles(lister);
  const [ann] = users;
  const info = resourceQuestion({
    verb: "get",
    group: "",
    version: "v1",
    resource: "pods",
    namespace: "a",
    name: "x",
  });
  const isAllowed = () => ann !== undefined && roles.allowing(ann, info) !== undefined;
  put([]);
  expect(isAllowed()).toBe(false);
  put([{ verbs: ["get"], apiGroups: [""], resources: ["pods"] }]);
  expect(isAllowed()).toBe(true);
  put([]);
  expect(isAllowed()).toBe(false);
});

test("bindings count in the order of their names, those of the cluster first, and each once", () => {
  const lister = new PlainLister();
  const bind = (namespace: string, name: string, ...names: readonly string[]) =>
    lister.put(in_(namespace === "" ? "clusterrolebindings" : "rolebindings"), {
      apiVersion: `${group}/v1`,
      kind: "X",
      metadata: { name, ...(namespace !== "" && { namespace }) },
      roleRef: { apiGroup: group, kind: "ClusterRole", name: "pods" },
      subjects: names.map((each) => ({ kind: each.startsWith("g") ? "Group" : "User", name: each })),
    });
  lister.put(in_("clusterroles"), clusterRole("pods", 0));
  for (const [name, ...names] of [
    ["z", "g2"],
    ["y", "ann", "g1", "g2"],
    ["x", "g1"],
    ["w", "ann"],
  ] as const)
    for (const namespace of ["", "a"]) bind(namespace, name, ...names);
  const roles = new BoundRoles(lister);
  const ann = { name: "ann", uid: "", groups: ["g2", "g1"], extra: {} };
  const names = (namespace: string, user = ann) =>
    roles
      .of(user, namespace)
      .map((bound) => (bound.found ? bound.binding.metadata.name : ""))
      .join(" ");
  expect(names("")).toBe("w x y z");
  expect(names("a")).toBe("w x y z w x y z");
  expect(names("", { ...ann, name: "eve", groups: ["g1"] })).toBe("x y");
});
