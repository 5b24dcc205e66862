import {
  type CostlyRequest,
  costly,
  creates,
  type Manifest,
  members,
  post,
  times,
} from "./costly-request.ts";

const namespaced = "/api/v1/namespaces/default";
const pods = `${namespaced}/pods`;
const configMaps = `${namespaced}/configmaps`;
const container = { name: "c", image: "i" };
const named = (i: number) => ({ name: `n${i}` });
const spec = (parts: Manifest) => ({ spec: { containers: [container], ...parts } });
const inContainer = (parts: Manifest) => ({ spec: { containers: [{ ...container, ...parts }] } });
const affinity = (parts: Manifest) => spec({ affinity: parts });
const required = "requiredDuringSchedulingIgnoredDuringExecution";
const preferred = "preferredDuringSchedulingIgnoredDuringExecution";
const term = (i: number) => ({ matchExpressions: [{ key: `k${i}`, operator: "Exists" }] });

/** Lists and maps of the metadata of any object. */
const metadata: readonly CostlyRequest[] = costly(
  Object.fromEntries(
    Object.entries<(n: number) => Manifest>({
      labels: (n) => ({ labels: members(n, (i) => [`k${i}`, "v"]) }),
      "labels that are invalid": (n) => ({ labels: members(n, (i) => [`-k${i}`, "-"]) }),
      annotations: (n) => ({ annotations: members(n, (i) => [`k${i}`, "v"]) }),
      finalizers: (n) => ({ finalizers: times(n, (i) => `a.b/f${i}`) }),
      "the same finalizer": (n) => ({ finalizers: times(n, () => "a.b/f") }),
      "finalizers that are invalid": (n) => ({ finalizers: times(n, (i) => `f${i}`) }),
      ownerReferences: (n) => ({ ownerReferences: times(n, (i) => owner(i)) }),
      "the same owner": (n) => ({ ownerReferences: times(n, () => owner(0)) }),
      "ownerReferences that control": (n) => ({
        ownerReferences: times(n, (i) => ({ ...owner(i), controller: true })),
      }),
      managedFields: (n) => ({ managedFields: times(n, (i) => manager(i, 1)) }),
      "managedFields of one manager": (n) => ({ managedFields: times(n, () => manager(0, 1)) }),
      "fields of a manager": (n) => ({ managedFields: [manager(0, n)] }),
      "a long generateName": (n) => ({ name: undefined, generateName: "a".repeat(n) }),
      "a long name": (n) => ({ name: "a.".repeat(n) }),
    }).map(([name, parts]) => [
      `metadata: ${name}`,
      (n: number) => post(configMaps, { metadata: { name: "costly", ...parts(n) } }),
    ]),
  ),
);

function owner(i: number): Manifest {
  return { apiVersion: "v1", kind: "ConfigMap", name: `o${i}`, uid: `u${i}` };
}

function manager(i: number, fields: number): Manifest {
  return {
    manager: `m${i}`,
    operation: "Update",
    apiVersion: "v1",
    time: "2026-01-01T00:00:00Z",
    fieldsType: "FieldsV1",
    fieldsV1: { "f:data": members(fields, (k) => [`f:k${k}`, {}]) },
  };
}

const lists: readonly CostlyRequest[] = creates(
  pods,
  {},
  {
    "pod: containers": (n) => spec({ containers: times(n, (i) => ({ ...container, ...named(i) })) }),
    "pod: containers of one name": (n) => spec({ containers: times(n, () => container) }),
    "pod: initContainers": (n) => spec({ initContainers: times(n, (i) => ({ ...container, ...named(i) })) }),
    "pod: ephemeralContainers": (n) =>
      spec({ ephemeralContainers: times(n, (i) => ({ ...container, ...named(i) })) }),
    "pod: env": (n) => inContainer({ env: times(n, named) }),
    "pod: env of one name": (n) => inContainer({ env: times(n, () => named(0)) }),
    "pod: env from fields": (n) =>
      inContainer({
        env: times(n, (i) => ({
          ...named(i),
          valueFrom: { fieldRef: { fieldPath: "metadata.labels['a']" } },
        })),
      }),
    "pod: envFrom": (n) => inContainer({ envFrom: times(n, (i) => ({ configMapRef: named(i) })) }),
    "pod: args": (n) => inContainer({ args: times(n, (i) => `$(A${i})`) }),
    "pod: ports": (n) => inContainer({ ports: times(n, (i) => ({ containerPort: (i % 65535) + 1 })) }),
    "pod: ports of one name": (n) =>
      inContainer({ ports: times(n, () => ({ name: "p", containerPort: 1 })) }),
    "pod: hostPorts": (n) =>
      inContainer({
        ports: times(n, (i) => ({
          containerPort: 1,
          hostPort: (i % 65535) + 1,
          hostIP: `10.0.0.${i % 250}`,
        })),
      }),
    "pod: the same hostPort": (n) =>
      inContainer({ ports: times(n, () => ({ containerPort: 1, hostPort: 1 })) }),
    "pod: volumes": (n) => spec({ volumes: times(n, (i) => ({ ...named(i), emptyDir: {} })) }),
    "pod: volumes of one name": (n) => spec({ volumes: times(n, () => ({ ...named(0), emptyDir: {} })) }),
    "pod: volumes of one claim": (n) =>
      spec({ volumes: times(n, (i) => ({ ...named(i), persistentVolumeClaim: { claimName: "c" } })) }),
    "pod: sources of a volume": (n) =>
      spec({ volumes: [{ name: "v", projected: { sources: times(n, (i) => ({ configMap: named(i) })) } }] }),
    "pod: items of a volume": (n) =>
      spec({
        volumes: [
          { name: "v", configMap: { name: "c", items: times(n, (i) => ({ key: "k", path: `p${i}` })) } },
        ],
      }),
    "pod: volumeMounts": (n) => ({
      spec: {
        volumes: [{ name: "v", emptyDir: {} }],
        containers: [{ ...container, volumeMounts: times(n, (i) => ({ name: "v", mountPath: `/p${i}` })) }],
      },
    }),
    "pod: volumeMounts of one path": (n) =>
      inContainer({ volumeMounts: times(n, () => ({ name: "v", mountPath: "/p" })) }),
    "pod: a path of dots": (n) => inContainer({ volumeMounts: [{ name: "v", mountPath: "/..".repeat(n) }] }),
    "pod: volumeDevices": (n) =>
      inContainer({ volumeDevices: times(n, (i) => ({ name: `v${i}`, devicePath: `/p${i}` })) }),
    "pod: tolerations": (n) => spec({ tolerations: times(n, (i) => ({ key: `k${i}`, operator: "Exists" })) }),
    "pod: the same toleration": (n) =>
      spec({ tolerations: times(n, () => ({ key: "k", operator: "Exists" })) }),
    "pod: nodeSelector": (n) => spec({ nodeSelector: members(n, (i) => [`k${i}`, "v"]) }),
    "pod: terms of nodeAffinity": (n) =>
      affinity({ nodeAffinity: { [required]: { nodeSelectorTerms: times(n, term) } } }),
    "pod: preferences of nodeAffinity": (n) =>
      affinity({ nodeAffinity: { [preferred]: times(n, (i) => ({ weight: 1, preference: term(i) })) } }),
    "pod: values of nodeAffinity": (n) =>
      affinity({
        nodeAffinity: {
          [required]: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: "k", operator: "In", values: times(n, (i) => `v${i}`) }] },
            ],
          },
        },
      }),
    "pod: terms of podAffinity": (n) =>
      affinity({
        podAffinity: { [required]: times(n, (i) => ({ topologyKey: `k${i}`, labelSelector: {} })) },
      }),
    "pod: namespaces of podAffinity": (n) =>
      affinity({
        podAffinity: { [required]: [{ topologyKey: "k", namespaces: times(n, (i) => `n${i}`) }] },
      }),
    "pod: matchLabelKeys of podAffinity": (n) =>
      affinity({
        podAffinity: {
          [required]: [
            {
              topologyKey: "k",
              labelSelector: { matchExpressions: times(n, (i) => ({ key: `k${i}`, operator: "Exists" })) },
              matchLabelKeys: times(n, (i) => `k${i}`),
              mismatchLabelKeys: times(n, (i) => `k${i}`),
            },
          ],
        },
      }),
    "pod: topologySpreadConstraints": (n) => spec({ topologySpreadConstraints: times(n, spread) }),
    "pod: the same topologySpreadConstraint": (n) =>
      spec({ topologySpreadConstraints: times(n, () => spread(0)) }),
    "pod: matchLabelKeys of a constraint": (n) =>
      spec({ topologySpreadConstraints: [{ ...spread(0), matchLabelKeys: times(n, (i) => `k${i}`) }] }),
    "pod: hostAliases": (n) => spec({ hostAliases: times(n, () => ({ ip: "1.2.3.4", hostnames: ["h"] })) }),
    "pod: hostnames": (n) => spec({ hostAliases: [{ ip: "1.2.3.4", hostnames: times(n, (i) => `h${i}`) }] }),
    "pod: imagePullSecrets": (n) => spec({ imagePullSecrets: times(n, named) }),
    "pod: readinessGates": (n) => spec({ readinessGates: times(n, (i) => ({ conditionType: `a/b${i}` })) }),
    "pod: schedulingGates": (n) => spec({ schedulingGates: times(n, (i) => ({ name: `a/b${i}` })) }),
    "pod: the same schedulingGate": (n) => spec({ schedulingGates: times(n, () => ({ name: "a/b" })) }),
    "pod: sysctls": (n) =>
      spec({ securityContext: { sysctls: times(n, (i) => ({ name: `a.b${i}`, value: "1" })) } }),
    "pod: supplementalGroups": (n) => spec({ securityContext: { supplementalGroups: times(n, (i) => i) } }),
    "pod: nameservers": (n) =>
      spec({ dnsPolicy: "None", dnsConfig: { nameservers: times(n, () => "1.1.1.1") } }),
    "pod: searches": (n) => spec({ dnsConfig: { searches: times(n, (i) => `s${i}`) } }),
    "pod: requests": (n) => inContainer({ resources: { requests: members(n, (i) => [`a.b/r${i}`, "1"]) } }),
    "pod: limits": (n) => inContainer({ resources: { limits: members(n, (i) => [`a.b/r${i}`, "1"]) } }),
    "pod: a long quantity": (n) => inContainer({ resources: { limits: { cpu: "1".repeat(n) } } }),
    "pod: a long fraction": (n) => inContainer({ resources: { limits: { cpu: `0.${"1".repeat(n)}` } } }),
    "pod: a large exponent": (n) => inContainer({ resources: { limits: { cpu: `1e${n}` } } }),
    "pod: resourceClaims": (n) =>
      spec({ resourceClaims: times(n, (i) => ({ ...named(i), resourceClaimName: "c" })) }),
    "pod: claims of a container": (n) => inContainer({ resources: { claims: times(n, named) } }),
    "pod: capabilities": (n) =>
      inContainer({ securityContext: { capabilities: { add: times(n, (i) => `C${i}`) } } }),
    "pod: headers of a probe": (n) =>
      inContainer({
        livenessProbe: {
          httpGet: { port: 1, httpHeaders: times(n, (i) => ({ name: `h${i}`, value: "v" })) },
        },
      }),
    "pod: a long image": (n) => spec({ containers: [{ name: "c", image: "a/".repeat(n) }] }),
    "pod: resizePolicy": (n) =>
      inContainer({ resizePolicy: times(n, () => ({ resourceName: "cpu", restartPolicy: "NotRequired" })) }),
    "pod: labels of a sidecar annotation": (n) => ({
      metadata: {
        name: "costly",
        annotations: members(n, (i) => [`container.apparmor.security.beta.kubernetes.io/c${i}`, "x"]),
      },
      spec: { containers: [container] },
    }),
  },
);

function spread(i: number): Manifest {
  return {
    maxSkew: 1,
    topologyKey: `k${i}`,
    whenUnsatisfiable: "DoNotSchedule",
    labelSelector: { matchLabels: { a: "b" } },
  };
}

/** Lists and maps of metadata and of pods. */
export const costlyPods: readonly CostlyRequest[] = [...metadata, ...lists];
