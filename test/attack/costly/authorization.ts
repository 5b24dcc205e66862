import type { ClusterOptions } from "../../../src/index.ts";
import { type CostlyRequest, get, post, type SizedRequest, times } from "./costly-request.ts";

const rbac = "/apis/rbac.authorization.k8s.io/v1";
const roles = `${rbac}/namespaces/default/roles`;
const alice = { kind: "User", name: "alice", apiGroup: "rbac.authorization.k8s.io" };
const authors = {
  apiGroups: ["rbac.authorization.k8s.io"],
  resources: ["roles", "clusterroles", "rolebindings"],
  verbs: ["create"],
};

/** The request of Alice, whom the administrator impersonates. */
function asAlice({ headers = [], ...request }: SizedRequest): SizedRequest {
  return { ...request, headers: [...headers, ["Impersonate-User", "alice"]] };
}

type Rule = Readonly<Record<string, readonly string[]>>;
const verbs = ["get"];
const resource = (i: number): Rule => ({ apiGroups: ["a"], resources: [`r${i}`], verbs });
const path = (i: number): Rule => ({ nonResourceURLs: [`/p${i}`], verbs });
const role = (name: string, rules: readonly Rule[]) => ({ metadata: { name }, rules });

/** Alice has the rules of `held`, and may write roles and bindings. */
function holding(held: (n: number) => readonly Rule[]): (n: number) => readonly SizedRequest[] {
  return (n) => [
    post(`${rbac}/clusterroles`, role("held", [...held(n), authors])),
    post(`${rbac}/clusterrolebindings`, {
      metadata: { name: "held" },
      subjects: [alice],
      roleRef: { apiGroup: alice.apiGroup, kind: "ClusterRole", name: "held" },
    }),
  ];
}

/** A kind of request under RBAC, in which Alice holds rules that depend on the size. */
function underRbac(
  name: string,
  held: (n: number) => readonly Rule[],
  request: (n: number) => SizedRequest,
): CostlyRequest {
  return {
    name,
    options: () => ({ authorizationMode: "RBAC" }),
    before: holding(held),
    request: (n) => asAlice(request(n)),
  };
}

const onePath = (n: number): readonly Rule[] => [{ nonResourceURLs: times(n, (i) => `/p${i}`), verbs }];
const group = (i: number): Rule => ({ apiGroups: [`g${i}`], resources: ["*"], verbs });
const none = () => [];
const resources = (n: number) => times(n, resource);
const one = (n: number): readonly Rule[] => [
  { apiGroups: ["a"], resources: times(n, (i) => `r${i}`), verbs },
];
const named = (n: number): readonly Rule[] => [
  { apiGroups: ["a"], resources: ["r"], resourceNames: times(n, (i) => `n${i}`), verbs },
];

/** A kind of request under ABAC, whose policies depend on the size. */
function underAbac(name: string, policy: (i: number) => object, request: SizedRequest): CostlyRequest {
  const line = (spec: object) =>
    JSON.stringify({ apiVersion: "abac.authorization.kubernetes.io/v1beta1", kind: "Policy", spec });
  const options = (n: number): ClusterOptions => ({
    authorizationMode: "ABAC",
    authorizationPolicy: times(n, (i) => line(policy(i))).join("\n"),
  });
  return { name, options, request: () => asAlice(request) };
}

const reads = (i: number) => ({ user: "alice", resource: `r${i}`, namespace: "*", apiGroup: "*" });

/** Checks of RBAC and ABAC. */
export const costlyAuthorization: readonly CostlyRequest[] = [
  underRbac("escalation: rules that are held", resources, (n) => post(roles, role("a", resources(n)))),
  underRbac("escalation: rules that are not held", none, (n) => post(roles, role("a", resources(n)))),
  underRbac("escalation: resources of a rule", one, (n) => post(roles, role("a", one(n)))),
  underRbac("escalation: resources of a rule that are not held", none, (n) => post(roles, role("a", one(n)))),
  underRbac("escalation: names of a resource", named, (n) => post(roles, role("a", named(n)))),
  underRbac(
    "escalation: paths",
    (n) => times(n, path),
    (n) => post(`${rbac}/clusterroles`, role("a", times(n, path))),
  ),
  underRbac("escalation: paths of a rule", onePath, (n) =>
    post(`${rbac}/clusterroles`, role("a", onePath(n))),
  ),
  underRbac(
    "escalation: groups of a resource",
    (n) => times(n, group),
    (n) => post(roles, role("a", times(n, group))),
  ),
  underRbac("escalation: a binding to many rules", resources, () =>
    post(`${rbac}/namespaces/default/rolebindings`, {
      metadata: { name: "a" },
      subjects: [alice],
      roleRef: { apiGroup: alice.apiGroup, kind: "ClusterRole", name: "held" },
    }),
  ),
  underRbac("rbac: rules of a user", resources, () => get("/api/v1/namespaces/default/pods")),
  underRbac("rbac: a review of rules", resources, () =>
    post("/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", { spec: { namespace: "default" } }),
  ),
  underAbac("abac: policies for others", (i) => ({ user: `u${i}`, resource: "*" }), get("/api/v1/pods")),
  underAbac("abac: policies for other resources", reads, get("/api/v1/namespaces/default/pods")),
  underAbac(
    "abac: a review of rules",
    (i) => (i === 0 ? { user: "alice", resource: "*", namespace: "*", apiGroup: "*" } : reads(i)),
    post("/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", { spec: { namespace: "default" } }),
  ),
];
