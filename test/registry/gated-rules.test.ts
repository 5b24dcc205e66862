import { expect } from "vitest";
import type { JsonObject } from "../../src/apimachinery/json.ts";
import { describeRules, type GatedRule } from "./gated-rule.ts";

const pods = "/api/v1/namespaces/default/pods";
const services = "/api/v1/namespaces/default/services";
const claims = "/api/v1/namespaces/default/persistentvolumeclaims";

const pod = (spec: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  metadata: { name: "p", ...metadata },
  spec: { containers: [{ name: "c", image: "i" }], ...spec },
});

const claim = (spec: JsonObject): JsonObject => ({
  metadata: { name: "c" },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...spec },
});

const service = (spec: JsonObject): JsonObject => ({ metadata: { name: "s" }, spec });

const hook = {
  name: "a.example.com",
  clientConfig: { url: "https://hook.example.com" },
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
  matchConditions: [{ name: "any", expression: "true" }],
};

const rules: readonly GatedRule[] = [
  {
    gate: "AdmissionWebhookMatchConditions",
    releases: ["1.27", "1.28"],
    seen: [undefined, hook.matchConditions],
    see: async (send) => {
      const path = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
      const { object } = await send("POST", path, { metadata: { name: "w" }, webhooks: [hook] });
      return object.webhooks[0].matchConditions;
    },
  },
  {
    gate: "ReadWriteOncePod",
    releases: ["1.22", "1.27"],
    seen: [expect.stringContaining('supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce"'), ""],
    see: async (send) => {
      const { findings } = await send("POST", claims, claim({ accessModes: ["ReadWriteOncePod"] }));
      return findings.join();
    },
  },
  {
    gate: "VolumeSnapshotDataSource",
    releases: ["1.16", "1.17"],
    seen: [undefined, "VolumeSnapshot"],
    see: async (send) => {
      const dataSource = { apiGroup: "snapshot.storage.k8s.io", kind: "VolumeSnapshot", name: "x" };
      return (await send("POST", claims, claim({ dataSource }))).object.spec.dataSource?.kind;
    },
  },
  {
    gate: "SCTPSupport",
    releases: ["1.18", "1.19"],
    seen: [
      expect.stringContaining('protocol: Unsupported value: "SCTP": supported values: "TCP", "UDP"'),
      "",
    ],
    see: async (send) => {
      const { findings } = await send("POST", services, service({ ports: [{ port: 1, protocol: "SCTP" }] }));
      const container = { name: "c", image: "i", ports: [{ containerPort: 1, protocol: "SCTP" }] };
      const ofPod = await send("POST", pods, pod({ containers: [container] }));
      const policy = {
        metadata: { name: "n" },
        spec: { podSelector: {}, ingress: [{ ports: [{ protocol: "SCTP" }] }] },
      };
      const ofPolicy = await send(
        "POST",
        "/apis/networking.k8s.io/v1/namespaces/default/networkpolicies",
        policy,
      );
      const subsets = [{ addresses: [{ ip: "10.0.0.1" }], ports: [{ port: 1, protocol: "SCTP" }] }];
      const ofEndpoints = await send("POST", "/api/v1/namespaces/default/endpoints", {
        metadata: { name: "e" },
        subsets,
      });
      for (const other of [ofPod, ofPolicy, ofEndpoints]) expect(other.findings.length).toBe(findings.length);
      return findings.join();
    },
  },
  {
    gate: "MixedProtocolLBService",
    releases: ["1.23", "1.24"],
    seen: [expect.stringContaining("may not contain more than 1 protocol when type is 'LoadBalancer'"), ""],
    see: async (send) => {
      const ports = ["TCP", "UDP"].map((protocol) => ({ name: protocol.toLowerCase(), port: 1, protocol }));
      return (await send("POST", services, service({ type: "LoadBalancer", ports }))).findings.join();
    },
  },
  {
    gate: "ExpandedDNSConfig",
    releases: ["1.25", "1.26"],
    seen: [expect.stringContaining("must not have more than 6 search paths"), ""],
    see: async (send) => {
      const searches = Array.from({ length: 7 }, (_, i) => `d${i}.example`);
      return (await send("POST", pods, pod({ dnsConfig: { searches } }))).findings.join();
    },
  },
  {
    gate: "DownwardAPIHugePages",
    releases: ["1.22", "1.23"],
    seen: [expect.stringContaining('resource: Unsupported value: "limits.hugepages-2Mi"'), ""],
    see: async (send) => {
      const resourceFieldRef = { resource: "limits.hugepages-2Mi" };
      const env = [{ name: "A", valueFrom: { resourceFieldRef } }];
      return (
        await send("POST", pods, pod({ containers: [{ name: "c", image: "i", env }] }))
      ).findings.join();
    },
  },
  {
    gate: "HugePageStorageMediumSize",
    releases: ["1.18", "1.19"],
    seen: [
      'spec: Invalid value: sets.String{"hugepages-1Gi":sets.Empty{}, "hugepages-2Mi":sets.Empty{}}: must use a single hugepage size in a pod spec',
      "",
    ],
    see: async (send) => {
      const containers = ["2Mi", "1Gi"].map((size) => ({
        name: `c${size.toLowerCase()}`,
        image: "i",
        resources: { limits: { cpu: "1", [`hugepages-${size}`]: "2Gi" } },
      }));
      return (await send("POST", pods, pod({ containers }))).findings.join();
    },
  },
  {
    gate: "TaintTolerationComparisonOperators",
    releases: ["1.35", "1.35"],
    seen: [
      'spec.tolerations[0].operator: Unsupported value: "Gt": supported values: "Equal", "Exists", "Lt", "Gt"',
      "",
    ],
    see: async (send) => {
      const tolerations = [{ key: "a", operator: "Gt", value: "7" }];
      return (await send("POST", pods, pod({ tolerations }))).findings.join();
    },
  },
  {
    gate: "PodDeletionCost",
    releases: ["1.21", "1.22"],
    seen: ["", expect.stringContaining("must be a 32bit integer")],
    see: async (send) => {
      const annotations = { "controller.kubernetes.io/pod-deletion-cost": "x" };
      return (await send("POST", pods, pod({}, { annotations }))).findings.join();
    },
  },
  {
    gate: "PodDisruptionConditions",
    releases: ["1.25", "1.26"],
    seen: [undefined, "DisruptionTarget"],
    see: async (send) => {
      await send("POST", pods, pod({ nodeName: "n" }));
      const sent = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "p" } };
      expect((await send("POST", `${pods}/p/eviction`, sent)).code).toBe(201);
      return (await send("GET", `${pods}/p`)).object.status.conditions?.at(-1)?.type;
    },
  },
  {
    gate: "MatchLabelKeysInPodTopologySpreadSelectorMerge",
    releases: ["1.33", "1.34"],
    seen: [undefined, [{ key: "v", operator: "In", values: ["1"] }]],
    see: async (send) => {
      const spread = { maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule" };
      const selection = { labelSelector: { matchLabels: { app: "web" } }, matchLabelKeys: ["v"] };
      const spec = { topologySpreadConstraints: [{ ...spread, ...selection }] };
      const { object } = await send("POST", pods, pod(spec, { labels: { v: "1" } }));
      return object.spec.topologySpreadConstraints[0].labelSelector.matchExpressions;
    },
  },
  {
    gate: "ClearingNominatedNodeNameAfterBinding",
    releases: ["1.34", "1.35"],
    seen: ["n", undefined],
    see: async (send) => {
      const { object } = await send("POST", pods, pod({}));
      const status = { ...object.status, nominatedNodeName: "n" };
      await send("PUT", `${pods}/p/status`, { ...object, status });
      const target = { kind: "Node", name: "n" };
      await send("POST", `${pods}/p/binding`, {
        kind: "Binding",
        apiVersion: "v1",
        metadata: { name: "p" },
        target,
      });
      return (await send("GET", `${pods}/p`)).object.status.nominatedNodeName;
    },
  },
  {
    gate: "PodTopologyLabelsAdmission",
    releases: ["1.34", "1.35"],
    seen: [undefined, "north"],
    see: async (send) => {
      const zones = { "topology.k8s.io/zone": "north", "topology.kubernetes.io/zone": "north" };
      await send("POST", "/api/v1/nodes", { metadata: { name: "n", labels: zones } });
      const labels = Object.fromEntries(Object.keys(zones).map((key) => [key, "own"]));
      await send("POST", pods, pod({}, { labels }));
      const target = { kind: "Node", name: "n" };
      await send("POST", `${pods}/p/binding`, {
        kind: "Binding",
        apiVersion: "v1",
        metadata: { name: "p" },
        target,
      });
      const bound = (await send("GET", `${pods}/p`)).object.metadata.labels ?? {};
      const { object } = await send("POST", pods, pod({ nodeName: "n" }, { name: "q", labels }));
      expect(object.metadata.labels ?? {}).toEqual(bound);
      return Object.values(bound).find((value) => value !== "own");
    },
  },
  {
    gate: "NamespaceDefaultLabelName",
    releases: ["1.20", "1.21"],
    seen: [undefined, "n"],
    see: async (send) => {
      const { object } = await send("POST", "/api/v1/namespaces", { metadata: { name: "n" } });
      return object.metadata.labels?.["kubernetes.io/metadata.name"];
    },
  },
  {
    gate: "DefaultHostNetworkHostPortsInPodTemplates",
    releases: ["1.28", "1.27"],
    seen: [undefined, 80],
    see: async (send) => {
      const container = { name: "c", image: "i", ports: [{ containerPort: 80 }] };
      const template = {
        metadata: { labels: { a: "b" } },
        spec: { hostNetwork: true, containers: [container] },
      };
      const spec = { selector: { matchLabels: { a: "b" } }, template };
      const path = "/apis/apps/v1/namespaces/default/deployments";
      const { object } = await send("POST", path, { metadata: { name: "d" }, spec });
      return object.spec.template.spec.containers[0].ports[0].hostPort;
    },
  },
  {
    gate: "StorageObjectInUseProtection",
    releases: ["1.16", "1.16"],
    seen: [undefined, ["kubernetes.io/pvc-protection"]],
    see: async (send) => (await send("POST", claims, claim({}))).object.metadata.finalizers,
  },
  {
    gate: "TaintNodesByCondition",
    releases: ["1.16", "1.16"],
    seen: [undefined, "node.kubernetes.io/not-ready"],
    see: async (send) =>
      (await send("POST", "/api/v1/nodes", { metadata: { name: "n" } })).object.spec.taints?.[0].key,
  },
  {
    gate: "PodSecurity",
    releases: ["1.22", "1.23"],
    seen: [201, 403],
    see: async (send) => {
      const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
      await send("PATCH", "/api/v1/namespaces/default", { metadata: { labels } });
      return (await send("POST", pods, pod({}))).code;
    },
  },
  {
    gate: "AllowServiceLBStatusOnNonLB",
    releases: ["1.29", "1.28"],
    seen: [422, 200],
    see: async (send) => {
      const { object } = await send("POST", services, service({ ports: [{ port: 1 }] }));
      const status = { loadBalancer: { ingress: [{ ip: "10.0.0.1", ipMode: "VIP" }] } };
      return (await send("PUT", `${services}/s/status`, { ...object, status })).code;
    },
  },
  {
    gate: "ZeroLimitedNominalConcurrencyShares",
    releases: ["1.29", "1.30"],
    seen: ["spec.limited.nominalConcurrencyShares: Invalid value: 0: must be positive", ""],
    see: async (send) => {
      const limited = { nominalConcurrencyShares: 0, limitResponse: { type: "Reject" } };
      const path = "/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations";
      const body = { metadata: { name: "l" }, spec: { type: "Limited", limited } };
      return (await send("POST", path, body)).findings.join();
    },
  },
  {
    gate: "APISelfSubjectReview",
    releases: ["1.26", "1.27"],
    apis: { "authentication.k8s.io/v1alpha1": true },
    seen: [404, 201],
    see: async (send) =>
      (await send("POST", "/apis/authentication.k8s.io/v1alpha1/selfsubjectreviews", {})).code,
  },
  {
    gate: "KubeletFineGrainedAuthz",
    releases: ["1.32", "1.33"],
    seen: [[], ["nodes/configz", "nodes/healthz", "nodes/pods"]],
    see: async (send) => {
      const path = "/apis/rbac.authorization.k8s.io/v1/clusterroles/system:kubelet-api-admin";
      const rules: readonly { resources: readonly string[] }[] = (await send("GET", path)).object.rules;
      return rules.slice(3).flatMap(({ resources }) => resources);
    },
  },
  {
    gate: "APIServerIdentity",
    releases: ["1.25", "1.26"],
    seen: [[], [expect.stringMatching(/^kube-apiserver-[a-z0-9-]{26,36}$/)]],
    see: async (send) => {
      const path = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
      const selector = "?labelSelector=k8s.io/component%3Dkube-apiserver";
      const items: readonly { metadata: { name: string } }[] = (await send("GET", path + selector)).object
        .items;
      return items.map(({ metadata }) => metadata.name);
    },
  },
  {
    gate: "OpenAPIEnums",
    releases: ["1.23", "1.24"],
    seen: [undefined, ["SCTP", "TCP", "UDP"]],
    see: async (send) => {
      const { object } = await send("GET", "/openapi/v2");
      return object.definitions["io.k8s.api.core.v1.ContainerPort"].properties.protocol.enum;
    },
  },
];

describeRules(rules);
