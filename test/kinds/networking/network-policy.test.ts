import { describe, expect, test } from "vitest";
import type { KubeObject } from "../../../src/apimachinery/object-meta.ts";
import { collectErrors } from "../../../src/apimachinery/validation/findings.ts";
import { featureGates } from "../../../src/catalog/feature-gates.ts";
import { addNetworkPolicyUpdateErrors } from "../../../src/kinds/networking/network-policy/network-policy-validation.ts";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const path = "/apis/networking.k8s.io/v1/namespaces/default/networkpolicies";
const selector = { matchExpressions: [{ key: "a", operator: "In", values: ["b c"] }] };
const cidrMessage = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";

describe("a NetworkPolicy is refused for", () => {
  test.each<[string, object, readonly unknown[]]>([
    [
      "three types",
      { policyTypes: ["Ingress", "Egress", "Q"] },
      [
        'spec.policyTypes: Invalid value: []networking.PolicyType{"Ingress", "Egress", "Q"}: may not specify more than two policyTypes',
      ],
    ],
    [
      "an invalid type",
      { policyTypes: ["Q"] },
      ['spec.policyTypes[0]: Unsupported value: "Q": supported values: "Ingress", "Egress"'],
    ],
    [
      "invalid ports",
      {
        ingress: [
          {
            ports: [
              { protocol: "X", port: 0 },
              { port: 5, endPort: 3 },
              { endPort: 3 },
              { port: "web", endPort: 3 },
              { port: 5, endPort: 70_000 },
            ],
          },
        ],
      },
      [
        'spec.ingress[0].ports[0].protocol: Unsupported value: "X": supported values: "TCP", "UDP", "SCTP"',
        "spec.ingress[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive",
        "spec.ingress[0].ports[1].endPort: Invalid value: 5: must be greater than or equal to `port`",
        "spec.ingress[0].ports[2].endPort: Invalid value: 3: may not be specified when `port` is not specified",
        "spec.ingress[0].ports[3].endPort: Invalid value: 3: may not be specified when `port` is non-numeric",
        "spec.ingress[0].ports[4].endPort: Invalid value: 70000: must be between 1 and 65535, inclusive",
      ],
    ],
    [
      "empty peers, and peers of two types",
      {
        egress: [
          {
            to: [
              {},
              { ipBlock: { cidr: "10.0.0.0/8" }, podSelector: {} },
              { ipBlock: { cidr: "" } },
              { ipBlock: { cidr: "x" } },
              { ipBlock: { cidr: "10.0.0.0/8", except: ["y", "11.0.0.0/16", "10.0.0.0/8", "10.1.0.0/16"] } },
            ],
          },
        ],
      },
      [
        "spec.egress[0].to[0]: Required value: must specify a peer",
        "spec.egress[0].to[1]: Forbidden: may not specify both ipBlock and another peer",
        "spec.egress[0].to[2].ipBlock.cidr: Required value",
        `spec.egress[0].to[3].ipBlock.cidr: Invalid value: "x": ${cidrMessage}`,
        `spec.egress[0].to[4].ipBlock.except[0]: Invalid value: "y": ${cidrMessage}`,
        'spec.egress[0].to[4].ipBlock.except[1]: Invalid value: "11.0.0.0/16": must be a strict subset of `cidr`',
        'spec.egress[0].to[4].ipBlock.except[2]: Invalid value: "10.0.0.0/8": must be a strict subset of `cidr`',
      ],
    ],
    [
      "an invalid port name",
      { egress: [{ ports: [{ port: "a--b" }, {}] }] },
      ['spec.egress[0].ports[0].port: Invalid value: "a--b": must not contain consecutive hyphens'],
    ],
    [
      "invalid peer selectors",
      { ingress: [{ from: [{ podSelector: selector, namespaceSelector: selector }] }] },
      ["podSelector", "namespaceSelector"].map((name) =>
        expect.stringContaining(
          `spec.ingress[0].from[0].${name}.matchExpressions[0].values[0]: Invalid value: "b c": a valid label`,
        ),
      ),
    ],
    [
      "invalid selectors",
      { podSelector: { matchExpressions: [{ key: "a", operator: "In" }] } },
      [
        "spec.podSelector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
      ],
    ],
  ])("%s", async (_title, spec, findings) => {
    const body = { metadata: { name: "p" }, spec: { podSelector: {}, ...spec } };
    const send = testClient(quietCluster());
    expect((await send("POST", path, body)).findings).toEqual(findings);
    await send("POST", path, { metadata: { name: "p" }, spec: { podSelector: {} } });
    expect((await send("PATCH", `${path}/p`, { spec })).findings).toEqual([...findings, ...findings]);
  });
});

describe("a NetworkPolicy", () => {
  const body = (spec: object) => ({ metadata: { name: "p" }, spec: { podSelector: {}, ...spec } });

  test.each<[string, object, readonly string[]]>([
    ["has the type Ingress by default", {}, ["Ingress"]],
    ["has the type Ingress with empty egress rules", { egress: [] }, ["Ingress"]],
    ["has both types with egress rules", { egress: [{}] }, ["Ingress", "Egress"]],
    ["keeps its types", { policyTypes: ["Egress"], egress: [{}] }, ["Egress"]],
  ])("%s", async (_title, spec, policyTypes) => {
    const { object } = await testClient(quietCluster())("POST", path, body(spec));
    expect(object.spec.policyTypes).toEqual(policyTypes);
  });

  test("defaults to TCP, and counts changes of its spec", async () => {
    const send = testClient(quietCluster());
    const { object } = await send("POST", path, body({ ingress: [{ ports: [{ port: 1 }] }] }));
    expect(object.spec.ingress).toEqual([{ ports: [{ protocol: "TCP", port: 1 }] }]);
    expect(object.metadata.generation).toBe(1);
    const generation = async (change: object) =>
      (await send("PATCH", `${path}/p`, change)).object.metadata.generation;
    expect(await generation({ metadata: { labels: { a: "b" } } })).toBe(1);
    expect(await generation({ spec: { egress: [{}] } })).toBe(2);
  });

  test("keeps invalid labels if its own selector had some", () => {
    const policy = (podSelector: object) =>
      ({
        metadata: { name: "p", namespace: "n", resourceVersion: "1" },
        spec: { podSelector },
      }) as unknown as KubeObject;
    expect(
      collectErrors((errors) =>
        addNetworkPolicyUpdateErrors(errors, policy(selector), policy(selector), featureGates("1.32")),
      ),
    ).toEqual([]);
    expect(
      collectErrors((errors) =>
        addNetworkPolicyUpdateErrors(errors, policy(selector), policy({}), featureGates("1.32")),
      ),
    ).toHaveLength(2);
    expect(
      collectErrors((errors) =>
        addNetworkPolicyUpdateErrors(errors, policy(selector), policy({}), featureGates("1.33")),
      ),
    ).toHaveLength(1);
  });

  test("has warnings for non-canonical networks since 1.33", async () => {
    const blocks = [{ ipBlock: { cidr: "010.0.0.0/8", except: ["10.1.0.1/16"] } }, { podSelector: {} }];
    const spec = { ingress: [{ from: blocks }], egress: [{ to: blocks }] };
    const warnings = async (release: string) => {
      const send = testClient(quietCluster({ release }));
      const created = await send("POST", path, body(spec));
      const changed = await send("PATCH", `${path}/p`, { metadata: { labels: { a: "b" } } });
      expect(changed.warnings).toEqual(created.warnings);
      return created.warnings;
    };
    expect(await warnings("1.32")).toEqual([]);
    expect(await warnings("1.33")).toEqual(
      ["ingress[0].from", "egress[0].to"].flatMap((peers) => [
        `spec.${peers}[0].ipBlock.cidr: non-standard CIDR value "010.0.0.0/8" will be considered invalid in a future Kubernetes release: use "10.0.0.0/8"`,
        `spec.${peers}[0].ipBlock.except[0]: CIDR value "10.1.0.1/16" is ambiguous in this context (should be "10.1.0.0/16" or "10.1.0.1/32"?)`,
      ]),
    );
  });
});

describe("the status of a NetworkPolicy, which releases from 1.24 to 1.27 have,", () => {
  const condition = {
    type: "Accepted",
    status: "True",
    reason: "Ok",
    message: "",
    lastTransitionTime: "2026-01-01T00:00:00Z",
  };
  const status = { conditions: [condition] };
  const policy = { metadata: { name: "p" }, spec: { podSelector: {} }, status };
  const change = { status: { conditions: [{ ...condition, reason: "Other" }] } };
  const client = (NetworkPolicyStatus: boolean) =>
    testClient(quietCluster({ release: "1.25", featureGates: { NetworkPolicyStatus } }));

  test("comes from /status alone with its gate", async () => {
    const send = client(true);
    expect((await send("POST", path, policy)).object.status).toEqual({});
    expect((await send("PATCH", `${path}/p/status`, { status })).object.status).toEqual(status);
    expect((await send("PATCH", `${path}/p`, change)).object.status).toEqual(status);
    const broken = { status: { conditions: [{ ...condition, status: "Maybe" }] } };
    expect((await send("PATCH", `${path}/p/status`, broken)).findings).toEqual([
      'status.conditions[0].status: Unsupported value: "Maybe": supported values: "False", "True", "Unknown"',
    ]);
  });

  test("comes with the object without its gate, and /status only clears it", async () => {
    const send = client(false);
    expect((await send("POST", path, policy)).object.status).toEqual(status);
    expect((await send("PATCH", `${path}/p`, change)).object.status).toEqual(status);
    expect((await send("PATCH", `${path}/p/status`, change)).object.status).toEqual(status);
    expect((await send("PATCH", `${path}/p/status`, { status: null })).object.status).toEqual({});
    expect((await send("PATCH", `${path}/p`, change)).object.status).toEqual(change.status);
  });
});
