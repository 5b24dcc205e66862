import { expect, test } from "vitest";
import { defaulted } from "../../../../test/registry/defaulted.ts";

const group = "rbac.authorization.k8s.io";
const sent = ["User", "Group", "ServiceAccount", "Zed"].map((kind) => ({ kind, name: "n" }));

test.each(["RoleBinding", "ClusterRoleBinding"])(
  "a %s names roles, users and groups of its own group",
  (kind) => {
    const subjects = [...sent, { kind: "User", name: "n", apiGroup: "x" }];
    const binding = defaulted(`${group}/v1/${kind}`, { subjects, roleRef: { kind: "Role", name: "r" } });
    expect(binding["roleRef"]).toEqual({ apiGroup: group, kind: "Role", name: "r" });
    expect(binding["subjects"]).toEqual([
      { kind: "User", name: "n", apiGroup: group },
      { kind: "Group", name: "n", apiGroup: group },
      { kind: "ServiceAccount", name: "n" },
      { kind: "Zed", name: "n" },
      { kind: "User", name: "n", apiGroup: "x" },
    ]);
  },
);

test("subjects of v1alpha1 have an apiVersion", () => {
  const binding = defaulted(`${group}/v1alpha1/RoleBinding`, { subjects: sent }, "1.20");
  expect(binding).toMatchObject({
    roleRef: { apiGroup: group },
    subjects: [
      { apiVersion: `${group}/v1alpha1` },
      { apiVersion: `${group}/v1alpha1` },
      { apiVersion: "v1" },
      {},
    ],
  });
  expect(binding).not.toHaveProperty("subjects[3].apiVersion");
});
