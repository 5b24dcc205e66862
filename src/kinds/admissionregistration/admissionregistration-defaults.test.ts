import { describe, expect, test } from "vitest";
import { defaulted } from "../../../test/registry/defaulted.ts";

const group = "admissionregistration.k8s.io";
const webhooks = [{ name: "w", clientConfig: { service: { name: "s" } }, rules: [{}, { scope: "Cluster" }] }];
const always = {
  namespaceSelector: {},
  objectSelector: {},
  clientConfig: { service: { port: 443 } },
  rules: [{ scope: "*" }, { scope: "Cluster" }],
};

describe("a webhook", () => {
  test.each([
    [
      "v1",
      "1.32",
      {
        failurePolicy: "Fail",
        matchPolicy: "Equivalent",
        timeoutSeconds: 10,
        sideEffects: null,
        admissionReviewVersions: null,
      },
    ],
    [
      "v1beta1",
      "1.20",
      {
        failurePolicy: "Ignore",
        matchPolicy: "Exact",
        timeoutSeconds: 30,
        sideEffects: "Unknown",
        admissionReviewVersions: ["v1beta1"],
      },
    ],
  ])("of %s", (version, release, own) => {
    const expected = { ...own, ...always };
    const validating = defaulted(`${group}/${version}/ValidatingWebhookConfiguration`, { webhooks }, release);
    expect(validating).toMatchObject({ webhooks: [expected] });
    expect(validating).not.toHaveProperty("webhooks[0].reinvocationPolicy");
    const mutating = defaulted(`${group}/${version}/MutatingWebhookConfiguration`, { webhooks }, release);
    expect(mutating).toMatchObject({ webhooks: [{ ...expected, reinvocationPolicy: "Never" }] });
  });

  test("keeps what it says", () => {
    const own = {
      failurePolicy: "Ignore",
      matchPolicy: "Exact",
      timeoutSeconds: 1,
      namespaceSelector: { matchLabels: { a: "b" } },
      clientConfig: { url: "https://x" },
      reinvocationPolicy: "IfNeeded",
    };
    const configuration = defaulted(`${group}/v1/MutatingWebhookConfiguration`, { webhooks: [own] });
    expect(configuration).toMatchObject({ webhooks: [own] });
    expect(configuration).not.toHaveProperty("webhooks[0].clientConfig.service");
  });
});

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

  test("matches in its binding as in itself", () => {
    const spec = { matchResources: sent, paramRef: { name: "p" } };
    const binding = defaulted(`${group}/v1/ValidatingAdmissionPolicyBinding`, { spec });
    expect(binding).toMatchObject({ spec: { matchResources: filled } });
    expect(binding).not.toHaveProperty("spec.paramRef.parameterNotFoundAction");
  });

  test("has to find its parameters in v1alpha1", () => {
    const spec = { paramRef: { name: "p" } };
    expect(defaulted(`${group}/v1alpha1/ValidatingAdmissionPolicyBinding`, { spec })).toMatchObject({
      spec: { paramRef: { parameterNotFoundAction: "Deny" } },
    });
  });
});
