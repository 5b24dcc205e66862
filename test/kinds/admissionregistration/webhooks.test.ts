import { describe, expect, test } from "vitest";
import type { KubeObject } from "../../../src/apimachinery/object-meta.ts";
import type { Findings } from "../../../src/apimachinery/validation/findings.ts";
import { addWebhookConfigurationUpdateErrors } from "../../../src/kinds/admissionregistration/webhook/webhook-configuration-validation.ts";
import { fieldErrorLines } from "../../field-errors.ts";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const root = "/apis/admissionregistration.k8s.io/v1";
const path = `${root}/validatingwebhookconfigurations`;
const good = {
  name: "a.x.io",
  clientConfig: { url: "https://h/p" },
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
};
const rule = { operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] };
const form = "; desired format: https://host[/path]";

describe("a webhook is refused for", () => {
  test.each<[string, object, readonly unknown[]]>([
    [
      "an empty spec",
      { name: null, clientConfig: null, sideEffects: null, admissionReviewVersions: null },
      [
        "name: Required value",
        "sideEffects: Required value: must specify one of None, NoneOnDryRun",
        "clientConfig: Required value: exactly one of url or service is required",
        "admissionReviewVersions: Required value: must specify one of v1, v1beta1",
      ],
    ],
    [
      "a short name",
      { name: "bad" },
      ['name: Invalid value: "bad": should be a domain with at least three segments separated by dots'],
    ],
    [
      "an invalid name",
      { name: "A.b.c" },
      [expect.stringContaining('name: Invalid value: "A.b.c": a lowercase RFC 1123')],
    ],
    [
      "unknown policies and a wrong timeout",
      { failurePolicy: "Zed", matchPolicy: "Q", sideEffects: "Some", timeoutSeconds: 31 },
      [
        'failurePolicy: Unsupported value: "Zed": supported values: "Fail", "Ignore"',
        'matchPolicy: Unsupported value: "Q": supported values: "Equivalent", "Exact"',
        'sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"',
        "timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds",
      ],
    ],
    [
      "invalid review versions",
      { admissionReviewVersions: ["v1", "1V"] },
      [expect.stringContaining('admissionReviewVersions[1]: Invalid value: "1V": a DNS-1035 label must')],
    ],
    [
      "versions of reviews",
      { admissionReviewVersions: ["v9", "v9"] },
      [
        'admissionReviewVersions[1]: Invalid value: "v9": duplicate version',
        'admissionReviewVersions: Invalid value: []string{"v9", "v9"}: must include at least one of v1, v1beta1',
      ],
    ],
    [
      "an invalid URL",
      { clientConfig: { url: "http://me@?y=1#z" } },
      [
        `clientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme${form}`,
        `clientConfig.url: Invalid value: "": host must be specified${form}`,
        'clientConfig.url: Invalid value: "me": user information is not permitted in the URL',
        'clientConfig.url: Invalid value: "z": fragments are not permitted in the URL',
        'clientConfig.url: Invalid value: "y=1": query parameters are not permitted in the URL',
      ],
    ],
    [
      "an invalid URL",
      { clientConfig: { url: "https://h:x#y" } },
      [
        `clientConfig.url: Required value: url must be a valid URL: parse "https://h:x": invalid port ":x" after host${form}`,
      ],
    ],
    [
      "a service without a name, which upstream reports as the namespace",
      { clientConfig: { service: { namespace: "n", path: "//" } } },
      [
        "clientConfig.service.namespace: Required value: service namespace is required",
        'clientConfig.service.path: Invalid value: "//": segment[0] may not be empty',
      ],
    ],
    [
      "both a URL and a service",
      { clientConfig: { url: "https://h/p", service: { name: "s", namespace: "n" } } },
      ["clientConfig: Required value: exactly one of url or service is required"],
    ],
    [
      "too many conditions",
      {
        matchConditions: Array.from({ length: 65 }, (_, i) => ({ name: `c${i}`, expression: "true" })),
      },
      ["matchConditions: Too many: 65: must have at most 64 items"],
    ],
    [
      "no time",
      { timeoutSeconds: 0 },
      ["timeoutSeconds: Invalid value: 0: the timeout value must be between 1 and 30 seconds"],
    ],
    [
      "a resource without a name",
      { rules: [{ ...rule, resources: [""] }] },
      ["rules[0].resources[0]: Required value"],
    ],
    [
      "an invalid service",
      { clientConfig: { service: { port: 70000, path: "a//B" } } },
      [
        "clientConfig.service.name: Required value: service name is required",
        "clientConfig.service.namespace: Required value: service namespace is required",
        "clientConfig.service.port: Invalid value: 70000: port is not valid: must be between 1 and 65535, inclusive",
        "clientConfig.service.path: Invalid value: \"a//B\": must start with a '/'",
        'clientConfig.service.path: Invalid value: "a//B": segment[0] may not be empty',
        'clientConfig.service.path: Invalid value: "a//B": segment[1] may not be empty',
        expect.stringContaining(
          'clientConfig.service.path: Invalid value: "a//B": segment[2]: a lowercase RFC 1123',
        ),
      ],
    ],
    [
      "an empty rule",
      { rules: [{}] },
      ["operations", "apiGroups", "apiVersions", "resources"].map(
        (name) => `rules[0].${name}: Required value`,
      ),
    ],
    [
      "a rule with wildcards next to other values",
      {
        rules: [
          {
            operations: ["*", "Z"],
            apiGroups: ["*", "a"],
            apiVersions: ["*", ""],
            resources: ["pods/*", "pods/log", "*/log", "x/log", "*", "y", "*/*"],
            scope: "Z",
          },
        ],
      },
      [
        'rules[0].operations: Invalid value: []admissionregistration.OperationType{"*", "Z"}: if \'*\' is present, must not specify other operations',
        'rules[0].operations[1]: Unsupported value: "Z": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"',
        'rules[0].apiGroups: Invalid value: []string{"*", "a"}: if \'*\' is present, must not specify other API groups',
        'rules[0].apiVersions: Invalid value: []string{"*", ""}: if \'*\' is present, must not specify other API versions',
        "rules[0].apiVersions[1]: Required value",
        "rules[0].resources[1]: Invalid value: \"pods/log\": if 'pods/*' is present, must not specify pods/log",
        "rules[0].resources[3]: Invalid value: \"x/log\": if '*/log' is present, must not specify x/log",
        expect.stringContaining("if '*/*' is present, must not specify other resources"),
        expect.stringContaining("if '*' is present, must not specify other resources without subresources"),
        'rules[0].scope: Unsupported value: "Z": supported values: "*", "Cluster", "Namespaced"',
      ],
    ],
    [
      "conditions",
      {
        matchConditions: [
          { name: "", expression: " " },
          { name: "a b", expression: "true" },
          { name: "a b", expression: "true" },
        ],
      },
      [
        "matchConditions[0].expression: Required value",
        "matchConditions[0].name: Required value",
        expect.stringContaining('matchConditions[1].name: Invalid value: "a b": name part must'),
        expect.stringContaining('matchConditions[2].name: Invalid value: "a b": name part must'),
        'matchConditions[2].name: Duplicate value: "a b"',
      ],
    ],
    [
      "selectors",
      { objectSelector: { matchLabels: { a: "b c" } } },
      [expect.stringContaining('objectSelector.matchLabels: Invalid value: "b c": a valid label must be')],
    ],
  ])("%s", async (_title, change, findings) => {
    const send = testClient(quietCluster());
    const body = { metadata: { name: "c" }, webhooks: [{ ...good, ...change }] };
    const expected = findings.map((finding) =>
      typeof finding === "string" ? `webhooks[0].${finding}` : finding,
    );
    expect((await send("POST", path, body)).findings).toEqual(expected);
  });

  test("a duplicate name", async () => {
    const send = testClient(quietCluster());
    const body = { metadata: { name: "c" }, webhooks: [good, good] };
    expect((await send("POST", path, body)).findings).toEqual([
      'webhooks[1].name: Duplicate value: "a.x.io"',
    ]);
  });

  test("an unknown reinvocation policy, if it mutates objects", async () => {
    const send = testClient(quietCluster());
    const body = { metadata: { name: "c" }, webhooks: [{ ...good, reinvocationPolicy: "Z" }] };
    const { findings } = await send("POST", `${root}/mutatingwebhookconfigurations`, body);
    expect(findings).toEqual([
      'webhooks[0].reinvocationPolicy: Unsupported value: "Z": supported values: "IfNeeded", "Never"',
    ]);
  });
});

describe("an update may keep values that v1beta1 accepted", () => {
  const changed = (hooks: readonly object[], old: readonly object[]) => {
    const configuration = (webhooks: readonly object[]) =>
      ({ metadata: { name: "c" }, webhooks }) as unknown as KubeObject;
    const errors: Findings = [];
    const version = { release: "1.32" } as const;
    addWebhookConfigurationUpdateErrors(
      errors,
      configuration(hooks),
      configuration(old),
      "mutating",
      version,
    );
    return fieldErrorLines(errors);
  };
  const sideEffects = { ...good, sideEffects: "Some" };
  const reviews = { ...good, admissionReviewVersions: ["v9"] };
  const expression = { key: "a", operator: "In", values: ["b c"] };
  const selector = { ...good, objectSelector: { matchExpressions: [expression] } };
  const conditions = { ...good, matchConditions: [{ name: "", expression: "true" }] };

  test.each<[string, readonly object[], readonly object[], readonly unknown[]]>([
    ["side effects", [sideEffects], [sideEffects], []],
    [
      "side effects, but no unknown ones",
      [
        { ...good, sideEffects: "Z" },
        { ...good, name: "b.x.io", sideEffects: null },
      ],
      [sideEffects],
      [
        'webhooks[0].sideEffects: Unsupported value: "Z": supported values: "None", "NoneOnDryRun", "Some", "Unknown"',
        "webhooks[1].sideEffects: Required value: must specify one of None, NoneOnDryRun, Some, Unknown",
      ],
    ],
    [
      "side effects only if it had some",
      [sideEffects],
      [good],
      ['webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"'],
    ],
    ["duplicate names", [good, good], [good, good], []],
    [
      "duplicate names only if it had some",
      [good, good],
      [good],
      ['webhooks[1].name: Duplicate value: "a.x.io"'],
    ],
    ["unknown review versions", [reviews], [reviews], []],
    [
      "unknown review versions only if it had some",
      [reviews],
      [good],
      [
        'webhooks[0].admissionReviewVersions: Invalid value: []string{"v9"}: must include at least one of v1, v1beta1',
      ],
    ],
    ["invalid label values", [selector], [selector], []],
    [
      "invalid label values only if it had some",
      [selector],
      [good],
      [
        expect.stringContaining(
          'webhooks[0].objectSelector.matchExpressions[0].values[0]: Invalid value: "b c": a valid label',
        ),
      ],
    ],
    ["invalid conditions", [conditions], [conditions], []],
    [
      "invalid conditions only if it has the same webhooks",
      [conditions, good],
      [conditions, good, { ...good, name: "b.x.io" }],
      ["webhooks[0].matchConditions[0].name: Required value"],
    ],
  ])("%s", (_title, hooks, old, findings) => {
    expect(changed(hooks, old)).toEqual(findings);
  });
});

test("a webhook may be a service without a path", async () => {
  const send = testClient(quietCluster());
  const service = { name: "s", namespace: "n", path: "/" };
  const body = { metadata: { name: "c" }, webhooks: [{ ...good, clientConfig: { service } }] };
  const made = await send("POST", path, body);
  expect(made.object.webhooks[0].clientConfig.service).toEqual({ ...service, port: 443 });
});

test.each([["validatingwebhookconfigurations"], ["mutatingwebhookconfigurations"]])(
  "%s of v1beta1 may have duplicate names and side effects as long as they are updated in v1beta1",
  async (resource) => {
    const send = testClient(quietCluster({ release: "1.21" }));
    const hook = { name: "a.x.io", clientConfig: { url: "https://h/p" } };
    const webhooks = [hook, { ...hook, sideEffects: "Some" }];
    const beta = `${root}beta1/${resource}`;
    const made = await send("POST", beta, { metadata: { name: "c" }, webhooks: [webhooks[0]] });
    expect(made.object.webhooks[0]).toMatchObject({
      failurePolicy: "Ignore",
      matchPolicy: "Exact",
      sideEffects: "Unknown",
      timeoutSeconds: 30,
      admissionReviewVersions: ["v1beta1"],
    });
    expect((await send("PATCH", `${beta}/c`, { webhooks })).code).toBe(200);
    expect(
      (await send("POST", `${root}/${resource}`, { metadata: { name: "d" }, webhooks })).findings,
    ).toEqual([
      "webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun",
      "webhooks[0].admissionReviewVersions: Required value: must specify one of v1, v1beta1",
      'webhooks[1].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"',
      "webhooks[1].admissionReviewVersions: Required value: must specify one of v1, v1beta1",
      'webhooks[1].name: Duplicate value: "a.x.io"',
    ]);
  },
);

test("a configuration counts the changes of its webhooks", async () => {
  const send = testClient(quietCluster());
  await send("POST", path, { metadata: { name: "c" }, webhooks: [good] });
  const labelled = await send("PATCH", `${path}/c`, { metadata: { labels: { a: "b" } } });
  expect(labelled.object.metadata.generation).toBe(1);
  const changed = await send("PATCH", `${path}/c`, { webhooks: [{ ...good, rules: [rule] }] });
  expect(changed.object.metadata.generation).toBe(2);
});
