import { type CostlyRequest, creates, type Manifest, members, times } from "./costly-request.ts";

const apis = (group: string, resource: string) => `/apis/${group}/${resource}`;
const inNamespace = (group: string, resource: string) => `/apis/${group}/namespaces/default/${resource}`;
const names = (n: number, prefix = "n") => times(n, (i) => `${prefix}${i}`);
const spec = (parts: Manifest) => ({ spec: parts });
const path = (i: number) => ({
  path: `/p${i}`,
  pathType: "Prefix",
  backend: { service: { name: "s", port: { number: 1 } } },
});
const url = { url: "https://a.b/c" };
const operation = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] };
const hook = (i: number) => ({
  name: `w${i}.a.b`,
  clientConfig: url,
  rules: [operation],
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
});

const network: readonly CostlyRequest[] = [
  ...creates(
    inNamespace("networking.k8s.io/v1", "ingresses"),
    {},
    {
      "ingress: rules": (n) =>
        spec({ rules: times(n, (i) => ({ host: `h${i}.a`, http: { paths: [path(0)] } })) }),
      "ingress: paths": (n) => spec({ rules: [{ http: { paths: times(n, path) } }] }),
      "ingress: tls": (n) =>
        spec({ defaultBackend: path(0).backend, tls: times(n, (i) => ({ hosts: [`h${i}`] })) }),
      "ingress: a long path": (n) =>
        spec({ rules: [{ http: { paths: [{ ...path(0), path: "/.".repeat(n) }] } }] }),
    },
  ),
  ...creates(
    inNamespace("networking.k8s.io/v1", "networkpolicies"),
    {},
    {
      "networkpolicy: ports": (n) =>
        spec({ podSelector: {}, ingress: [{ ports: times(n, () => ({ port: 1 })) }] }),
      "networkpolicy: peers": (n) =>
        spec({ podSelector: {}, ingress: [{ from: times(n, () => ({ podSelector: {} })) }] }),
      "networkpolicy: exceptions": (n) =>
        spec({
          podSelector: {},
          ingress: [{ from: [{ ipBlock: { cidr: "10.0.0.0/8", except: times(n, () => "10.0.0.0/16") } }] }],
        }),
      "networkpolicy: policyTypes": (n) => spec({ podSelector: {}, policyTypes: times(n, () => "Ingress") }),
    },
  ),
  ...creates(
    inNamespace("discovery.k8s.io/v1", "endpointslices"),
    {},
    {
      "endpointslice: endpoints": (n) => ({
        addressType: "IPv4",
        endpoints: times(n, (i) => ({ addresses: [`10.${i >> 8}.${i & 255}.1`] })),
      }),
      "endpointslice: addresses": (n) => ({
        addressType: "IPv4",
        endpoints: [{ addresses: times(n, () => "10.0.0.1") }],
      }),
      "endpointslice: ports": (n) => ({
        addressType: "IPv4",
        endpoints: [],
        ports: times(n, (i) => ({ name: `p${i}`, port: 1 })),
      }),
    },
  ),
  ...creates(
    apis("storage.k8s.io/v1", "storageclasses"),
    {},
    {
      "storageclass: parameters": (n) => ({
        provisioner: "p",
        parameters: members(n, (i) => [`k${i}`, "v"]),
      }),
      "storageclass: allowedTopologies": (n) => ({
        provisioner: "p",
        allowedTopologies: times(n, (i) => ({ matchLabelExpressions: [{ key: "k", values: [`v${i}`] }] })),
      }),
      "storageclass: values of a topology": (n) => ({
        provisioner: "p",
        allowedTopologies: [{ matchLabelExpressions: [{ key: "k", values: names(n) }] }],
      }),
      "storageclass: keys of a topology": (n) => ({
        provisioner: "p",
        allowedTopologies: [{ matchLabelExpressions: times(n, (i) => ({ key: `k${i}`, values: ["v"] })) }],
      }),
    },
  ),
  ...creates(
    apis("storage.k8s.io/v1", "csinodes"),
    {},
    {
      "csinode: drivers": (n) =>
        spec({ drivers: times(n, (i) => ({ name: `d${i}`, nodeID: "n", topologyKeys: [] })) }),
      "csinode: topologyKeys": (n) => spec({ drivers: [{ name: "d", nodeID: "n", topologyKeys: names(n) }] }),
    },
  ),
];

const control: readonly CostlyRequest[] = [
  ...creates(
    apis("admissionregistration.k8s.io/v1", "validatingwebhookconfigurations"),
    {},
    {
      "webhooks: webhooks": (n) => ({ webhooks: times(n, hook) }),
      "webhooks: rules": (n) => ({ webhooks: [{ ...hook(0), rules: times(n, () => operation) }] }),
      "webhooks: operations": (n) => ({
        webhooks: [{ ...hook(0), rules: [{ ...operation, operations: times(n, () => "CREATE") }] }],
      }),
      "webhooks: resources": (n) => ({
        webhooks: [{ ...hook(0), rules: [{ ...operation, resources: names(n) }] }],
      }),
      "webhooks: resources with subresources": (n) => ({
        webhooks: [{ ...hook(0), rules: [{ ...operation, resources: [...names(n), ...names(n, "a/")] }] }],
      }),
      "webhooks: matchConditions": (n) => ({
        webhooks: [{ ...hook(0), matchConditions: times(n, (i) => ({ name: `m${i}`, expression: "true" })) }],
      }),
      "webhooks: versions": (n) => ({ webhooks: [{ ...hook(0), admissionReviewVersions: names(n) }] }),
      "webhooks: a certificate of blanks": (n) => ({
        webhooks: [{ ...hook(0), clientConfig: { ...url, caBundle: btoa(" \n".repeat(n)) } }],
      }),
      "webhooks: a long address": (n) => ({
        webhooks: [{ ...hook(0), clientConfig: { url: `https://a.b/${"c/".repeat(n)}` } }],
      }),
    },
  ),
  ...creates(
    apis("admissionregistration.k8s.io/v1", "validatingadmissionpolicies"),
    {},
    {
      "policy: validations": (n) =>
        spec({ ...policy, validations: times(n, () => ({ expression: "true" })) }),
      "policy: variables": (n) =>
        spec({ ...policy, variables: times(n, (i) => ({ name: `v${i}`, expression: "true" })) }),
      "policy: auditAnnotations": (n) =>
        spec({ ...policy, auditAnnotations: times(n, (i) => ({ key: `k${i}`, valueExpression: "'v'" })) }),
      "policy: matchConditions": (n) =>
        spec({ ...policy, matchConditions: times(n, (i) => ({ name: `m${i}`, expression: "true" })) }),
      "policy: resourceRules": (n) =>
        spec({ ...policy, matchConstraints: { resourceRules: times(n, () => operation) } }),
      "policy: resourceNames": (n) =>
        spec({
          ...policy,
          matchConstraints: { resourceRules: [{ ...operation, resourceNames: names(n) }] },
        }),
      "policy: a message of lines": (n) =>
        spec({ ...policy, validations: [{ expression: "true", message: "a\n".repeat(n) }] }),
    },
  ),
  ...creates(
    apis("admissionregistration.k8s.io/v1", "validatingadmissionpolicybindings"),
    {},
    {
      "policybinding: validationActions": (n) =>
        spec({ policyName: "p", validationActions: times(n, () => "Deny") }),
      "policybinding: unknown validationActions": (n) =>
        spec({ policyName: "p", validationActions: names(n) }),
    },
  ),
  ...creates(
    apis("flowcontrol.apiserver.k8s.io/v1", "flowschemas"),
    {},
    {
      "flowschema: rules": (n) =>
        spec({ ...flow, rules: times(n, () => ({ subjects: [user(0)], nonResourceRules: [everything] })) }),
      "flowschema: subjects": (n) =>
        spec({ ...flow, rules: [{ subjects: times(n, user), nonResourceRules: [everything] }] }),
      "flowschema: verbs": (n) =>
        spec({
          ...flow,
          rules: [{ subjects: [user(0)], nonResourceRules: [{ ...everything, verbs: names(n) }] }],
        }),
      "flowschema: unknown verbs": (n) =>
        spec({
          ...flow,
          rules: [
            {
              subjects: [user(0)],
              resourceRules: [
                { verbs: names(n), apiGroups: names(n), resources: names(n), namespaces: names(n) },
              ],
            },
          ],
        }),
      "flowschema: paths": (n) =>
        spec({
          ...flow,
          rules: [
            { subjects: [user(0)], nonResourceRules: [{ verbs: ["get"], nonResourceURLs: names(n, "/") }] },
          ],
        }),
    },
  ),
  ...creates(
    apis("apiregistration.k8s.io/v1", "apiservices"),
    {},
    {
      "apiservice: a certificate of blanks": (n) => ({
        metadata: { name: "v1.a.b" },
        spec: {
          group: "a.b",
          version: "v1",
          groupPriorityMinimum: 1,
          versionPriority: 1,
          service: { name: "s", namespace: "n" },
          caBundle: btoa("-----BEGIN CERTIFICATE-----\n".repeat(n)),
        },
      }),
    },
  ),
  ...creates(
    apis("node.k8s.io/v1", "runtimeclasses"),
    {},
    {
      "runtimeclass: tolerations": (n) => ({
        handler: "h",
        scheduling: { tolerations: times(n, (i) => ({ key: `k${i}`, operator: "Exists" })) },
      }),
      "runtimeclass: overhead": (n) => ({
        handler: "h",
        overhead: { podFixed: members(n, (i) => [`a.b/r${i}`, "1"]) },
      }),
    },
  ),
  ...creates(
    inNamespace("coordination.k8s.io/v1", "leases"),
    {},
    {
      "lease: a long holder": (n) => spec({ holderIdentity: "a".repeat(n), leaseDurationSeconds: 1 }),
    },
  ),
];

const policy = {
  matchConstraints: { resourceRules: [operation] },
  validations: [{ expression: "true" }],
};
const flow = { priorityLevelConfiguration: { name: "global-default" }, matchingPrecedence: 1000 };
const everything = { verbs: ["*"], nonResourceURLs: ["*"] };

function user(i: number): Manifest {
  return { kind: "User", user: { name: `u${i}` } };
}

/** Lists and maps of kinds for networks, storage and the control of the server. */
export const costlyControls: readonly CostlyRequest[] = [...network, ...control];
