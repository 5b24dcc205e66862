import type { JsonObject, KubeObject } from "../../src/index.ts";

/** What `kubectl get -A -o yaml --show-managed-fields` prints of a cluster with 500 pods, in a fixed order. */
export function clusterDump(): readonly KubeObject[] {
  const workloads = range(10).flatMap((index) => workload(`team-${index % 5}`, `app-${index}`, index));
  return [
    ...range(3).map(node),
    ...["default", "kube-system", "kube-public", "kube-node-lease"].map(namespace),
    ...range(5).map((index) => namespace(`team-${index}`)),
    ...range(5).flatMap((index) => defaultsOf(`team-${index}`)),
    kubernetesService,
    ...workloads,
    ...range(3).map(staticPod),
    ...range(5).map(jobPod),
    ...range(10).map(claimedVolume),
    debuggedPod,
    terminatingPod,
    terminatingConfigMap,
    quota,
  ];
}

function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

const created = "2025-03-04T05:06:07Z";
const later = "2025-03-04T05:06:21Z";

/** Stable uids that look random. */
function uidOf(...parts: readonly (string | number)[]): string {
  let hash = 7;
  for (const character of parts.join("/")) hash = (hash * 31 + character.charCodeAt(0)) % 0xffffffff;
  const hex = hash.toString(16).padStart(8, "0");
  const other = [...hex].reverse().join("");
  return `${hex}-${other.slice(0, 4)}-4${hex.slice(1, 4)}-8${other.slice(1, 4)}-${hex}${other.slice(0, 4)}`;
}

function managedBy(manager: string, apiVersion: string, fieldsV1: JsonObject, subresource = ""): JsonObject {
  return {
    manager,
    operation: "Update",
    apiVersion,
    time: subresource === "" ? created : later,
    fieldsType: "FieldsV1",
    fieldsV1,
    ...(subresource !== "" && { subresource }),
  };
}

function object(
  apiVersion: string,
  kind: string,
  [namespace, name]: readonly [namespace: string, name: string],
  metadata: JsonObject,
  rest: JsonObject,
): KubeObject {
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      ...(namespace !== "" && { namespace }),
      uid: uidOf(kind, namespace, name),
      resourceVersion: "48151623",
      creationTimestamp: created,
      ...metadata,
    },
    ...rest,
  };
}

function node(index: number): KubeObject {
  const name = `node-${index}`;
  const labels = { "kubernetes.io/hostname": name, "kubernetes.io/os": "linux" };
  const condition = {
    type: "Ready",
    status: "True",
    lastHeartbeatTime: later,
    lastTransitionTime: created,
    reason: "KubeletReady",
    message: "kubelet is posting ready status",
  };
  const resources = { cpu: "8", memory: "32780476Ki", pods: "250" };
  return object(
    "v1",
    "Node",
    ["", name],
    {
      labels,
      annotations: { "node.alpha.kubernetes.io/ttl": "0" },
      managedFields: [
        managedBy("kubelet", "v1", { "f:metadata": { "f:labels": { ".": {}, "f:kubernetes.io/os": {} } } }),
        managedBy("kubelet", "v1", { "f:status": { "f:allocatable": { "f:cpu": {} } } }, "status"),
      ],
    },
    {
      spec: {
        podCIDR: `10.42.${index}.0/24`,
        podCIDRs: [`10.42.${index}.0/24`],
        providerID: `k3s://${name}`,
      },
      status: {
        capacity: resources,
        allocatable: resources,
        conditions: [condition],
        addresses: [{ type: "InternalIP", address: `192.168.0.${10 + index}` }],
        daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
        nodeInfo: {
          machineID: "c1",
          systemUUID: "c2",
          bootID: "c3",
          kernelVersion: "6.8.0",
          osImage: "Ubuntu 24.04",
          containerRuntimeVersion: "containerd://1.7.23",
          kubeletVersion: "v1.32.1",
          kubeProxyVersion: "v1.32.1",
          operatingSystem: "linux",
          architecture: "amd64",
        },
        images: [{ names: ["docker.io/library/nginx:1.27"], sizeBytes: 72950530 }],
      },
    },
  );
}

function namespace(name: string): KubeObject {
  const labels = { "kubernetes.io/metadata.name": name };
  return object(
    "v1",
    "Namespace",
    ["", name],
    { labels },
    { spec: { finalizers: ["kubernetes"] }, status: { phase: "Active" } },
  );
}

/** What the controllers of a cluster make in each namespace, and a token. */
function defaultsOf(name: string): readonly KubeObject[] {
  const account = object("v1", "ServiceAccount", [name, "default"], {}, {});
  const token = {
    type: "kubernetes.io/service-account-token",
    data: { "ca.crt": "UEVN", namespace: btoa(name), token: "dG9rZW4=" },
  };
  const annotations = {
    "kubernetes.io/service-account.name": "default",
    "kubernetes.io/service-account.uid": account.metadata.uid ?? "",
  };
  return [
    account,
    object(
      "v1",
      "ConfigMap",
      [name, "kube-root-ca.crt"],
      {},
      { data: { "ca.crt": "PEM of the real cluster" } },
    ),
    object("v1", "Secret", [name, "default-token"], { annotations }, token),
  ];
}

/** In a range of another cluster. */
const kubernetesService = object(
  "v1",
  "Service",
  ["default", "kubernetes"],
  { labels: { component: "apiserver", provider: "kubernetes" } },
  {
    spec: {
      clusterIP: "10.43.0.1",
      clusterIPs: ["10.43.0.1"],
      internalTrafficPolicy: "Cluster",
      ipFamilies: ["IPv4"],
      ipFamilyPolicy: "SingleStack",
      ports: [{ name: "https", port: 443, protocol: "TCP", targetPort: 6443 }],
      sessionAffinity: "None",
      type: "ClusterIP",
    },
    status: { loadBalancer: {} },
  },
);

/** A Deployment, its ReplicaSet, its Service and 49 pods. */
function workload(space: string, name: string, index: number): readonly KubeObject[] {
  const labels = { app: name };
  const deploymentLabels = { ...labels, "pod-template-hash": "5d4f8c7b9" };
  const deployment = object(
    "apps/v1",
    "Deployment",
    [space, name],
    { generation: 3, labels, annotations: { "deployment.kubernetes.io/revision": "3" } },
    {
      spec: {
        replicas: 49,
        selector: { matchLabels: labels },
        template: { metadata: { creationTimestamp: null, labels }, spec: templateSpec },
        strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "25%", maxSurge: "25%" } },
        revisionHistoryLimit: 10,
        progressDeadlineSeconds: 600,
      },
      status: {
        observedGeneration: 3,
        replicas: 49,
        updatedReplicas: 49,
        readyReplicas: 49,
        availableReplicas: 49,
      },
    },
  );
  const replicaSet = object(
    "apps/v1",
    "ReplicaSet",
    [space, `${name}-5d4f8c7b9`],
    { generation: 1, labels: deploymentLabels, ownerReferences: [controlledBy(deployment)] },
    {
      spec: {
        replicas: 49,
        selector: { matchLabels: deploymentLabels },
        template: { metadata: { creationTimestamp: null, labels: deploymentLabels }, spec: templateSpec },
      },
      status: {
        replicas: 49,
        fullyLabeledReplicas: 49,
        readyReplicas: 49,
        availableReplicas: 49,
        observedGeneration: 1,
      },
    },
  );
  const pods = range(49).map((number) =>
    pod([space, `${name}-5d4f8c7b9-${String.fromCharCode(97 + (number % 24))}${number}`], index + number, {
      generateName: `${name}-5d4f8c7b9-`,
      labels: deploymentLabels,
      ownerReferences: [controlledBy(replicaSet)],
    }),
  );
  // Dependents before owners, as in a list that is sorted by kind.
  return [...pods, replicaSet, deployment, service(space, name, index)];
}

function controlledBy({ apiVersion, kind, metadata: { name = "", uid = "" } }: KubeObject): JsonObject {
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

function service(space: string, name: string, index: number): KubeObject {
  const clusterIP = `10.96.7.${10 + index}`;
  const port = { port: 80, protocol: "TCP", targetPort: 8080, nodePort: 30500 + index };
  return object(
    "v1",
    "Service",
    [space, name],
    {},
    {
      spec: {
        ports: [port],
        selector: { app: name },
        clusterIP,
        clusterIPs: [clusterIP],
        type: "NodePort",
        sessionAffinity: "None",
        externalTrafficPolicy: "Cluster",
        ipFamilies: ["IPv4"],
        ipFamilyPolicy: "SingleStack",
        internalTrafficPolicy: "Cluster",
      },
      status: { loadBalancer: {} },
    },
  );
}

const container = {
  name: "main",
  image: "nginx:1.27",
  resources: { requests: { cpu: "250m", memory: "64Mi" } },
  terminationMessagePath: "/dev/termination-log",
  terminationMessagePolicy: "File",
  imagePullPolicy: "IfNotPresent",
};

const templateSpec = {
  containers: [container],
  restartPolicy: "Always",
  terminationGracePeriodSeconds: 30,
  dnsPolicy: "ClusterFirst",
  securityContext: {},
  schedulerName: "default-scheduler",
};

/** What the admission of a real cluster adds to pods. */
const admitted = {
  serviceAccountName: "default",
  serviceAccount: "default",
  tolerations: ["not-ready", "unreachable"].map((state) => ({
    key: `node.kubernetes.io/${state}`,
    operator: "Exists",
    effect: "NoExecute",
    tolerationSeconds: 300,
  })),
  priority: 0,
  enableServiceLinks: true,
  preemptionPolicy: "PreemptLowerPriority",
};

const tokenPath = "/var/run/secrets/kubernetes.io/serviceaccount";

function tokenVolume(name: string): JsonObject {
  const sources = [
    { serviceAccountToken: { expirationSeconds: 3607, path: "token" } },
    { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
    {
      downwardAPI: {
        items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }],
      },
    },
  ];
  return { name, projected: { sources, defaultMode: 420 } };
}

function pod(
  [space, name]: readonly [namespace: string, name: string],
  index: number,
  metadata: JsonObject,
  more: JsonObject = {},
): KubeObject {
  const volume = `kube-api-access-${name.slice(-3)}x`;
  const mounted = { ...container, volumeMounts: [{ name: volume, readOnly: true, mountPath: tokenPath }] };
  return object(
    "v1",
    "Pod",
    [space, name],
    {
      ...metadata,
      managedFields: [
        managedBy("kube-controller-manager", "v1", { "f:spec": { "f:dnsPolicy": {} } }),
        managedBy("kubelet", "v1", { "f:status": { "f:phase": {}, "f:podIP": {} } }, "status"),
      ],
    },
    {
      spec: {
        volumes: [tokenVolume(volume)],
        ...templateSpec,
        containers: [mounted],
        ...admitted,
        nodeName: `node-${index % 3}`,
        ...more,
      },
      status: runningStatus(index),
    },
  );
}

function runningStatus(index: number): JsonObject {
  const podIP = `10.42.${index % 3}.${10 + (index % 200)}`;
  const conditions = ["PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"];
  return {
    phase: "Running",
    conditions: conditions.map((type) => ({
      type,
      status: "True",
      lastProbeTime: null,
      lastTransitionTime: later,
    })),
    hostIP: `192.168.0.${10 + (index % 3)}`,
    hostIPs: [{ ip: `192.168.0.${10 + (index % 3)}` }],
    podIP,
    podIPs: [{ ip: podIP }],
    startTime: created,
    containerStatuses: [
      {
        name: "main",
        state: { running: { startedAt: later } },
        lastState: {},
        ready: true,
        restartCount: index % 4,
        image: "docker.io/library/nginx:1.27",
        imageID: "docker.io/library/nginx@sha256:0a39",
        containerID: `containerd://${index}`,
        started: true,
      },
    ],
    qosClass: "Burstable",
  };
}

/** A static pod, which its node owns. */
function staticPod(index: number): KubeObject {
  return pod(["kube-system", `etcd-node-${index}`], index, {
    annotations: { "kubernetes.io/config.mirror": "9f1", "kubernetes.io/config.source": "file" },
    ownerReferences: [
      {
        apiVersion: "v1",
        kind: "Node",
        name: `node-${index}`,
        uid: uidOf("Node", "", `node-${index}`),
        controller: true,
      },
    ],
  });
}

/** A pod whose owner was not dumped, and that of an owner whose kind this cluster does not serve. */
function jobPod(index: number): KubeObject {
  const owner =
    index % 2 === 0
      ? { apiVersion: "batch/v1", kind: "Job", name: `nightly-${index}` }
      : { apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", name: `nightly-${index}` };
  return pod(
    ["team-0", `nightly-${index}-x${index}`],
    index,
    {
      ownerReferences: [{ ...owner, uid: uidOf("gone", index), controller: true, blockOwnerDeletion: true }],
    },
    { restartPolicy: "Never" },
  );
}

function claimedVolume(index: number): KubeObject {
  return object(
    "v1",
    "PersistentVolumeClaim",
    ["team-1", `data-${index}`],
    { finalizers: ["kubernetes.io/pvc-protection"] },
    {
      spec: {
        accessModes: ["ReadWriteOnce"],
        resources: { requests: { storage: "1Gi" } },
        storageClassName: "local-path",
        volumeMode: "Filesystem",
        volumeName: `pvc-${index}`,
      },
      status: { phase: "Bound", accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" } },
    },
  );
}

/** With an ephemeral container, which a create must not have. */
const debuggedPod = pod(
  ["default", "debugged"],
  1,
  {},
  {
    ephemeralContainers: [
      {
        name: "debugger",
        image: "busybox",
        resources: {},
        terminationMessagePath: "/dev/termination-log",
        terminationMessagePolicy: "File",
        imagePullPolicy: "Always",
        targetContainerName: "main",
      },
    ],
  },
);

const terminatingPod = pod(["default", "terminating"], 2, {
  deletionTimestamp: later,
  deletionGracePeriodSeconds: 30,
  finalizers: ["example.com/drain"],
});

const terminatingConfigMap = object(
  "v1",
  "ConfigMap",
  ["default", "terminating"],
  { deletionTimestamp: later, deletionGracePeriodSeconds: 0, finalizers: ["example.com/hold"] },
  { data: { a: "b" } },
);

/** A quota that the namespace exceeds. */
const quota = object(
  "v1",
  "ResourceQuota",
  ["team-0", "few-pods"],
  {},
  {
    spec: { hard: { pods: "1" } },
    status: { hard: { pods: "1" }, used: { pods: "103" } },
  },
);
