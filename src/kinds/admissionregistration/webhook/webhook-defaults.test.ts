import { describe, expect, test } from "vitest";
import { defaulted } from "../../../../test/registry/defaulted.ts";

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

  test("keeps the values that are set", () => {
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
