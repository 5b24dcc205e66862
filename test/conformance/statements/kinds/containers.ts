import type { Statement } from "../statement.ts";
import { kindStatements, podSpec, pods } from "./kind-cases.ts";

/** What containers may mount. */
const volumes = [
  { name: "v", emptyDir: {} },
  { name: "claim", persistentVolumeClaim: { claimName: "x" } },
];

export const containersStatements: readonly Statement[] = [
  ...kindStatements(
    {
      subject: "a container",
      source: "kubernetes, pkg/apis/core/validation/validation_test.go, TestValidateContainers",
      target: pods,
      body: (changes) => podSpec({ containers: [{ name: "c", image: "i", ...changes }], volumes }),
    },
    [
      ["restartPolicy on ctr", { restartPolicy: "Always" }, "spec.containers[0].restartPolicy"],
      ["image spaces", { image: " i " }, "spec.containers[0].image"],
      [
        "port dup name",
        {
          ports: [
            { name: "a", containerPort: 1 },
            { name: "a", containerPort: 2 },
          ],
        },
        "spec.containers[0].ports[1].name",
      ],
      [
        "hostport dup",
        {
          ports: [
            { containerPort: 1, hostPort: 80 },
            { containerPort: 2, hostPort: 80 },
          ],
        },
        "spec.containers[0].ports[1].hostPort",
      ],
      [
        "hostport dup diff proto",
        {
          ports: [
            { containerPort: 1, hostPort: 80 },
            { containerPort: 2, hostPort: 80, protocol: "UDP" },
          ],
        },
      ],
      [
        "hostport dup diff ip",
        {
          ports: [
            { containerPort: 1, hostPort: 80, hostIP: "1.2.3.4" },
            { containerPort: 2, hostPort: 80, hostIP: "1.2.3.5" },
          ],
        },
      ],
      ["hostIP bad", { ports: [{ containerPort: 1, hostIP: "x" }] }],
      ["port dup containerPort", { ports: [{ containerPort: 1 }, { containerPort: 1 }] }],
      [
        "env fieldRef",
        { env: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "metadata.annotations['k']" } } }] },
      ],
      [
        "env fieldRef annots",
        { env: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "metadata.annotations" } } }] },
        "spec.containers[0].env[0].valueFrom.fieldRef.fieldPath",
      ],
      [
        "env fieldRef whoops",
        { env: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "metadata.whoops" } } }] },
        "spec.containers[0].env[0].valueFrom.fieldRef.fieldPath",
      ],
      [
        "env fieldRef labels upper",
        { env: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "metadata.labels['A b']" } } }] },
        "spec.containers[0].env[0].valueFrom.fieldRef",
      ],
      [
        "env fieldRef spec.hostname",
        { env: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "status.hostIPs" } } }] },
      ],
      [
        "env resource",
        { env: [{ name: "A", valueFrom: { resourceFieldRef: { resource: "limits.cpu", divisor: "1m" } } }] },
      ],
      [
        "env resource bad divisor",
        { env: [{ name: "A", valueFrom: { resourceFieldRef: { resource: "limits.cpu", divisor: "2m" } } }] },
        "spec.containers[0].env[0].valueFrom.resourceFieldRef.divisor",
      ],
      [
        "env resource bad mem divisor",
        {
          env: [{ name: "A", valueFrom: { resourceFieldRef: { resource: "limits.memory", divisor: "1m" } } }],
        },
        "spec.containers[0].env[0].valueFrom.resourceFieldRef.divisor",
      ],
      [
        "env resource bad",
        { env: [{ name: "A", valueFrom: { resourceFieldRef: { resource: "limits.foo" } } }] },
        "spec.containers[0].env[0].valueFrom.resourceFieldRef.resource",
      ],
      [
        "env resource hugepages",
        { env: [{ name: "A", valueFrom: { resourceFieldRef: { resource: "requests.hugepages-2Mi" } } }] },
      ],
      [
        "env value+from",
        { env: [{ name: "A", value: "x", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }] },
        "spec.containers[0].env[0].valueFrom",
      ],
      [
        "env two sources",
        {
          env: [
            {
              name: "A",
              valueFrom: { fieldRef: { fieldPath: "metadata.name" }, secretKeyRef: { name: "a", key: "b" } },
            },
          ],
        },
        "spec.containers[0].env[0].valueFrom",
      ],
      [
        "env secret no key",
        { env: [{ name: "A", valueFrom: { secretKeyRef: { name: "a" } } }] },
        "spec.containers[0].env[0].valueFrom.secretKeyRef.key",
      ],
      [
        "env secret bad key",
        { env: [{ name: "A", valueFrom: { secretKeyRef: { name: "a", key: "a/b" } } }] },
        "spec.containers[0].env[0].valueFrom.secretKeyRef.key",
      ],
      [
        "env secret no name",
        { env: [{ name: "A", valueFrom: { secretKeyRef: { key: "b" } } }] },
        "spec.containers[0].env[0].valueFrom.secretKeyRef.name",
      ],
      ["envFrom none", { envFrom: [{}] }, "spec.containers[0].envFrom"],
      [
        "envFrom prefix",
        { envFrom: [{ prefix: "a=", configMapRef: { name: "x" } }] },
        "spec.containers[0].envFrom[0].prefix",
      ],
      [
        "envFrom cm no name",
        { envFrom: [{ configMapRef: {} }] },
        "spec.containers[0].envFrom[0].configMapRef.name",
      ],
      [
        "probe grpc 0",
        { livenessProbe: { grpc: { port: 0 } } },
        "spec.containers[0].livenessProbe.grpc.port",
      ],
      ["probe http path default", { livenessProbe: { httpGet: { port: 80 } } }],
      [
        "probe http port name bad",
        { livenessProbe: { httpGet: { port: "a_b" } } },
        "spec.containers[0].livenessProbe.httpGet.port",
      ],
      [
        "probe http scheme",
        { livenessProbe: { httpGet: { port: 80, scheme: "FOO" } } },
        "spec.containers[0].livenessProbe.httpGet.scheme",
      ],
      [
        "probe http header",
        { livenessProbe: { httpGet: { port: 80, httpHeaders: [{ name: "X/Y", value: "x" }] } } },
        "spec.containers[0].livenessProbe.httpGet.httpHeaders",
      ],
      [
        "probe grace readiness",
        { readinessProbe: { exec: { command: ["a"] }, terminationGracePeriodSeconds: 1 } },
        "spec.containers[0].readinessProbe.terminationGracePeriodSeconds",
      ],
      [
        "probe grace 0",
        { livenessProbe: { exec: { command: ["a"] }, terminationGracePeriodSeconds: 0 } },
        "spec.containers[0].livenessProbe.terminationGracePeriodSeconds",
      ],
      [
        "probe startup success 2",
        { startupProbe: { exec: { command: ["a"] }, successThreshold: 2 } },
        "spec.containers[0].startupProbe.successThreshold",
      ],
      ["probe readiness success 2", { readinessProbe: { exec: { command: ["a"] }, successThreshold: 2 } }],
      ["probe tcp host", { livenessProbe: { tcpSocket: { port: 80, host: "a_b" } } }],
      [
        "lifecycle two",
        { lifecycle: { preStop: { exec: { command: ["a"] }, httpGet: { port: 80 } } } },
        "spec.containers[0].lifecycle.preStop.httpGet",
      ],
      ["lifecycle empty", { lifecycle: { preStop: {} } }, "spec.containers[0].lifecycle.preStop"],
      [
        "lifecycle sleep",
        { lifecycle: { preStop: { sleep: { seconds: 31 } } } },
        "spec.containers[0].lifecycle.preStop.sleep",
      ],
      ["lifecycle sleep 30", { lifecycle: { preStop: { sleep: { seconds: 30 } } } }],
      [
        "lifecycle sleep 0",
        { lifecycle: { preStop: { sleep: { seconds: 0 } } } },
        "spec.containers[0].lifecycle.preStop.sleep",
      ],
      [
        "res req>lim",
        { resources: { requests: { cpu: "2" }, limits: { cpu: "1" } } },
        "spec.containers[0].resources.requests",
      ],
      [
        "res ext req only",
        { resources: { requests: { "a.b/c": "1" } } },
        "spec.containers[0].resources.limits",
      ],
      [
        "res ext mismatch",
        { resources: { requests: { "a.b/c": "1" }, limits: { "a.b/c": "2" } } },
        "spec.containers[0].resources.requests",
      ],
      [
        "res ext frac",
        { resources: { limits: { "a.b/c": "500m" } } },
        "spec.containers[0].resources.limits[a.b/c]",
      ],
      [
        "res huge only",
        { resources: { limits: { "hugepages-2Mi": "2Mi" } } },
        "spec.containers[0].resources",
      ],
      ["res huge cpu", { resources: { limits: { cpu: "1", "hugepages-2Mi": "2Mi" } } }],
      [
        "res huge indivisible",
        { resources: { limits: { cpu: "1", "hugepages-2Mi": "3Mi" } } },
        "spec.containers[0].resources.limits[hugepages-2Mi]",
      ],
      [
        "res storage",
        { resources: { limits: { storage: "1" } } },
        "spec.containers[0].resources.limits[storage]",
      ],
      [
        "res requests.cpu",
        { resources: { limits: { "requests.a.b/c": "1" } } },
        "spec.containers[0].resources.limits[requests.a.b/c]",
      ],
      ["res claims missing", { resources: { claims: [{ name: "x" }] } }],
      ["resize bad", { resizePolicy: [{ resourceName: "storage", restartPolicy: "NotRequired" }] }],
      ["sec caps", { securityContext: { capabilities: { add: ["A b"] } } }],
      [
        "sec priv+noescalate",
        { securityContext: { privileged: true, allowPrivilegeEscalation: false } },
        "spec.containers[0].securityContext",
      ],
      [
        "sec cap sys_admin",
        { securityContext: { capabilities: { add: ["CAP_SYS_ADMIN"] }, allowPrivilegeEscalation: false } },
        "spec.containers[0].securityContext",
      ],
      [
        "sec cap SYS_ADMIN",
        { securityContext: { capabilities: { add: ["SYS_ADMIN"] }, allowPrivilegeEscalation: false } },
      ],
      ["procMount", { securityContext: { procMount: "Q" } }],
      [
        "mount missing",
        { volumeMounts: [{ name: "zz", mountPath: "/a" }] },
        "spec.containers[0].volumeMounts[0].name",
      ],
      ["mount", { volumeMounts: [{ name: "v", mountPath: "/a" }] }],
      [
        "mount dup path",
        {
          volumeMounts: [
            { name: "v", mountPath: "/a" },
            { name: "v", mountPath: "/a" },
          ],
        },
        "spec.containers[0].volumeMounts[1].mountPath",
      ],
      ["mount no path", { volumeMounts: [{ name: "v" }] }, "spec.containers[0].volumeMounts[0].mountPath"],
      [
        "mount subPath abs",
        { volumeMounts: [{ name: "v", mountPath: "/a", subPath: "/x" }] },
        "spec.containers[0].volumeMounts.subPath",
      ],
      [
        "mount subPath ..",
        { volumeMounts: [{ name: "v", mountPath: "/a", subPath: "x/../y" }] },
        "spec.containers[0].volumeMounts.subPath",
      ],
      [
        "mount subPath+Expr",
        { volumeMounts: [{ name: "v", mountPath: "/a", subPath: "x", subPathExpr: "y" }] },
        "spec.containers[0].volumeMounts[0].subPathExpr",
      ],
      ["mount colon", { volumeMounts: [{ name: "v", mountPath: "a:b" }] }],
      [
        "mount propagation bidir",
        { volumeMounts: [{ name: "v", mountPath: "/a", mountPropagation: "Bidirectional" }] },
        "spec.containers[0].volumeMounts.mountPropagation",
      ],
      [
        "mount propagation priv",
        {
          securityContext: { privileged: true },
          volumeMounts: [{ name: "v", mountPath: "/a", mountPropagation: "Bidirectional" }],
        },
      ],
      [
        "mount rro",
        { volumeMounts: [{ name: "v", mountPath: "/a", recursiveReadOnly: "Enabled" }] },
        "spec.containers[0].volumeMounts.recursiveReadOnly",
      ],
      [
        "device",
        { volumeDevices: [{ name: "v", devicePath: "/dev/x" }] },
        "spec.containers[0].volumeDevices[0].name",
      ],
      ["device pvc", { volumeDevices: [{ name: "claim", devicePath: "/dev/x" }] }],
      [
        "device ..",
        { volumeDevices: [{ name: "claim", devicePath: "/dev/../x" }] },
        "spec.containers[0].volumeDevices[0].devicePath",
      ],
      [
        "device+mount",
        {
          volumeDevices: [{ name: "claim", devicePath: "/dev/x" }],
          volumeMounts: [{ name: "claim", mountPath: "/a" }],
        },
        "spec.containers[0].volumeMounts[0].name",
      ],
    ],
  ),
];
