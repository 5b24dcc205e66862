import { describe, expect, test } from "vitest";
import { defaulted } from "../../../../test/registry/defaulted.ts";

const group = "admissionregistration.k8s.io";

describe("an admission policy", () => {
  const sent = { resourceRules: [{}], excludeResourceRules: [{ scope: "Namespaced" }] };
  const filled = {
    matchPolicy: "Equivalent",
    namespaceSelector: {},
    objectSelector: {},
    resourceRules: [{ scope: "*" }],
    excludeResourceRules: [{ scope: "Namespaced" }],
  };

  test.each([
    ["v1/ValidatingAdmissionPolicy", "1.32"],
    ["v1beta1/ValidatingAdmissionPolicy", "1.32"],
    ["v1alpha1/MutatingAdmissionPolicy", "1.32"],
  ])("of %s fails closed", (kind, release) => {
    expect(defaulted(`${group}/${kind}`, {}, release)["spec"]).toMatchObject({ failurePolicy: "Fail" });
    expect(defaulted(`${group}/${kind}`, { spec: { matchConstraints: sent } }, release)).toMatchObject({
      spec: { matchConstraints: filled },
    });
  });

  test("has the same defaults for matching in its binding", () => {
    const spec = { matchResources: sent, paramRef: { name: "p" } };
    const binding = defaulted(`${group}/v1/ValidatingAdmissionPolicyBinding`, { spec });
    expect(binding).toMatchObject({ spec: { matchResources: filled } });
    expect(binding).not.toHaveProperty("spec.paramRef.parameterNotFoundAction");
  });

  test("denies missing parameters in v1alpha1", () => {
    const spec = { paramRef: { name: "p" } };
    expect(defaulted(`${group}/v1alpha1/ValidatingAdmissionPolicyBinding`, { spec })).toMatchObject({
      spec: { paramRef: { parameterNotFoundAction: "Deny" } },
    });
  });
});
