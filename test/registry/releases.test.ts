import { describe, expect, test } from "vitest";
import {
  askingFor,
  autoscaler,
  budget,
  cronJob,
  inDefault,
  jobsPath,
  ofContainer,
  pod,
  service,
  servicesPath,
} from "./every-kind.ts";
import { podsPath } from "./pods.ts";
import { job, podTemplate, workload } from "./workloads.ts";

describe("every release since 1.16 accepts", () => {
  test.each(Array.from({ length: 21 }, (_, i) => `1.${16 + i}`))("the kinds of %s", async (release) => {
    const ask = askingFor(release);
    const isOld = Number(release.slice(2)) < 21;
    const scaled = { resources: { limits: { cpu: "1" } } };
    const limits = [{ type: "Container", max: { cpu: "2" } }];
    const sent: readonly (readonly [path: string, body: object])[] = [
      [podsPath, ofContainer(scaled)],
      ...["ClusterIP", "NodePort", "LoadBalancer"].map(
        (type) => [servicesPath, { ...service({ type }), metadata: { name: type.toLowerCase() } }] as const,
      ),
      [servicesPath, service({ clusterIP: "None", selector: { a: "b" } })],
      [servicesPath, { metadata: { name: "e" }, spec: { type: "ExternalName", externalName: "a.b" } }],
      ...["deployments", "replicasets", "daemonsets", "statefulsets"].map(
        (resource) => [inDefault("apps/v1", resource), workload("w", { serviceName: "s" })] as const,
      ),
      [
        "/api/v1/namespaces/default/replicationcontrollers",
        { metadata: { name: "r" }, spec: { template: podTemplate() } },
      ],
      [jobsPath, job("j")],
      [inDefault(isOld ? "batch/v1beta1" : "batch/v1", "cronjobs"), cronJob()],
      [inDefault(isOld ? "policy/v1beta1" : "policy/v1", "poddisruptionbudgets"), budget()],
      [inDefault("autoscaling/v1", "horizontalpodautoscalers"), autoscaler()],
      ["/api/v1/nodes", { metadata: { name: "n" } }],
      ["/api/v1/namespaces", { metadata: { name: "n" } }],
      [
        "/api/v1/namespaces/default/resourcequotas",
        { metadata: { name: "q" }, spec: { hard: { pods: "9" } } },
      ],
      ["/api/v1/namespaces/default/limitranges", { metadata: { name: "l" }, spec: { limits } }],
    ];
    for (const [path, body] of sent) {
      const { code, findings } = await ask("POST", path, body);
      expect([path, code, ...findings]).toEqual([path, 201]);
    }
  });
});

const deployments = "/apis/apps/v1/namespaces/default/deployments";

test.each([
  [
    "1.33",
    'v1.LabelSelector{MatchLabels:map[string]string{"app":"b"}, MatchExpressions:[]v1.LabelSelectorRequirement(nil)}',
  ],
  ["1.34", '{"matchLabels":{"app":"b"}}'],
])("%s shows an immutable selector as %s", async (release, shown) => {
  const ask = askingFor(release);
  const deployment = (app: string) => ({
    metadata: { name: "d" },
    spec: {
      selector: { matchLabels: { app } },
      template: { metadata: { labels: { app } }, spec: { containers: [{ name: "c", image: "i" }] } },
    },
  });
  await ask("POST", deployments, deployment("a"));
  const { findings, object } = await ask("PUT", `${deployments}/d`, deployment("b"));
  const finding = `spec.selector: Invalid value: ${shown}: field is immutable`;
  expect(findings).toEqual([finding]);
  expect(object.message).toBe(`Deployment.apps "d" is invalid: ${finding}`);
});

test.each(["1.16", "1.19", "1.20"])("a service of %s keeps its address", async (release) => {
  const ask = askingFor(release);
  const { object: made } = await ask("POST", servicesPath, service());
  const changed = await ask("PATCH", `${servicesPath}/s`, { spec: { ports: [{ port: 81 }] } });
  expect([changed.code, changed.object.spec.clusterIP]).toEqual([200, made.spec.clusterIP]);
  expect((await ask("PATCH", `${servicesPath}/s`, { spec: { clusterIP: "10.96.0.9" } })).code).toBe(422);
  const taken = await ask("POST", servicesPath, {
    ...service({ clusterIP: made.spec.clusterIP }),
    metadata: { name: "t" },
  });
  expect(taken.findings).toEqual([expect.stringMatching(/provided IP is already allocated$/)]);
  await ask("DELETE", `${servicesPath}/s`);
  const again = await ask("POST", servicesPath, service({ clusterIP: made.spec.clusterIP }));
  expect(again.code).toBe(201);
});

describe("the served release words", () => {
  test.each([
    ["1.19", "a DNS-1123 subdomain must consist of"],
    ["1.20", "a lowercase RFC 1123 subdomain must consist of"],
  ])("a label selector in %s", async (release, words) => {
    const { findings } = await askingFor(release)("GET", `${podsPath}?labelSelector=A_/b`);
    expect(findings).toEqual([expect.stringContaining(`Invalid value: "A_/b": prefix part ${words}`)]);
  });

  test.each([
    ["1.26", "[a lowercase RFC 1123 label must consist of"],
    ["1.27", "[must not contain dots]"],
  ])("a warning about a name in %s", async (release, words) => {
    const ask = askingFor(release);
    const named = { ...pod(), metadata: { name: "a.b" } };
    const written = [
      await ask("POST", podsPath, named),
      await ask("POST", inDefault("apps/v1", "deployments"), { ...workload("a.b") }),
    ];
    for (const { code, warnings } of written) {
      expect([code, warnings]).toEqual([201, [expect.stringContaining(words)]]);
    }
  });

  test.each([
    ["1.33", '[]string{"10.0.0.5", "10.0.0.6"}'],
    ["1.34", '["10.0.0.5","10.0.0.6"]'],
  ])("the addresses of a service in %s", async (release, shown) => {
    const clusterIPs = ["10.0.0.5", "10.0.0.6"];
    const { findings } = await askingFor(release)(
      "POST",
      servicesPath,
      service({ clusterIP: "10.0.0.5", clusterIPs }),
    );
    expect(findings).toEqual([
      `spec.clusterIPs: Invalid value: ${shown}: may specify no more than one IP for each IP family`,
    ]);
  });
});
