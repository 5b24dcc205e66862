import { describe, expect, test } from "vitest";
import { PlainLister, stateOf } from "../../../test/authorization/plain-lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { parseRequestInfo } from "../../request/request-info.ts";
import { rbac } from "./rbac.ts";

const apiVersion = "rbac.authorization.k8s.io/v1";

interface Binding {
  readonly name: string;
  /** Cluster-wide if it is missing. */
  readonly namespace?: string;
  readonly role: string;
  readonly subjects: readonly object[];
}

/** `cluster/` and the name of a ClusterRole, or the namespace and the name of a Role, to its rules. */
type Roles = Readonly<Record<string, readonly object[]>>;

const alice = [{ kind: "User", name: "alice" }];

const group = "rbac.authorization.k8s.io";

/** A lister of these roles and bindings alone. A binding of `cluster/x` refers to a ClusterRole. */
function listerOf(roles: Roles, bindings: readonly Binding[]): PlainLister {
  const lister = new PlainLister();
  for (const [place, rules] of Object.entries(roles)) {
    const [namespace = "", name = ""] = place.split("/");
    const metadata = namespace === "cluster" ? { name } : { name, namespace };
    const resource = namespace === "cluster" ? "clusterroles" : "roles";
    // The parts that the authorizer reads are there.
    lister.put({ group, resource }, { apiVersion, metadata, rules } as unknown as KubeObject);
  }
  for (const { name, namespace, role, subjects } of bindings) {
    const kind = role.startsWith("cluster/") ? "ClusterRole" : "Role";
    const roleRef = { kind, name: role.replace(/^.*\//, "") };
    const resource = namespace === undefined ? "clusterrolebindings" : "rolebindings";
    const metadata = { name, ...(namespace !== undefined && { namespace }) };
    lister.put({ group, resource }, { apiVersion, metadata, roleRef, subjects } as unknown as KubeObject);
  }
  return lister;
}

function ask(lister: PlainLister, request: string, name = "alice", groups: readonly string[] = []) {
  const [method = "", path = ""] = request.split(" ");
  const info = parseRequestInfo(method, path, new URLSearchParams());
  return rbac(stateOf(lister)).authorize({ user: { name, uid: "", groups, extra: {} }, info });
}

const resources = (...names: readonly string[]) => [{ verbs: ["*"], apiGroups: ["*"], resources: names }];
const paths = (...nonResourceURLs: readonly string[]) => [{ verbs: ["get"], nonResourceURLs }];

/** Cluster-wide rules of alice. */
const granting = (rules: readonly object[]): PlainLister =>
  listerOf({ "cluster/r": rules }, [{ name: "b", role: "cluster/r", subjects: alice }]);

describe("a rule", () => {
  test.each<[title: string, rules: readonly object[], request: string, isAllowed: boolean]>([
    ["of a verb", [{ verbs: ["get"], apiGroups: [""], resources: ["pods"] }], "GET /api/v1/pods/a", true],
    [
      "of other verbs",
      [{ verbs: ["list"], apiGroups: [""], resources: ["pods"] }],
      "GET /api/v1/pods/a",
      false,
    ],
    ["without verbs", [{ apiGroups: [""], resources: ["pods"] }], "GET /api/v1/pods/a", false],
    [
      "of every verb",
      [{ verbs: ["x", "*"], apiGroups: [""], resources: ["pods"] }],
      "GET /api/v1/pods/a",
      true,
    ],
    [
      "of another group",
      [{ verbs: ["*"], apiGroups: ["apps"], resources: ["*"] }],
      "GET /api/v1/pods/a",
      false,
    ],
    [
      "of this group",
      [{ verbs: ["*"], apiGroups: ["", "apps"], resources: ["*"] }],
      "GET /apis/apps/v1/x/a",
      true,
    ],
    ["of every group", resources("pods"), "GET /apis/apps/v1/pods/a", true],
    ["without groups", [{ verbs: ["*"], resources: ["*"] }], "GET /api/v1/pods/a", false],
    ["of the resource", resources("nodes", "pods"), "GET /api/v1/pods/a", true],
    ["of another resource", resources("nodes"), "GET /api/v1/pods/a", false],
    ["of the resource, about its subresource", resources("pods"), "GET /api/v1/pods/a/status", false],
    ["of the subresource", resources("pods/status"), "GET /api/v1/pods/a/status", true],
    ["of the subresource, about its resource", resources("pods/status"), "GET /api/v1/pods/a", false],
    ["of another subresource", resources("pods/scale"), "GET /api/v1/pods/a/status", false],
    ["of a subresource of all", resources("*/status"), "GET /api/v1/pods/a/status", true],
    ["of another subresource of all", resources("*/scale"), "GET /api/v1/pods/a/status", false],
    ["of a subresource of all, about a resource", resources("*/"), "GET /api/v1/pods/a", false],
    ["of all resources, about a subresource", resources("*"), "GET /api/v1/pods/a/status", true],
    [
      "of one name",
      [{ verbs: ["*"], apiGroups: [""], resources: ["pods"], resourceNames: ["b", "a"] }],
      "GET /api/v1/pods/a",
      true,
    ],
    [
      "of another name",
      [{ verbs: ["*"], apiGroups: [""], resources: ["pods"], resourceNames: ["b"] }],
      "GET /api/v1/pods/a",
      false,
    ],
    [
      "of one name, about a list",
      [{ verbs: ["*"], apiGroups: [""], resources: ["pods"], resourceNames: ["b"] }],
      "GET /api/v1/pods",
      false,
    ],
    ["of a path", paths("/x", "/healthz"), "GET /healthz", true],
    ["of another path", paths("/healthz"), "GET /livez", false],
    ["of a longer path", paths("/healthz/etcd"), "GET /healthz", false],
    ["of a path, about a path below it", paths("/healthz"), "GET /healthz/etcd", false],
    ["of all paths", paths("*"), "GET /healthz", true],
    ["of paths that begin alike", paths("/health*"), "GET /healthz", true],
    ["of paths that begin otherwise", paths("/live*"), "GET /healthz", false],
    ["of paths with a star in their middle", paths("/h*z"), "GET /healthz", false],
    ["of paths, about another verb", paths("/healthz"), "POST /healthz", false],
    ["of paths, about a resource", paths("*"), "GET /api/v1/pods/a", false],
    ["of all resources, about a path", resources("*"), "GET /healthz", false],
    ["that follows another", [...paths("/x"), ...resources("pods")], "GET /api/v1/pods/a", true],
  ])("%s", async (_title, rules, request, isAllowed) => {
    const { verdict } = await ask(granting(rules), request);
    expect(verdict).toBe(isAllowed ? "allow" : "noOpinion");
  });
});

describe("a subject", () => {
  const inOne = "GET /api/v1/namespaces/one/pods/a";
  const account = (name: string, namespace?: string) => ({
    kind: "ServiceAccount",
    name,
    ...(namespace && { namespace }),
  });

  test.each<[title: string, subject: object, name: string, groups: readonly string[], isAllowed: boolean]>([
    ["user", { kind: "User", name: "alice" }, "alice", [], true],
    ["user, for another", { kind: "User", name: "alice" }, "bob", ["alice"], false],
    ["group", { kind: "Group", name: "dev" }, "alice", ["ops", "dev"], true],
    ["group, for a user of its name", { kind: "Group", name: "dev" }, "dev", ["ops"], false],
    ["service account", account("sa", "two"), "system:serviceaccount:two:sa", [], true],
    ["service account of the binding's namespace", account("sa"), "system:serviceaccount:one:sa", [], true],
    ["service account, for one elsewhere", account("sa", "two"), "system:serviceaccount:one:sa", [], false],
    ["service account, for a user of its name", account("sa", "two"), "sa", [], false],
    ["of an unknown kind", { kind: "Robot", name: "alice" }, "alice", ["alice"], false],
  ])("%s", async (_title, subject, name, groups, isAllowed) => {
    const subjects = [{ kind: "User", name: "nobody" }, subject];
    const bindings = [{ name: "b", namespace: "one", role: "one/r", subjects }];
    const { verdict } = await ask(listerOf({ "one/r": resources("pods") }, bindings), inOne, name, groups);
    expect(verdict).toBe(isAllowed ? "allow" : "noOpinion");
  });

  test("may be missing", async () => {
    const bindings = [{ name: "b", role: "cluster/r", subjects: [] }];
    const lister = listerOf({ "cluster/r": resources("*") }, bindings);
    expect(await ask(lister, inOne)).toEqual({ verdict: "noOpinion", reason: "" });
  });
});

describe("a binding", () => {
  const pods = resources("pods");

  test.each<[title: string, roles: Roles, binding: Binding, request: string, reason: string]>([
    [
      "of the cluster grants a ClusterRole everywhere",
      { "cluster/r": pods },
      { name: "b", role: "cluster/r", subjects: alice },
      "GET /api/v1/namespaces/one/pods/a",
      'RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "r" to User "alice"',
    ],
    [
      "of the cluster grants a ClusterRole outside of namespaces",
      { "cluster/r": pods },
      { name: "b", role: "cluster/r", subjects: [{ kind: "Group", name: "dev" }] },
      "GET /api/v1/pods/a",
      'RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "r" to Group "dev"',
    ],
    [
      "of a namespace grants a ClusterRole there",
      { "cluster/r": pods },
      { name: "b", namespace: "one", role: "cluster/r", subjects: alice },
      "GET /api/v1/namespaces/one/pods/a",
      'RBAC: allowed by RoleBinding "b/one" of ClusterRole "r" to User "alice"',
    ],
    [
      "of a namespace grants a Role there",
      { "one/r": pods },
      {
        name: "b",
        namespace: "one",
        role: "one/r",
        subjects: [{ kind: "ServiceAccount", name: "alice" }, ...alice],
      },
      "GET /api/v1/namespaces/one/pods/a",
      'RBAC: allowed by RoleBinding "b/one" of Role "r" to User "alice"',
    ],
    [
      "of a namespace grants nothing elsewhere",
      { "one/r": pods },
      { name: "b", namespace: "one", role: "one/r", subjects: alice },
      "GET /api/v1/namespaces/two/pods/a",
      "",
    ],
    [
      "of a namespace grants nothing outside of it",
      { "cluster/r": pods },
      { name: "b", namespace: "one", role: "cluster/r", subjects: alice },
      "GET /api/v1/pods",
      "",
    ],
    [
      "of a namespace does not know the Roles of others",
      { "two/r": pods },
      { name: "b", namespace: "one", role: "one/r", subjects: alice },
      "GET /api/v1/namespaces/one/pods/a",
      'RBAC: role.rbac.authorization.k8s.io "r" not found',
    ],
    [
      "of the cluster may lack its role",
      {},
      { name: "b", role: "cluster/r", subjects: alice },
      "GET /healthz",
      'RBAC: clusterrole.rbac.authorization.k8s.io "r" not found',
    ],
  ])("%s", async (_title, roles, binding, request, reason) => {
    const verdict = reason.includes("allowed") ? "allow" : "noOpinion";
    expect(await ask(listerOf(roles, [binding]), request, "alice", ["dev"])).toEqual({ verdict, reason });
  });

  test("names the service account and its namespace", async () => {
    const subjects = [{ kind: "ServiceAccount", name: "sa" }];
    const bindings = [{ name: "b", namespace: "one", role: "one/r", subjects }];
    const lister = listerOf({ "one/r": pods }, bindings);
    const answer = ask(lister, "GET /api/v1/namespaces/one/pods/a", "system:serviceaccount:one:sa");
    expect((await answer).reason).toBe(
      'RBAC: allowed by RoleBinding "b/one" of Role "r" to ServiceAccount "sa/one"',
    );
  });

  test("that lacks its role does not prevent what others grant, and each missing role is named once", async () => {
    const missing = (name: string, role: string): Binding => ({ name, role, subjects: alice });
    const lacking = [missing("a", "cluster/x"), missing("b", "cluster/y"), missing("c", "cluster/x")];
    const good = { name: "d", role: "cluster/r", subjects: alice };
    const request = "GET /api/v1/pods/a";
    expect((await ask(listerOf({ "cluster/r": pods }, [...lacking, good]), request)).verdict).toBe("allow");
    expect((await ask(listerOf({}, lacking), request)).reason).toBe(
      'RBAC: [clusterrole.rbac.authorization.k8s.io "x" not found, clusterrole.rbac.authorization.k8s.io "y" not found]',
    );
  });
});

describe("the rules of a user", () => {
  const lister = listerOf({ "cluster/r": paths("/x"), "one/r": [{ verbs: ["get"], resources: ["pods"] }] }, [
    { name: "a", role: "cluster/r", subjects: alice },
    { name: "b", namespace: "one", role: "one/r", subjects: alice },
    { name: "c", namespace: "one", role: "one/gone", subjects: alice },
    { name: "d", namespace: "one", role: "one/lost", subjects: alice },
    { name: "e", namespace: "one", role: "one/r", subjects: [{ kind: "User", name: "bob" }] },
  ]);
  const rulesOf = (namespace: string) =>
    rbac(stateOf(lister)).rulesFor({ name: "alice", uid: "", groups: [], extra: {} }, namespace);
  const empty = { verbs: ["get"], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] };

  test("are those of the cluster and then those of the namespace", () => {
    expect(rulesOf("one")).toEqual({
      rules: [
        { ...empty, nonResourceURLs: ["/x"] },
        { ...empty, resources: ["pods"] },
      ],
      isIncomplete: false,
      errors: [
        '[role.rbac.authorization.k8s.io "gone" not found, role.rbac.authorization.k8s.io "lost" not found]',
      ],
    });
  });

  test("outside of namespaces are those of the cluster", () => {
    expect(rulesOf("")).toEqual({
      rules: [{ ...empty, nonResourceURLs: ["/x"] }],
      isIncomplete: false,
      errors: [],
    });
  });
});

test.each(["Zed", "ROLE", ""])(
  "a binding of the kind %j grants nothing, and the refusal says so",
  async (kind) => {
    const lister = listerOf({ "default/r": resources("pods") }, []);
    const metadata = { name: "b", namespace: "default" };
    const binding = { apiVersion, metadata, roleRef: { kind, name: "r" }, subjects: alice };
    // The parts that the authorizer reads are there.
    lister.put({ group, resource: "rolebindings" }, binding as unknown as KubeObject);
    expect(await ask(lister, "GET /api/v1/namespaces/default/pods/a")).toEqual({
      verdict: "noOpinion",
      reason: `RBAC: unsupported role reference kind: "${kind}"`,
    });
  },
);
