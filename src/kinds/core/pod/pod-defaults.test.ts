import { describe, expect, test } from "vitest";
import { defaulted } from "../../../../test/registry/defaulted.ts";
import { listAt } from "../../../apimachinery/fields.ts";
import type { JsonObject, JsonValue } from "../../../apimachinery/json.ts";

function podSpec(spec: JsonObject): unknown {
  return defaulted("v1/Pod", { spec })["spec"];
}

/** The container of a pod with one container, after defaulting. */
function container(sent: JsonObject, spec: JsonObject = {}): unknown {
  return podSpec({ ...spec, containers: [sent] });
}

describe("a Pod", () => {
  test("without fields gets the defaults of every pod", () => {
    expect(defaulted("v1/Pod", {})).toMatchObject({
      spec: {
        containers: null,
        restartPolicy: "Always",
        terminationGracePeriodSeconds: 30,
        dnsPolicy: "ClusterFirst",
        securityContext: {},
        schedulerName: "default-scheduler",
        enableServiceLinks: true,
      },
    });
  });

  test.each<[title: string, sent: JsonObject, expected: JsonObject]>([
    ["an empty restart policy is defaulted", { restartPolicy: "" }, { restartPolicy: "Always" }],
    [
      "a grace period of zero is kept",
      { terminationGracePeriodSeconds: 0 },
      { terminationGracePeriodSeconds: 0 },
    ],
    ["disabled service links stay disabled", { enableServiceLinks: false }, { enableServiceLinks: false }],
    [
      "serviceAccountName takes precedence over serviceAccount",
      { serviceAccountName: "a", serviceAccount: "b" },
      { serviceAccountName: "a", serviceAccount: "a" },
    ],
    [
      "serviceAccount is copied to serviceAccountName",
      { serviceAccount: "b" },
      { serviceAccountName: "b", serviceAccount: "b" },
    ],
    ["overhead is rounded up", { overhead: { cpu: "1u" } }, { overhead: { cpu: "1m" } }],
  ])("%s", (_, sent, expected) => expect(podSpec(sent)).toMatchObject(expected));

  test("has fewer defaults in templates", () => {
    const { spec } = defaulted("v1/PodTemplate", {
      template: {
        spec: {
          hostNetwork: true,
          containers: [{ name: "c", ports: [{ containerPort: 80 }], resources: { limits: { cpu: "1" } } }],
        },
      },
    })["template"] as JsonObject;
    expect(spec).toMatchObject({ schedulerName: "default-scheduler" });
    expect(spec).not.toHaveProperty("enableServiceLinks");
    expect(spec).not.toHaveProperty("containers[0].ports[0].hostPort");
    expect(spec).toMatchObject({ containers: [{ resources: { limits: { cpu: "1" } } }] });
    expect(spec).not.toHaveProperty("containers[0].resources.requests");
  });

  test("on the host's network has its ports there", () => {
    const ports = [{ containerPort: 80 }, { containerPort: 81, hostPort: 8081 }];
    const expected = [{ ports: [{ hostPort: 80, protocol: "TCP" }, { hostPort: 8081 }] }];
    const spec = podSpec({
      hostNetwork: true,
      containers: [{ name: "c", ports }],
      initContainers: [{ name: "i", ports }],
    });
    expect(spec).toMatchObject({ containers: expected, initContainers: expected });
  });

  test("has rounded quantities in its status", () => {
    const status = {
      containerStatuses: [
        { name: "c", allocatedResources: { cpu: "1u" }, resources: { limits: { cpu: "2u" } } },
      ],
    };
    expect(defaulted("v1/Pod", { status })).toMatchObject({
      status: {
        containerStatuses: [{ allocatedResources: { cpu: "1m" }, resources: { limits: { cpu: "1m" } } }],
      },
    });
  });
});

describe("a container", () => {
  test.each<[title: string, sent: JsonObject, expected: JsonObject]>([
    [
      "gets its termination message",
      { image: "x" },
      { terminationMessagePath: "/dev/termination-log", terminationMessagePolicy: "File", resources: {} },
    ],
    ["has the pull policy Always without a tag", { image: "x" }, { imagePullPolicy: "Always" }],
    ["has the pull policy IfNotPresent with a tag", { image: "x:1" }, { imagePullPolicy: "IfNotPresent" }],
    [
      "has the pull policy IfNotPresent with an invalid image",
      { image: "UPPER" },
      { imagePullPolicy: "IfNotPresent" },
    ],
    ["has the pull policy IfNotPresent without an image", {}, { imagePullPolicy: "IfNotPresent" }],
    ["keeps its pull policy", { image: "x", imagePullPolicy: "Never" }, { imagePullPolicy: "Never" }],
    [
      "has TCP ports",
      { ports: [{ containerPort: 1 }, { containerPort: 1, protocol: "UDP" }] },
      { ports: [{ protocol: "TCP" }, { protocol: "UDP" }] },
    ],
    [
      "has requests that default to its limits",
      { resources: { limits: { cpu: "1", memory: "1Gi" }, requests: { cpu: "500m" } } },
      { resources: { requests: { cpu: "500m", memory: "1Gi" } } },
    ],
    [
      "has requests that default to its rounded limits",
      { resources: { limits: { cpu: "1u" } } },
      { resources: { limits: { cpu: "1m" }, requests: { cpu: "1m" } } },
    ],
    [
      "refers to fields of v1",
      { env: [{ name: "a", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }] },
      { env: [{ valueFrom: { fieldRef: { apiVersion: "v1" } } }] },
    ],
    [
      "has the default probe timing",
      { livenessProbe: { httpGet: { port: 80 } } },
      {
        livenessProbe: {
          httpGet: { path: "/", scheme: "HTTP" },
          timeoutSeconds: 1,
          periodSeconds: 10,
          successThreshold: 1,
          failureThreshold: 3,
        },
      },
    ],
    [
      "keeps its probe timing",
      { readinessProbe: { exec: {}, periodSeconds: 5 } },
      { readinessProbe: { periodSeconds: 5, failureThreshold: 3 } },
    ],
    [
      "has gRPC probes with an empty service",
      { startupProbe: { grpc: { port: 1 } } },
      { startupProbe: { grpc: { service: "" } } },
    ],
    [
      "has hooks with the scheme HTTP",
      {
        lifecycle: {
          postStart: { httpGet: { port: 1 } },
          preStop: { httpGet: { port: 1, path: "/x", scheme: "HTTPS" } },
        },
      },
      {
        lifecycle: {
          postStart: { httpGet: { path: "/", scheme: "HTTP" } },
          preStop: { httpGet: { path: "/x", scheme: "HTTPS" } },
        },
      },
    ],
  ])("%s", (_, sent, expected) => {
    expect(container({ name: "c", ...sent })).toMatchObject({ containers: [expected] });
  });

  test("has no default requests if it is ephemeral", () => {
    const resources = { limits: { cpu: "1" } };
    const spec = podSpec({ ephemeralContainers: [{ name: "e", image: "x", resources }] });
    expect(spec).toMatchObject({ ephemeralContainers: [{ imagePullPolicy: "Always", resources }] });
    expect(spec).not.toHaveProperty("ephemeralContainers[0].resources.requests");
  });
});

describe("the resize policies of a container in 1.32", () => {
  const gate = "InPlacePodVerticalScaling";
  const limits = { cpu: "1", memory: "1Gi", "example.com/gpu": "1" };
  const policies = ["cpu", "memory"].map((resourceName) => ({ resourceName, restartPolicy: "NotRequired" }));
  const [ofCpu = {}] = policies;
  const restarts = { resourceName: "memory", restartPolicy: "RestartContainer" };

  test.each<[title: string, container: JsonObject, policies: JsonValue | undefined]>([
    ["default to NotRequired", { resources: { limits } }, policies],
    ["keep RestartContainer", { resources: { limits }, resizePolicy: [restarts] }, [restarts, ofCpu]],
    ["exclude resources without requests or limits", { resources: { requests: { cpu: "1" } } }, [ofCpu]],
    ["are not set without resources", {}, undefined],
  ])("%s", (_, sent, expected) => {
    const container = { name: "c", image: "x", ...sent };
    const spec = { containers: [container], initContainers: [{ ...container, name: "i" }] };
    const of132 = defaulted("v1/Pod", { spec }, "1.32", [gate]);
    expect(resizePolicies(of132)).toEqual([expected, sent["resizePolicy"]]);
    for (const release of ["1.32", "1.33"]) {
      const sentOnly = [sent["resizePolicy"], sent["resizePolicy"]];
      expect(resizePolicies(defaulted("v1/Pod", { spec }, release))).toEqual(sentOnly);
    }
  });

  function resizePolicies(pod: JsonObject): readonly unknown[] {
    const lists = ["containers", "initContainers"];
    return lists.map((list) => listAt(pod, "spec", list)[0]?.["resizePolicy"]);
  }
});
