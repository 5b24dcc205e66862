import { expect, test } from "vitest";
import { policyRule } from "../../src/authorization/contract/policy-rule.ts";
import type { BoundRole } from "../../src/authorization/contract/role-finder.ts";
import { defaultGrants } from "../../src/authorization/least-privilege/default-grants.ts";
import { RoleRules } from "../../src/authorization/rbac/role-rules.ts";

const bound = (path: string, labels: object): BoundRole => ({
  found: true,
  role: new RoleRules([policyRule({ verbs: ["get"], nonResourceURLs: [path] })]),
  binding: {
    apiVersion: "v1",
    kind: "ClusterRoleBinding",
    metadata: { name: "b", labels: JSON.parse(JSON.stringify(labels)) },
  },
  grant: () => "",
});

test("only default bindings for groups count as granted to all", () => {
  const asked: unknown[] = [];
  const isGranted = defaultGrants(
    {
      of: (user, namespace) => {
        asked.push([user, namespace]);
        return [
          bound("/version", { "kubernetes.io/bootstrapping": "rbac-defaults" }),
          bound("/healthz", { "kubernetes.io/bootstrapping": "rbac-defaults" }),
          bound("/own", {}),
          bound("/other", { "kubernetes.io/bootstrapping": "x" }),
          { found: false, problem: "gone" },
        ];
      },
      allowing: () => undefined,
      role: () => undefined,
    },
    new Set(["system:authenticated"]),
  );
  const get = (path: string) => isGranted({ isResourceRequest: false, verb: "get", path });
  expect(["/version", "/healthz", "/own", "/other"].map(get)).toEqual([true, true, false, false]);
  expect(asked).toEqual([[{ name: "", uid: "", groups: ["system:authenticated"], extra: {} }, ""]]);
});
