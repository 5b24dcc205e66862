import type { JsonObject } from "../../src/index.ts";

/** A policy for pods in the manner of those that people write: the spec of a pod that it allows, and of one that it denies. */
export interface RealPolicy {
  readonly title: string;
  readonly spec: JsonObject;
  /** What differs from a pod with one container. */
  readonly allowed: JsonObject;
  readonly denied: JsonObject;
  readonly message: string;
}

const variables = [
  {
    name: "containers",
    expression:
      "object.spec.containers + (has(object.spec.initContainers) ? object.spec.initContainers : []) + (has(object.spec.ephemeralContainers) ? object.spec.ephemeralContainers : [])",
  },
];

function container(more: JsonObject): JsonObject {
  return { containers: [{ name: "c", image: "registry.example.com/app:1.2", ...more }] };
}

const secured = (securityContext: JsonObject) => container({ securityContext });

/** One validation over `variables.containers`. */
function checking(expression: string, message: string): JsonObject {
  return { variables, validations: [{ expression, message, reason: "Forbidden" }] };
}

export const realPolicies: readonly RealPolicy[] = [
  {
    title: "host namespaces (Pod Security)",
    spec: {
      validations: [
        {
          expression:
            "!object.spec.?hostNetwork.orValue(false) && !object.spec.?hostPID.orValue(false) && !object.spec.?hostIPC.orValue(false)",
          message: "host namespaces are not allowed",
        },
      ],
    },
    allowed: {},
    denied: { hostPID: true },
    message: "host namespaces are not allowed",
  },
  {
    title: "privileged containers (Pod Security)",
    spec: checking(
      "variables.containers.all(c, !has(c.securityContext) || !has(c.securityContext.privileged) || !c.securityContext.privileged)",
      "privileged containers are not allowed",
    ),
    allowed: secured({ privileged: false }),
    denied: secured({ privileged: true }),
    message: "privileged containers are not allowed",
  },
  {
    title: "privilege escalation (Pod Security)",
    spec: checking(
      "variables.containers.all(c, c.?securityContext.?allowPrivilegeEscalation.orValue(true) == false)",
      "privilege escalation is not allowed",
    ),
    allowed: secured({ allowPrivilegeEscalation: false }),
    denied: {},
    message: "privilege escalation is not allowed",
  },
  {
    title: "added capabilities (Pod Security)",
    spec: checking(
      "variables.containers.all(c, c.?securityContext.?capabilities.?add.orValue([]).all(x, x in ['CHOWN', 'KILL', 'NET_BIND_SERVICE']))",
      "capability is not allowed",
    ),
    allowed: secured({ capabilities: { add: ["KILL"] } }),
    denied: secured({ capabilities: { add: ["KILL", "SYS_ADMIN"] } }),
    message: "capability is not allowed",
  },
  {
    title: "dropped capabilities (Pod Security)",
    spec: checking(
      "variables.containers.all(c, 'ALL' in c.?securityContext.?capabilities.?drop.orValue([]))",
      "all capabilities must be dropped",
    ),
    allowed: secured({ capabilities: { drop: ["ALL"] } }),
    denied: secured({ capabilities: { drop: ["KILL"] } }),
    message: "all capabilities must be dropped",
  },
  {
    title: "volume types (Pod Security)",
    spec: {
      validations: [
        {
          expression:
            "!has(object.spec.volumes) || object.spec.volumes.all(v, !has(v.hostPath) && !has(v.nfs) && !has(v.iscsi))",
          messageExpression:
            "'volumes of a restricted type: ' + object.spec.volumes.filter(v, has(v.hostPath)).map(v, v.name).join(', ')",
        },
      ],
    },
    allowed: { volumes: [{ name: "a", emptyDir: {} }] },
    denied: {
      volumes: [
        { name: "a", emptyDir: {} },
        { name: "b", hostPath: { path: "/" } },
      ],
    },
    message: "volumes of a restricted type: b",
  },
  {
    title: "users that are not root (Pod Security)",
    spec: {
      variables,
      validations: [
        {
          expression:
            "(object.spec.?securityContext.?runAsNonRoot.orValue(false) && variables.containers.all(c, c.?securityContext.?runAsNonRoot.orValue(true))) || variables.containers.all(c, c.?securityContext.?runAsNonRoot.orValue(false))",
          message: "runAsNonRoot must be true",
        },
      ],
    },
    allowed: { securityContext: { runAsNonRoot: true } },
    denied: { securityContext: { runAsNonRoot: true }, ...secured({ runAsNonRoot: false }) },
    message: "runAsNonRoot must be true",
  },
  {
    title: "seccomp (Pod Security)",
    spec: {
      validations: [
        {
          expression:
            "object.spec.?securityContext.?seccompProfile.?type.orValue('') in ['RuntimeDefault', 'Localhost']",
          messageExpression:
            "'seccomp profile ' + object.spec.?securityContext.?seccompProfile.?type.orValue('none') + ' is not allowed'",
        },
      ],
    },
    allowed: { securityContext: { seccompProfile: { type: "RuntimeDefault" } } },
    denied: { securityContext: { seccompProfile: { type: "Unconfined" } } },
    message: "seccomp profile Unconfined is not allowed",
  },
  {
    title: "host ports (Pod Security)",
    spec: checking(
      "variables.containers.all(c, !has(c.ports) || c.ports.all(p, !has(p.hostPort) || p.hostPort == 0))",
      "host ports are not allowed",
    ),
    allowed: container({ ports: [{ containerPort: 80 }] }),
    denied: container({ ports: [{ containerPort: 80, hostPort: 80 }] }),
    message: "host ports are not allowed",
  },
  {
    title: "sysctls (Pod Security)",
    spec: {
      validations: [
        {
          expression:
            "object.spec.?securityContext.?sysctls.orValue([]).all(s, s.name in ['kernel.shm_rmid_forced', 'net.ipv4.tcp_syncookies'])",
          message: "sysctl is not allowed",
        },
      ],
    },
    allowed: { securityContext: { sysctls: [{ name: "net.ipv4.tcp_syncookies", value: "1" }] } },
    denied: { securityContext: { sysctls: [{ name: "kernel.msgmax", value: "1" }] } },
    message: "sysctl is not allowed",
  },
  {
    title: "registries (Gatekeeper)",
    spec: {
      variables: [
        ...variables,
        {
          name: "bad",
          expression:
            "variables.containers.filter(c, !['registry.example.com/', 'mirror.example.com/'].exists(r, string(c.image).startsWith(r))).map(c, string(c.image))",
        },
      ],
      validations: [
        {
          expression: "variables.bad.size() == 0",
          messageExpression: "'images of other registries: ' + variables.bad.join(', ')",
        },
      ],
    },
    allowed: {},
    denied: container({ image: "docker.io/library/nginx" }),
    message: "images of other registries: docker.io/library/nginx",
  },
  {
    title: "tags of images (Gatekeeper)",
    spec: checking(
      "variables.containers.all(c, c.image.matches('(:[a-zA-Z0-9_.-]+|@sha256:[0-9a-f]{64})$') && !c.image.endsWith(':latest'))",
      "images need a tag other than latest",
    ),
    allowed: {},
    denied: container({ image: "registry.example.com/app:latest" }),
    message: "images need a tag other than latest",
  },
  {
    title: "limits of resources (Gatekeeper)",
    spec: checking(
      "variables.containers.all(c, c.?resources.?limits.?memory.hasValue() && quantity(c.resources.limits.memory).compareTo(quantity('1Gi')) <= 0)",
      "memory must be limited to 1Gi",
    ),
    allowed: container({ resources: { limits: { memory: "512Mi" } } }),
    denied: container({ resources: { limits: { memory: "2Gi" } } }),
    message: "memory must be limited to 1Gi",
  },
  {
    title: "probes (Gatekeeper)",
    spec: checking("variables.containers.all(c, has(c.readinessProbe))", "readiness probes are required"),
    allowed: container({ readinessProbe: { tcpSocket: { port: 80 } } }),
    denied: {},
    message: "readiness probes are required",
  },
  {
    title: "read-only root file systems (Gatekeeper)",
    spec: checking(
      "variables.containers.all(c, c.?securityContext.?readOnlyRootFilesystem.orValue(false))",
      "the root file system must be read-only",
    ),
    allowed: secured({ readOnlyRootFilesystem: true }),
    denied: {},
    message: "the root file system must be read-only",
  },
  {
    title: "labels (Kyverno)",
    spec: {
      validations: [
        {
          expression: "'team' in object.metadata.?labels.orValue({})",
          message: "the label team is required",
        },
      ],
      matchConditions: [{ name: "not-exempt", expression: "!object.spec.?hostname.hasValue()" }],
    },
    allowed: { hostname: "exempt" },
    denied: {},
    message: "the label team is required",
  },
  {
    title: "tokens of service accounts (Kyverno)",
    spec: {
      validations: [
        {
          expression: "!object.spec.?automountServiceAccountToken.orValue(true)",
          message: "tokens must not be mounted",
        },
      ],
    },
    allowed: { automountServiceAccountToken: false },
    denied: {},
    message: "tokens must not be mounted",
  },
  {
    title: "service accounts by permission (Kyverno)",
    spec: {
      validations: [
        {
          expression:
            "!has(object.spec.hostname) || !authorizer.serviceAccount(object.metadata.namespace, object.spec.?serviceAccountName.orValue('default')).group('').resource('secrets').check('list').allowed()",
          message: "the service account may list secrets",
        },
      ],
    },
    allowed: {},
    denied: { hostname: "a" },
    message: "the service account may list secrets",
  },
  {
    title: "namespaces (Kyverno)",
    spec: {
      validations: [
        {
          expression:
            "namespaceObject.metadata.labels['kubernetes.io/metadata.name'] == 'default' && !object.spec.?hostname.orValue('a').contains('b')",
          messageExpression: "'not in ' + namespaceObject.metadata.name",
        },
      ],
    },
    allowed: {},
    denied: { hostname: "b" },
    message: "not in default",
  },
  {
    title: "tolerations (Kyverno)",
    spec: {
      validations: [
        {
          expression:
            "!has(object.spec.tolerations) || object.spec.tolerations.all(t, t.?key.orValue('*') != '*' && !t.key.startsWith('node-role.kubernetes.io/'))",
          message: "control plane nodes are reserved",
        },
      ],
    },
    allowed: { tolerations: [{ key: "dedicated", operator: "Exists" }] },
    denied: { tolerations: [{ key: "node-role.kubernetes.io/control-plane", operator: "Exists" }] },
    message: "control plane nodes are reserved",
  },
];
