import fc from "fast-check";
import { expect, test } from "vitest";
import type { KubeObject } from "../../src/apimachinery/object-meta.ts";
import type { AuthorizationAttributes } from "../../src/authorization/contract/authorizer.ts";
import { resourceAttributes } from "../../src/authorization/contract/resource-attributes.ts";
import { rbac } from "../../src/authorization/rbac/rbac.ts";
import { naivelyAllowed, type Policy } from "./naive-rbac.ts";
import { PlainLister, stateOf } from "./plain-lister.ts";

const group = "rbac.authorization.k8s.io";
const names = ["a", "b", "c"];
const namespaces = ["n1", "n2"];
const groups = ["", "apps"];
const verbs = ["get", "list"];
const resources = ["pods", "pods/log", "deployments"];
const paths = ["/healthz", "/healthz/*", "/h*", "*"];

const some = (...values: readonly string[]) => fc.subarray([...values]);
const resourceRule = fc.record({
  verbs: some(...verbs, "*"),
  apiGroups: some(...groups, "*"),
  resources: some(...resources, "*", "*/log"),
  resourceNames: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, some("o1", "o2")),
});
const pathRule = fc.record({ verbs: some(...verbs, "*"), nonResourceURLs: some(...paths) });
const rules = fc.array(fc.oneof(resourceRule, pathRule), { maxLength: 3 });
const subject = fc.oneof(
  fc.record({ kind: fc.constant("User"), name: fc.constantFrom("alice", "dev") }),
  fc.record({ kind: fc.constant("Group"), name: fc.constantFrom("dev", "ops", "alice") }),
  fc.record({ kind: fc.constant("ServiceAccount"), name: fc.constantFrom("sa", "alice") }),
  fc.record({
    kind: fc.constant("ServiceAccount"),
    name: fc.constantFrom("sa"),
    namespace: fc.constantFrom(...namespaces),
  }),
);

interface Change {
  readonly resource: "roles" | "clusterroles" | "rolebindings" | "clusterrolebindings";
  readonly isDelete: boolean;
  readonly object: KubeObject;
}

const change: fc.Arbitrary<Change> = fc
  .record({
    resource: fc.constantFrom(
      "roles" as const,
      "clusterroles" as const,
      "rolebindings" as const,
      "clusterrolebindings" as const,
    ),
    isDelete: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)),
    name: fc.constantFrom(...names),
    namespace: fc.constantFrom(...namespaces),
    rules,
    subjects: fc.array(subject, { maxLength: 3 }),
    roleRef: fc.record({
      kind: fc.constantFrom("Role", "ClusterRole"),
      name: fc.constantFrom(...names, "missing"),
    }),
  })
  .map(({ resource, isDelete, name, namespace, rules: given, subjects, roleRef }) => {
    const metadata = resource.startsWith("cluster") ? { name } : { name, namespace };
    const isRole = resource.endsWith("roles");
    const ref = resource === "clusterrolebindings" ? { ...roleRef, kind: "ClusterRole" } : roleRef;
    const content = isRole ? { rules: given } : { subjects, roleRef: ref };
    return { resource, isDelete, object: { apiVersion: `${group}/v1`, kind: "X", metadata, ...content } };
  });

const users = [
  { name: "alice", groups: ["dev"] },
  { name: "dev", groups: [] },
  { name: "bob", groups: ["ops", "dev"] },
  { name: "system:serviceaccount:n1:sa", groups: [] },
  { name: "system:serviceaccount:n2:sa", groups: ["ops"] },
  { name: "system:serviceaccount::sa", groups: [] },
].map((user) => ({ ...user, uid: "", extra: {} }));

/** Every request about the names that rules use. */
function everyRequest(): readonly AuthorizationAttributes[] {
  const about = users.flatMap((user) => verbs.map((verb) => ({ user, verb })));
  const aboutObjects = about.flatMap(({ user, verb }) =>
    ["", ...namespaces].flatMap((namespace) =>
      groups.flatMap((apiGroup) =>
        resources.flatMap((path) =>
          ["", "o1"].map((name) => {
            const [resource = "", subresource = ""] = path.split("/");
            const question = { verb, group: apiGroup, version: "v1", resource, subresource, namespace, name };
            return resourceAttributes(user, question);
          }),
        ),
      ),
    ),
  );
  const aboutPaths = about.flatMap(({ user, verb }) =>
    ["/healthz", "/healthz/etcd", "/other"].map((path): AuthorizationAttributes => {
      return { user, info: { isResourceRequest: false, path, verb } };
    }),
  );
  return [...aboutObjects, ...aboutPaths];
}

test("100,000 requests are decided as a naive evaluation of the roles decides them", async () => {
  const requests = everyRequest();
  let decisions = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { minLength: 1, maxLength: 25 }),
      fc.boolean(),
      async (changes, restarts) => {
        const lister = new PlainLister();
        const { authorize } = rbac(stateOf(lister));
        for (const { resource, isDelete, object } of changes) {
          if (isDelete) lister.delete({ group, resource }, object);
          else lister.put({ group, resource }, object);
          // The index is read after each change, not only at the end.
          await authorize(requests[0] as AuthorizationAttributes);
        }
        if (restarts) lister.restart();
        const all = (resource: string) => lister.list({ group, resource }, "");
        const policy: Policy = {
          roles: all("roles"),
          clusterRoles: all("clusterroles"),
          roleBindings: all("rolebindings"),
          clusterRoleBindings: all("clusterrolebindings"),
        };
        for (const request of requests) {
          const { verdict } = await authorize(request);
          decisions += 1;
          const expected = naivelyAllowed(policy, request) ? "allow" : "noOpinion";
          if (verdict !== expected) expect({ policy, request, verdict }).toMatchObject({ verdict: expected });
        }
      },
    ),
    { numRuns: 220 },
  );
  expect(decisions).toBeGreaterThanOrEqual(100_000);
});
