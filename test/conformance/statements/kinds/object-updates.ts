import type { Statement } from "../statement.ts";
import { type KindUpdate, updateStatements } from "./kind-updates.ts";

const core = "/api/v1/namespaces/updates";
/** Where quotas and ranges refuse no pods of other statements. */
const limits = "/api/v1/namespaces/limits";
const services = `${core}/services`;
const service = (spec: object) => ({ spec: { ports: [{ port: 80 }], ...spec } });
const priorityClasses = "/apis/scheduling.k8s.io/v1/priorityclasses";
const runtimeClasses = "/apis/node.k8s.io/v1/runtimeclasses";
const ingressClasses = "/apis/networking.k8s.io/v1/ingressclasses";
const slices = `/apis/discovery.k8s.io/v1/namespaces/updates/endpointslices`;
const roleBindings = `/apis/rbac.authorization.k8s.io/v1/namespaces/updates/rolebindings`;

const updates: readonly KindUpdate[] = [
  [
    "Service: clusterIP change",
    services,
    service({ clusterIP: "10.96.0.60" }),
    { spec: { clusterIP: "10.96.0.61", clusterIPs: ["10.96.0.61"] } },
    "refused",
  ],
  [
    "Service: clusterIP remove keeps",
    services,
    service({ clusterIP: "10.96.0.62" }),
    { spec: { clusterIP: "", clusterIPs: null } },
    "accepted",
  ],
  ["Service: type lb", services, service({}), { spec: { type: "LoadBalancer" } }, "accepted"],
  [
    "Service: to extname",
    services,
    service({}),
    { spec: { type: "ExternalName", externalName: "a.b", clusterIP: "", clusterIPs: null } },
    "accepted",
  ],
  [
    "Service: to extname keep ip",
    services,
    service({}),
    { spec: { type: "ExternalName", externalName: "a.b" } },
    "accepted",
  ],
  [
    "Service: None to ip",
    services,
    service({ clusterIP: "None" }),
    { spec: { clusterIP: "10.96.0.70", clusterIPs: ["10.96.0.70"] } },
    "refused",
  ],
  [
    "Service: nodeport to clusterip",
    services,
    service({ type: "NodePort" }),
    { spec: { type: "ClusterIP" } },
    "accepted",
  ],
  [
    "Service: lbclass change",
    services,
    service({ type: "LoadBalancer", loadBalancerClass: "a.b/c" }),
    { spec: { loadBalancerClass: "a.b/d" } },
    "refused",
  ],
  [
    "Service: lbclass set later",
    services,
    service({ type: "LoadBalancer" }),
    { spec: { loadBalancerClass: "a.b/d" } },
    "refused",
  ],
  [
    "Service: hcnp change",
    services,
    service({ type: "LoadBalancer", externalTrafficPolicy: "Local", healthCheckNodePort: 31111 }),
    { spec: { healthCheckNodePort: 31112 } },
    "refused",
  ],
  ["Service: ipFamilies change", services, service({}), { spec: { ipFamilies: ["IPv6"] } }, "refused"],
  ["PriorityClass: value", priorityClasses, { value: 5 }, { value: 6 }, "refused"],
  ["PriorityClass: preemption", priorityClasses, { value: 5 }, { preemptionPolicy: "Never" }, "refused"],
  [
    "PriorityClass: description",
    priorityClasses,
    { value: 5 },
    { description: "x", globalDefault: true },
    "accepted",
  ],
  ["RuntimeClass: handler", runtimeClasses, { handler: "a" }, { handler: "b" }, "refused"],
  [
    "RuntimeClass: overhead",
    runtimeClasses,
    { handler: "a" },
    { overhead: { podFixed: { cpu: "1" } } },
    "accepted",
  ],
  ["Secret: type", `${core}/secrets`, { type: "a/b" }, { type: "a/c" }, "refused"],
  [
    "Secret: immutable data",
    `${core}/secrets`,
    { immutable: true, stringData: { a: "b" } },
    { data: { a: "eA==" } },
    "refused",
  ],
  ["Secret: immutable false", `${core}/secrets`, { immutable: true }, { immutable: false }, "refused"],
  [
    "Secret: immutable label",
    `${core}/secrets`,
    { immutable: true },
    { metadata: { labels: { a: "b" } } },
    "accepted",
  ],
  [
    "ConfigMap: immutable",
    `${core}/configmaps`,
    { immutable: true, data: { a: "b" } },
    { data: { a: "c" } },
    "refused",
  ],
  ["ConfigMap: immutable nil", `${core}/configmaps`, { immutable: true }, { immutable: null }, "refused"],
  [
    "Node: podCIDR set",
    "/api/v1/nodes",
    {},
    { spec: { podCIDR: "10.0.0.0/24", podCIDRs: ["10.0.0.0/24"] } },
    "accepted",
  ],
  [
    "Node: podCIDR change",
    "/api/v1/nodes",
    { spec: { podCIDR: "10.0.0.0/24" } },
    { spec: { podCIDR: "10.0.1.0/24", podCIDRs: ["10.0.1.0/24"] } },
    "refused",
  ],
  [
    "Node: providerID change",
    "/api/v1/nodes",
    { spec: { providerID: "a" } },
    { spec: { providerID: "b" } },
    "refused",
  ],
  [
    "Node: providerID set",
    "/api/v1/nodes",
    {},
    { spec: { providerID: "b", unschedulable: true } },
    "accepted",
  ],
  [
    "Node: configSource",
    "/api/v1/nodes",
    {},
    { spec: { configSource: { configMap: { namespace: "a", name: "b", kubeletConfigKey: "c" } } } },
    "accepted",
  ],
  ["Node: externalID", "/api/v1/nodes", {}, { spec: { externalID: "x" } }, "refused"],
  [
    "IngressClass: controller",
    ingressClasses,
    { spec: { controller: "a.b/c" } },
    { spec: { controller: "a.b/d" } },
    "refused",
  ],
  [
    "IngressClass: params",
    ingressClasses,
    { spec: { controller: "a.b/c" } },
    { spec: { parameters: { kind: "x", name: "y", scope: "Cluster" } } },
    "accepted",
  ],
  ["EndpointSlice: type", slices, { addressType: "IPv4", endpoints: [] }, { addressType: "IPv6" }, "refused"],
  [
    "RoleBinding: roleRef",
    roleBindings,
    { roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "r" } },
    { roleRef: { name: "q" } },
    "refused",
  ],
  [
    "RoleBinding: subjects",
    roleBindings,
    { roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "r" } },
    { subjects: [{ kind: "User", name: "u", apiGroup: "rbac.authorization.k8s.io" }] },
    "accepted",
  ],
  [
    "ResourceQuota: scopes",
    `${limits}/resourcequotas`,
    { spec: { hard: { pods: "1" } } },
    { spec: { scopes: ["BestEffort"] } },
    "refused",
  ],
  [
    "ResourceQuota: hard",
    `${limits}/resourcequotas`,
    { spec: { hard: { pods: "1" } } },
    { spec: { hard: { pods: "2" } } },
    "accepted",
  ],
  [
    "ResourceQuota: scopeSelector",
    `${limits}/resourcequotas`,
    { spec: { hard: { pods: "1" } } },
    { spec: { scopeSelector: { matchExpressions: [{ scopeName: "PriorityClass", operator: "Exists" }] } } },
    "accepted",
  ],
  [
    "LimitRange: change",
    `${limits}/limitranges`,
    { spec: { limits: [{ type: "Pod", max: { cpu: "1" } }] } },
    { spec: { limits: [{ type: "Pod", max: { cpu: "2" } }] } },
    "accepted",
  ],
  [
    "Event: change",
    `${core}/events`,
    { involvedObject: { kind: "Pod", namespace: "updates", name: "p" } },
    { reason: "x", involvedObject: { name: "q" } },
    "accepted",
  ],
  ["ServiceAccount: secrets", `${core}/serviceaccounts`, {}, { secrets: [{ name: "a" }] }, "accepted"],
  [
    "any object: deletionTimestamp",
    `${core}/configmaps`,
    {},
    { metadata: { deletionTimestamp: "2020-01-01T00:00:00Z" } },
    "refused",
  ],
  ["any object: finalizer bad", `${core}/configmaps`, {}, { metadata: { finalizers: ["zz"] } }, "refused"],
  [
    "any object: ownerRef two ctrl",
    `${core}/configmaps`,
    {},
    {
      metadata: {
        ownerReferences: [
          { apiVersion: "v1", kind: "A", name: "a", uid: "1", controller: true },
          { apiVersion: "v1", kind: "A", name: "b", uid: "2", controller: true },
        ],
      },
    },
    "refused",
  ],
];

export const objectUpdateStatements: readonly Statement[] = updateStatements("object", updates);
