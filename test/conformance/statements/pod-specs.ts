import { container, podTemplate, templates } from "./pod-template.ts";
import { literally, type Statement, tryCreate } from "./statement.ts";

const source = "API reference, kinds, section 2; kubernetes, pkg/apis/core/validation/validation_test.go";
/** A pod spec with changes, and an error in it; undefined if it is valid. */
function spec(says: string, changes: object, error?: string | RegExp): Statement {
  const answer = typeof error === "string" ? literally(`template.spec.${error}`) : error;
  const code = error === undefined ? 201 : 422;
  return {
    source,
    says,
    request: tryCreate(templates, podTemplate(changes)),
    code,
    ...(answer && { answer }),
  };
}

/** A container with changes, and an error in it; undefined if it is valid. */
function one(says: string, changes: object, error?: string): Statement {
  const at = error === undefined ? undefined : `containers[0].${error}`;
  return spec(says, { containers: [{ ...container, ...changes }] }, at);
}

const containers: readonly Statement[] = [
  spec("a pod has containers", { containers: [] }, "containers: Required value"),
  spec("a container has a name", { containers: [{ image: "i" }] }, "containers[0].name: Required value"),
  spec("a container has an image", { containers: [{ name: "c" }] }, "containers[0].image: Required value"),
  spec("an image in a template may have spaces around it", { containers: [{ name: "c", image: " i" }] }),
  spec(
    "containers have different names",
    { containers: [container, container] },
    'containers[1].name: Duplicate value: "c"',
  ),
  spec(
    "containers that come first have other names",
    { initContainers: [container] },
    /Duplicate value: "c"/,
  ),
  spec(
    "a name is a label",
    { containers: [{ ...container, name: "A" }] },
    'containers[0].name: Invalid value: "A": a lowercase RFC 1123 label must consist of',
  ),
  one(
    "a policy for images is known",
    { imagePullPolicy: "Q" },
    'imagePullPolicy: Unsupported value: "Q": supported values: "Always", "IfNotPresent", "Never"',
  ),
  one(
    "a policy for messages is known",
    { terminationMessagePolicy: "Q" },
    'terminationMessagePolicy: Unsupported value: "Q": supported values: "File", "FallbackToLogsOnError"',
  ),
  one("a port is not 0", { ports: [{ containerPort: 0 }] }, "ports[0].containerPort: Required value"),
  one(
    "a port is at most 65535",
    { ports: [{ containerPort: 65536 }] },
    "ports[0].containerPort: Invalid value: 65536: must be between 1 and 65535, inclusive",
  ),
  one(
    "a port is positive",
    { ports: [{ containerPort: -1 }] },
    "ports[0].containerPort: Invalid value: -1: must be between 1 and 65535, inclusive",
  ),
  one(
    "the name of a port is short",
    { ports: [{ name: "abcdefghijklmnop", containerPort: 80 }] },
    'ports[0].name: Invalid value: "abcdefghijklmnop": must be no more than 15 characters',
  ),
  one(
    "the name of a port has a letter",
    { ports: [{ name: "80", containerPort: 80 }] },
    'ports[0].name: Invalid value: "80": must contain at least one letter (a-z)',
  ),
  one(
    "the name of a port has no two dashes in a row",
    { ports: [{ name: "a--b", containerPort: 80 }] },
    'ports[0].name: Invalid value: "a--b": must not contain consecutive hyphens',
  ),
  one(
    "the name of a port does not end in a dash",
    { ports: [{ name: "a-", containerPort: 80 }] },
    'ports[0].name: Invalid value: "a-": must not begin or end with a hyphen',
  ),
  one(
    "names of ports differ",
    {
      ports: [
        { name: "a", containerPort: 80 },
        { name: "a", containerPort: 81 },
      ],
    },
    'ports[1].name: Duplicate value: "a"',
  ),
  one(
    "a protocol is known",
    { ports: [{ containerPort: 80, protocol: "Q" }] },
    'ports[0].protocol: Unsupported value: "Q": supported values: "SCTP", "TCP", "UDP"',
  ),
  one(
    "a port of the host is in range",
    { ports: [{ containerPort: 80, hostPort: 65536 }] },
    "ports[0].hostPort: Invalid value: 65536: must be between 1 and 65535, inclusive",
  ),
  one("a variable has a name", { env: [{ value: "x" }] }, "env[0].name: Required value"),
  one(
    "the name of a variable has no equals sign",
    { env: [{ name: "a=b" }] },
    "env[0].name: Invalid value: \"a=b\": a valid environment variable name must consist only of printable ASCII characters other than '='",
  ),
  one("the name of a variable may begin with a digit", { env: [{ name: "1a" }] }),
  one(
    "a variable has one source",
    { env: [{ name: "A", valueFrom: {} }] },
    'env[0].valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`',
  ),
  one(
    "a variable has a value or a source",
    { env: [{ name: "A", value: "x", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }] },
    'env[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty',
  ),
  one(
    "a field of a pod is known",
    { env: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "metadata.zork" } } }] },
    'env[0].valueFrom.fieldRef.fieldPath: Invalid value: "metadata.zork": error converting fieldPath: field label not supported: metadata.zork',
  ),
  one(
    "a mount names a volume",
    { volumeMounts: [{ name: "nope", mountPath: "/x" }] },
    'volumeMounts[0].name: Not found: "nope"',
  ),
  one(
    "a mount has a path",
    { volumeMounts: [{ name: "nope" }] },
    "volumeMounts[0].mountPath: Required value",
  ),
  one(
    "a request is at most the limit",
    { resources: { requests: { cpu: "2" }, limits: { cpu: "1" } } },
    'resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
  ),
  one(
    "an extended resource is not overcommitted",
    { resources: { requests: { "a.b/c": "1" }, limits: { "a.b/c": "2" } } },
    'resources.requests: Invalid value: "1": must be equal to a.b/c limit of 2',
  ),
  one(
    "an extended resource is whole",
    { resources: { requests: { "a.b/c": "500m" }, limits: { "a.b/c": "500m" } } },
    "resources.limits[a.b/c]: Invalid value: ",
  ),
  one(
    "a resource is not negative",
    { resources: { limits: { cpu: "-1" } } },
    'resources.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0',
  ),
  one(
    "a resource is known",
    { resources: { limits: { foo: "1" } } },
    "resources.limits[foo]: Invalid value: foo: must be a standard resource type or fully qualified",
  ),
  one(
    "a probe has a handler",
    { livenessProbe: {} },
    "livenessProbe: Required value: must specify a handler type",
  ),
  one(
    "a probe has one handler",
    { livenessProbe: { exec: { command: ["a"] }, tcpSocket: { port: 80 } } },
    "livenessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type",
  ),
  one(
    "a probe that ends a container succeeds at once",
    { livenessProbe: { exec: { command: ["a"] }, successThreshold: 2 } },
    "livenessProbe.successThreshold: Invalid value: 2: must be 1",
  ),
  one(
    "a period is not negative",
    { readinessProbe: { exec: { command: ["a"] }, periodSeconds: -1 } },
    "readinessProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0",
  ),
  one(
    "a handler has a command",
    { lifecycle: { preStop: { exec: { command: [] } } } },
    "lifecycle.preStop.exec.command: Required value",
  ),
  one(
    "a user is not negative",
    { securityContext: { runAsUser: -1 } },
    "securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive",
  ),
  one(
    "a privileged container may gain privileges",
    { securityContext: { privileged: true, allowPrivilegeEscalation: false } },
    "securityContext: Invalid value: core.SecurityContext{",
  ),
];

const pods: readonly Statement[] = [
  spec(
    "a template restarts",
    { restartPolicy: "Q" },
    'restartPolicy: Unsupported value: "Q": supported values: "Always", "OnFailure", "Never"',
  ),
  spec(
    "a policy for names is known",
    { dnsPolicy: "Q" },
    'dnsPolicy: Unsupported value: "Q": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"',
  ),
  spec(
    "no policy for names needs servers",
    { dnsPolicy: "None" },
    "dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None",
  ),
  spec(
    "a deadline is positive",
    { activeDeadlineSeconds: 0 },
    "activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive",
  ),
  spec(
    "a host name is a label",
    { hostname: "a.b" },
    'hostname: Invalid value: "a.b": must not contain dots',
  ),
  spec(
    "a subdomain is a label",
    { subdomain: "A" },
    'subdomain: Invalid value: "A": a lowercase RFC 1123 label must consist of',
  ),
  spec(
    "an account is a subdomain",
    { serviceAccountName: "A" },
    'serviceAccountName: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of',
  ),
  spec("a volume has a name", { volumes: [{}] }, "volumes[0].name: Required value"),
  spec(
    "volumes have different names",
    { volumes: [{ name: "v" }, { name: "v" }] },
    'volumes[1].name: Duplicate value: "v"',
  ),
  spec(
    "a volume has one source",
    { volumes: [{ name: "v", emptyDir: {}, hostPath: { path: "/" } }] },
    "volumes[0].hostPath: Forbidden: may not specify more than 1 volume type",
  ),
  spec(
    "a path of the host does not go up",
    { volumes: [{ name: "v", hostPath: { path: "/a/.." } }] },
    "volumes[0].hostPath.path: Invalid value: \"/a/..\": must not contain '..'",
  ),
  spec(
    "a path of the host has a known type",
    { volumes: [{ name: "v", hostPath: { path: "/", type: "Q" } }] },
    /template\.spec\.volumes\[0\]\.hostPath\.type: Unsupported value: "Q": supported values: /,
  ),
  spec(
    "a secret has a name",
    { volumes: [{ name: "v", secret: {} }] },
    "volumes[0].secret.secretName: Required value",
  ),
  spec(
    "a mode is at most 0777",
    { volumes: [{ name: "v", configMap: { name: "c", defaultMode: 512 } }] },
    "volumes[0].configMap.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive",
  ),
  spec(
    "a claim has a name",
    { volumes: [{ name: "v", persistentVolumeClaim: {} }] },
    "volumes[0].persistentVolumeClaim.claimName: Required value",
  ),
  spec(
    "paths of mounts differ",
    {
      volumes: [{ name: "v" }],
      containers: [
        {
          ...container,
          volumeMounts: [
            { name: "v", mountPath: "/x" },
            { name: "v", mountPath: "/x" },
          ],
        },
      ],
    },
    'containers[0].volumeMounts[1].mountPath: Invalid value: "/x": must be unique',
  ),
  spec(
    "a toleration of any key tolerates existence",
    { tolerations: [{ operator: "Equal", value: "x" }] },
    'tolerations[0].operator: Invalid value: "Equal": operator must be Exists when `key` is empty, which means "match all values and all keys"',
  ),
  spec(
    "an existing key has no value",
    { tolerations: [{ key: "k", operator: "Exists", value: "x" }] },
    "tolerations[0].operator: Invalid value: \"x\": value must be empty when `operator` is 'Exists'",
  ),
  spec(
    "only an execution has a time",
    { tolerations: [{ key: "k", operator: "Exists", effect: "NoSchedule", tolerationSeconds: 5 }] },
    "tolerations[0].effect: Invalid value: \"NoSchedule\": effect must be 'NoExecute' when `tolerationSeconds` is set",
  ),
  spec(
    "an operator of a toleration is known",
    { tolerations: [{ key: "k", operator: "Q" }] },
    'tolerations[0].operator: Unsupported value: "Q": supported values: "Equal", "Exists"',
  ),
  spec(
    "a spread has a skew",
    { topologySpreadConstraints: [{ maxSkew: 0, topologyKey: "k", whenUnsatisfiable: "DoNotSchedule" }] },
    "topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero",
  ),
  spec(
    "a spread has a key",
    { topologySpreadConstraints: [{ maxSkew: 1, whenUnsatisfiable: "DoNotSchedule" }] },
    "topologySpreadConstraints[0].topologyKey: Required value: can not be empty",
  ),
  spec(
    "an affinity has a key",
    {
      affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: {} }] } },
    },
    "affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Required value: can not be empty",
  ),
  spec(
    "a weight is at most 100",
    {
      affinity: {
        podAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 101, podAffinityTerm: { topologyKey: "k" } },
          ],
        },
      },
    },
    "affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 101: must be in the range 1-100",
  ),
  spec(
    "a node is selected by terms",
    {
      affinity: {
        nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } },
      },
    },
    "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms: Required value: must have at least one node selector term",
  ),
  spec(
    "an operator for nodes is known",
    {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: "k", operator: "Q" }] }],
          },
        },
      },
    },
    /matchExpressions\[0\]\.operator: Invalid value: "Q": not a valid selector operator/,
  ),
  spec(
    "an alias has an address",
    { hostAliases: [{ ip: "x", hostnames: ["a"] }] },
    /hostAliases\[0\]\.ip: Invalid value: "x": must be a valid IP address/,
  ),
  spec(
    "an ephemeral container comes later",
    { ephemeralContainers: [{ name: "e", image: "i" }] },
    /template\.spec\.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template/,
  ),
  spec(
    "an operating system is known",
    { os: { name: "beos" } },
    /template\.spec\.os: Unsupported value: "beos": supported values: "linux", "windows"/,
  ),
  spec(
    "a group is not negative",
    { securityContext: { fsGroup: -1 } },
    "securityContext.fsGroup: Invalid value: -1: must be between 0 and 2147483647, inclusive",
  ),
  spec(
    "a sysctl has a name",
    { securityContext: { sysctls: [{ name: "", value: "1" }] } },
    "securityContext.sysctls[0].name: Required value",
  ),
];

export const podSpecStatements: readonly Statement[] = [...containers, ...pods];
