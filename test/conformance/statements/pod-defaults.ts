import { container, podTemplate, templates } from "./pod-template.ts";
import { type Statement, tryCreate } from "./statement.ts";

function defaulted(says: string, changes: object, found: object): Statement {
  return {
    source: "API reference, kinds, section 2; kubernetes, pkg/apis/core/v1/defaults_test.go",
    says,
    request: tryCreate(templates, podTemplate(changes)),
    code: 201,
    answer: { template: { spec: found } },
  };
}

const image = (name: string, policy: string): Statement =>
  defaulted(
    `the image ${name} is pulled ${policy}`,
    { containers: [{ name: "c", image: name }] },
    { containers: [{ imagePullPolicy: policy }] },
  );

export const podDefaultStatements: readonly Statement[] = [
  defaulted("a pod restarts always", {}, { restartPolicy: "Always" }),
  defaulted("a pod asks the cluster for names", {}, { dnsPolicy: "ClusterFirst" }),
  defaulted("a pod has 30 seconds to end", {}, { terminationGracePeriodSeconds: 30 }),
  defaulted("a pod has a scheduler", {}, { schedulerName: "default-scheduler" }),
  defaulted("a pod has a security context", {}, { securityContext: {} }),
  defaulted(
    "a container has a message",
    {},
    { containers: [{ terminationMessagePath: "/dev/termination-log", terminationMessagePolicy: "File" }] },
  ),
  defaulted(
    "a port is for TCP",
    { containers: [{ ...container, ports: [{ containerPort: 80 }] }] },
    { containers: [{ ports: [{ protocol: "TCP" }] }] },
  ),
  defaulted(
    "a probe has periods",
    { containers: [{ ...container, livenessProbe: { httpGet: { port: 80 } } }] },
    {
      containers: [
        {
          livenessProbe: {
            timeoutSeconds: 1,
            periodSeconds: 10,
            successThreshold: 1,
            failureThreshold: 3,
            httpGet: { path: "/", scheme: "HTTP" },
          },
        },
      ],
    },
  ),
  defaulted(
    "a reference to a field has a version",
    {
      containers: [
        { ...container, env: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }] },
      ],
    },
    { containers: [{ env: [{ valueFrom: { fieldRef: { apiVersion: "v1" } } }] }] },
  ),
  defaulted(
    "a volume without a source is empty",
    { volumes: [{ name: "v" }] },
    { volumes: [{ name: "v", emptyDir: {} }] },
  ),
  ...(["configMap", "secret"] as const).map((kind) =>
    defaulted(
      `files of a ${kind} have a mode`,
      { volumes: [{ name: "v", [kind]: { [kind === "secret" ? "secretName" : "name"]: "x" } }] },
      { volumes: [{ [kind]: { defaultMode: 420 } }] },
    ),
  ),
  defaulted(
    "a token expires after an hour",
    { volumes: [{ name: "v", projected: { sources: [{ serviceAccountToken: { path: "t" } }] } }] },
    {
      volumes: [
        { projected: { defaultMode: 420, sources: [{ serviceAccountToken: { expirationSeconds: 3600 } }] } },
      ],
    },
  ),
  defaulted(
    "a path of the host has a type",
    { volumes: [{ name: "v", hostPath: { path: "/x" } }] },
    { volumes: [{ hostPath: { type: "" } }] },
  ),
  defaulted(
    "a serviceAccount is a serviceAccountName",
    { serviceAccountName: "s" },
    { serviceAccount: "s", serviceAccountName: "s" },
  ),
  image("i", "Always"),
  image("i:latest", "Always"),
  image("i:1", "IfNotPresent"),
  image("host:5000/i", "Always"),
  image("host:5000/i:1", "IfNotPresent"),
  image(`i@sha256:${"a".repeat(64)}`, "IfNotPresent"),
];
