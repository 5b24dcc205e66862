import { describe, expect, test } from "vitest";
import { containerFindings, podSpecFindings } from "../../../../test/registry/pods.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";

const label = expect.stringContaining("a lowercase RFC 1123 label must consist of");
const subdomain = expect.stringContaining("a lowercase RFC 1123 subdomain must consist of");
const choice = "`fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`";
const nameRule =
  "a valid environment variable name must consist only of printable ASCII characters other than '='";

type Row = readonly [title: string, container: JsonObject, findings: readonly unknown[]];

function check(_title: string, container: JsonObject, findings: readonly unknown[]): void {
  expect(containerFindings(container)).toEqual(findings);
}

function env(variable: JsonObject): JsonObject {
  return { env: [{ name: "A", ...variable }] };
}

function fieldRef(fieldPath: string, apiVersion = "v1"): JsonObject {
  return env({ valueFrom: { fieldRef: { fieldPath, apiVersion } } });
}

function resourceRef(ref: JsonObject): JsonObject {
  return env({ valueFrom: { resourceFieldRef: ref } });
}

describe("a container is refused for", () => {
  test.each<Row>([
    ["no name", { name: "" }, ["name: Required value"]],
    ["a name that is not a DNS label", { name: "A" }, [label]],
    ["no image", { image: "" }, ["image: Required value"]],
    [
      "unknown policies",
      { terminationMessagePolicy: "X", imagePullPolicy: "Y" },
      [
        'terminationMessagePolicy: Unsupported value: "X": supported values: "File", "FallbackToLogsOnError"',
        'imagePullPolicy: Unsupported value: "Y": supported values: "Always", "IfNotPresent", "Never"',
      ],
    ],
    [
      "its own restart policy",
      { restartPolicy: "Always" },
      ["restartPolicy: Forbidden: may not be set for non-init containers"],
    ],
  ])("%s", check);
});

describe("a port is refused for", () => {
  test.each<Row>([
    ["no container port", { ports: [{}] }, ["ports[0].containerPort: Required value"]],
    [
      "port numbers that are too high",
      { ports: [{ containerPort: 65536, hostPort: 70000 }] },
      [
        "ports[0].containerPort: Invalid value: 65536: must be between 1 and 65535, inclusive",
        "ports[0].hostPort: Invalid value: 70000: must be between 1 and 65535, inclusive",
      ],
    ],
    [
      "a name that is too long",
      { ports: [{ containerPort: 1, name: "abcdefghijklmnop" }] },
      ['ports[0].name: Invalid value: "abcdefghijklmnop": must be no more than 15 characters'],
    ],
    [
      "a duplicate name",
      {
        ports: [
          { containerPort: 1, name: "a" },
          { containerPort: 2, name: "a" },
        ],
      },
      ['ports[1].name: Duplicate value: "a"'],
    ],
    [
      "an unknown protocol",
      { ports: [{ containerPort: 1, protocol: "tcp" }] },
      ['ports[0].protocol: Unsupported value: "tcp": supported values: "SCTP", "TCP", "UDP"'],
    ],
    [
      "a duplicate host port",
      {
        ports: [
          { containerPort: 1, hostPort: 9 },
          { containerPort: 2, hostPort: 9 },
        ],
      },
      ['ports[1].hostPort: Duplicate value: "TCP//9"'],
    ],
  ])("%s", check);

  test("a different host port on the host network", () => {
    const ports = [{ containerPort: 80, hostPort: 81 }];
    expect(containerFindings({ ports }, { hostNetwork: true })).toEqual([
      "ports[0].hostPort: Invalid value: 81: must match `containerPort` when `hostNetwork` is true",
    ]);
  });
});

describe("a variable is refused for", () => {
  test.each<Row>([
    ["no name", env({ name: "" }), ["env[0].name: Required value"]],
    ["a name with an equals sign", env({ name: "a=b" }), [`env[0].name: Invalid value: "a=b": ${nameRule}`]],
    [
      "an empty source",
      env({ valueFrom: {} }),
      [`env[0].valueFrom: Invalid value: "": must specify one of: ${choice}`],
    ],
    [
      "both a value and a source",
      env({ value: "v", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }),
      ['env[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty'],
    ],
    [
      "two sources",
      env({
        valueFrom: {
          fieldRef: { fieldPath: "metadata.name" },
          configMapKeyRef: { name: "a", key: "k" },
        },
      }),
      ['env[0].valueFrom: Invalid value: "": may not have more than one field specified at a time'],
    ],
    [
      "a key reference without a name",
      env({ valueFrom: { secretKeyRef: { name: "", key: "" } } }),
      [subdomain, "env[0].valueFrom.secretKeyRef.key: Required value"],
    ],
    [
      "an invalid key",
      env({ valueFrom: { configMapKeyRef: { name: "a", key: "a b" } } }),
      [expect.stringContaining("a valid config key must consist of alphanumeric characters")],
    ],
  ])("%s", check);

  test.each<Row>([
    ["is empty", fieldRef(""), ["env[0].valueFrom.fieldRef.fieldPath: Required value"]],
    [
      "is unknown",
      fieldRef("status.nope"),
      [
        'env[0].valueFrom.fieldRef.fieldPath: Invalid value: "status.nope": error converting fieldPath: field label not supported: status.nope',
      ],
    ],
    [
      "has an unsupported version",
      fieldRef("metadata.name", "v2"),
      [
        'env[0].valueFrom.fieldRef.fieldPath: Invalid value: "metadata.name": error converting fieldPath: unsupported pod version: v2',
      ],
    ],
    [
      "is supported in volumes only",
      fieldRef("metadata.labels"),
      [
        expect.stringContaining(
          'env[0].valueFrom.fieldRef.fieldPath: Unsupported value: "metadata.labels": supported values: "metadata.name", "metadata.namespace"',
        ),
      ],
    ],
    [
      "has an unsupported subscript",
      fieldRef("metadata.name['a']"),
      [
        "env[0].valueFrom.fieldRef.fieldPath: Invalid value: \"metadata.name['a']\": error converting fieldPath: field label does not support subscript: metadata.name['a']",
      ],
    ],
    [
      "has a subscript that is not a label key",
      fieldRef("metadata.labels['a b']"),
      [expect.stringContaining("fieldRef: Invalid")],
    ],
    ["is a label", fieldRef("metadata.labels['a']"), []],
  ])("a field that %s", check);

  test.each<Row>([
    ["is empty", resourceRef({}), ["env[0].valueFrom.resourceFieldRef.resource: Required value"]],
    [
      "is unknown",
      resourceRef({ resource: "limits.gpu" }),
      [
        'env[0].valueFrom.resourceFieldRef.resource: Unsupported value: "limits.gpu": supported values: "limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory"',
      ],
    ],
    [
      "has the divisor of another resource",
      resourceRef({ resource: "limits.cpu", divisor: "1Ki" }),
      [
        'env[0].valueFrom.resourceFieldRef.divisor: Invalid value: "limits.cpu": only divisor\'s values 1m and 1 are supported with the cpu resource',
      ],
    ],
    [
      "is ephemeral storage with the divisor of another resource",
      resourceRef({ resource: "requests.ephemeral-storage", divisor: "1m" }),
      [
        'env[0].valueFrom.resourceFieldRef.divisor: Invalid value: "requests.ephemeral-storage": only divisor\'s values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the local ephemeral storage resource',
      ],
    ],
    ["is huge pages", resourceRef({ resource: "limits.hugepages-2Mi" }), []],
  ])("a resource that %s", check);
});

describe("a source of variables is refused for", () => {
  test.each<Row>([
    [
      "nothing",
      { envFrom: [{}] },
      ['envFrom: Invalid value: "": must specify one of: `configMapRef` or `secretRef`'],
    ],
    [
      "two sources",
      { envFrom: [{ configMapRef: { name: "a" }, secretRef: { name: "b" } }] },
      ['envFrom: Invalid value: "": may not have more than one field specified at a time'],
    ],
    [
      "no name, and an invalid prefix",
      { envFrom: [{ prefix: "=", configMapRef: {} }] },
      [`envFrom[0].prefix: Invalid value: "=": ${nameRule}`, "envFrom[0].configMapRef.name: Required value"],
    ],
  ])("%s", check);
});

describe("containers of a pod are refused for", () => {
  const c = { name: "c", image: "i" };

  test.each<Row>([
    ["being none", { containers: [] }, ["spec.containers: Required value"]],
    ["a name that another has", { containers: [c, c] }, ['spec.containers[1].name: Duplicate value: "c"']],
    [
      "the name of a later container",
      { initContainers: [c] },
      ['spec.initContainers[0].name: Duplicate value: "c"'],
    ],
    [
      "probes and hooks of init containers",
      {
        initContainers: [
          {
            ...c,
            name: "i",
            lifecycle: { preStop: { exec: { command: ["x"] } } },
            livenessProbe: { exec: { command: ["x"] } },
          },
        ],
      },
      ["lifecycle", "livenessProbe"].map(
        (field) =>
          `spec.initContainers[0].${field}: Forbidden: may not be set for init containers without restartPolicy=Always`,
      ),
    ],
    [
      "a restart policy that only pods can have",
      { initContainers: [{ ...c, name: "i", restartPolicy: "Never" }] },
      ['spec.initContainers[0].restartPolicy: Unsupported value: "Never": supported values: "Always"'],
    ],
    [
      "an invalid probe of a sidecar",
      { initContainers: [{ ...c, name: "i", restartPolicy: "Always", readinessProbe: {} }] },
      ["spec.initContainers[0].readinessProbe: Required value: must specify a handler type"],
    ],
    [
      "fields that ephemeral containers cannot have",
      {
        ephemeralContainers: [
          {
            ...c,
            name: "e",
            ports: [{ containerPort: 1 }],
            resources: { limits: { cpu: "1" } },
            livenessProbe: { exec: { command: ["x"] } },
            targetContainerName: "z",
            volumeMounts: [
              { name: "v", mountPath: "/a", subPath: "b" },
              { name: "v", mountPath: "/c", subPathExpr: "d" },
            ],
          },
        ],
        volumes: [{ name: "v", emptyDir: {} }],
      },
      [
        'spec.ephemeralContainers[0].targetContainerName: Not found: "z"',
        ...[
          "ports",
          "resources",
          "livenessProbe",
          "volumeMounts[0].subPath",
          "volumeMounts[1].subPathExpr",
        ].map(
          (field) =>
            `spec.ephemeralContainers[0].${field}: Forbidden: cannot be set for an Ephemeral Container`,
        ),
      ],
    ],
  ])("%s", (_title, spec, findings) => expect(podSpecFindings(spec)).toEqual(findings));
});
