import type { Statement } from "../statement.ts";
import { kindStatements } from "./kind-cases.ts";

export const webhooksStatements: readonly Statement[] = [
  ...kindStatements(
    {
      subject: "a webhook",
      source:
        "kubernetes, pkg/apis/admissionregistration/validation/validation_test.go, TestValidateValidatingWebhookConfiguration",
      target: "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
      body: (changes) => ({
        webhooks: [
          {
            name: "w.k8s.io",
            clientConfig: { url: "https://x" },
            sideEffects: "None",
            admissionReviewVersions: ["v1"],
            ...changes,
          },
        ],
      }),
    },
    [
      ["ok", {}],
      ["name", { name: "w" }, "webhooks[0].name"],
      ["name 2 parts", { name: "w.io" }, "webhooks[0].name"],
      ["no versions", { admissionReviewVersions: [] }, "webhooks[0].admissionReviewVersions"],
      ["unknown only", { admissionReviewVersions: ["invalid"] }, "webhooks[0].admissionReviewVersions"],
      ["unknown plus", { admissionReviewVersions: ["v1", "invalid"] }],
      [
        "bad label version",
        { admissionReviewVersions: ["v1", "in.valid"] },
        "webhooks[0].admissionReviewVersions[1]",
      ],
      ["dup version", { admissionReviewVersions: ["v1", "v1"] }, "webhooks[0].admissionReviewVersions[1]"],
      ["side unknown", { sideEffects: "Unknown" }, "webhooks[0].sideEffects"],
      ["side none", { sideEffects: undefined }, "webhooks[0].sideEffects"],
      ["http", { clientConfig: { url: "http://x" } }, "webhooks[0].clientConfig.url"],
      [
        "both",
        { clientConfig: { url: "https://x", service: { namespace: "n", name: "s" } } },
        "webhooks[0].clientConfig",
      ],
      ["neither", { clientConfig: {} }, "webhooks[0].clientConfig"],
      ["user", { clientConfig: { url: "https://u:p@x" } }, "webhooks[0].clientConfig.url"],
      ["frag", { clientConfig: { url: "https://x/a#f" } }, "webhooks[0].clientConfig.url"],
      ["query", { clientConfig: { url: "https://x/a?arg=1" } }, "webhooks[0].clientConfig.url"],
      ["blank host", { clientConfig: { url: "https:///fancy" } }, "webhooks[0].clientConfig.url"],
      ["path ok", { clientConfig: { service: { namespace: "n", name: "s", path: "/foo/bar/" } } }],
      ["path slash", { clientConfig: { service: { namespace: "n", name: "s", path: "/" } } }],
      [
        "path no slash",
        { clientConfig: { service: { namespace: "n", name: "s", path: "foo/" } } },
        "webhooks[0].clientConfig.service.path",
      ],
      [
        "path double",
        { clientConfig: { service: { namespace: "n", name: "s", path: "/apis/foo.bar//" } } },
        "webhooks[0].clientConfig.service.path",
      ],
      [
        "path upper",
        { clientConfig: { service: { namespace: "n", name: "s", path: "/apis/foo.bar/v1alpha1/--bad" } } },
        "webhooks[0].clientConfig.service.path",
      ],
      [
        "port 0",
        { clientConfig: { service: { namespace: "n", name: "s", port: 0 } } },
        "webhooks[0].clientConfig.service.port",
      ],
      ["timeout 31", { timeoutSeconds: 31 }, "webhooks[0].timeoutSeconds"],
      ["timeout 0", { timeoutSeconds: 0 }, "webhooks[0].timeoutSeconds"],
      ["failure", { failurePolicy: "other" }, "webhooks[0].failurePolicy"],
      ["match", { matchPolicy: "other" }, "webhooks[0].matchPolicy"],
      [
        "rule ops *",
        { rules: [{ operations: ["CREATE", "*"], apiGroups: ["a"], apiVersions: ["a"], resources: ["a"] }] },
        "webhooks[0].rules[0].operations",
      ],
      [
        "rule groups *",
        { rules: [{ operations: ["CREATE"], apiGroups: ["a", "*"], apiVersions: ["a"], resources: ["a"] }] },
        "webhooks[0].rules[0].apiGroups",
      ],
      [
        "rule ver empty",
        { rules: [{ operations: ["CREATE"], apiGroups: ["a"], apiVersions: [""], resources: ["a"] }] },
        "webhooks[0].rules[0].apiVersions[0]",
      ],
      [
        "rule res empty",
        { rules: [{ operations: ["CREATE"], apiGroups: ["a"], apiVersions: ["a"], resources: [""] }] },
        "webhooks[0].rules[0].resources[0]",
      ],
      [
        "rule res */* mix",
        {
          rules: [{ operations: ["CREATE"], apiGroups: ["a"], apiVersions: ["a"], resources: ["*/*", "a"] }],
        },
        "webhooks[0].rules[0].resources",
      ],
      [
        "rule res a/* mix",
        {
          rules: [
            { operations: ["CREATE"], apiGroups: ["a"], apiVersions: ["a"], resources: ["a/*", "a/x"] },
          ],
        },
        "webhooks[0].rules[0].resources[1]",
      ],
      [
        "rule res */x mix",
        {
          rules: [
            { operations: ["CREATE"], apiGroups: ["a"], apiVersions: ["a"], resources: ["*/x", "a/x"] },
          ],
        },
        "webhooks[0].rules[0].resources[1]",
      ],
      [
        "rule res * + x/y",
        {
          rules: [{ operations: ["CREATE"], apiGroups: ["a"], apiVersions: ["a"], resources: ["*", "a/x"] }],
        },
      ],
      [
        "rule res * + a",
        { rules: [{ operations: ["CREATE"], apiGroups: ["a"], apiVersions: ["a"], resources: ["*", "a"] }] },
        "webhooks[0].rules[0].resources",
      ],
      [
        "rule op bad",
        { rules: [{ operations: ["PATCH"], apiGroups: ["a"], apiVersions: ["a"], resources: ["a"] }] },
        "webhooks[0].rules[0].operations[0]",
      ],
      [
        "scope bad",
        {
          rules: [
            { operations: ["CREATE"], apiGroups: ["a"], apiVersions: ["a"], resources: ["a"], scope: "Q" },
          ],
        },
        "webhooks[0].rules[0].scope",
      ],
      [
        "cond dup",
        {
          matchConditions: [
            { name: "a", expression: "true" },
            { name: "a", expression: "true" },
          ],
        },
        "webhooks[0].matchConditions[1].name",
      ],
      [
        "cond name",
        { matchConditions: [{ name: "-a", expression: "true" }] },
        "webhooks[0].matchConditions[0].name",
      ],
    ],
  ),
];
