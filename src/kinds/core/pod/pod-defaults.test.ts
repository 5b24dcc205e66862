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
  test("that says nothing gets what every pod has", () => {
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
    ["an empty policy is no policy", { restartPolicy: "" }, { restartPolicy: "Always" }],
    [
      "zero seconds of grace are meant",
      { terminationGracePeriodSeconds: 0 },
      { terminationGracePeriodSeconds: 0 },
    ],
    ["service links can be refused", { enableServiceLinks: false }, { enableServiceLinks: false }],
    [
      "the newer name of the service account counts",
      { serviceAccountName: "a", serviceAccount: "b" },
      { serviceAccountName: "a", serviceAccount: "a" },
    ],
    [
      "the older name of the service account is still understood",
      { serviceAccount: "b" },
      { serviceAccountName: "b", serviceAccount: "b" },
    ],
    ["overhead is rounded up", { overhead: { cpu: "1u" } }, { overhead: { cpu: "1m" } }],
  ])("%s", (_, sent, expected) => expect(podSpec(sent)).toMatchObject(expected));

  test("has in templates only what it always had there", () => {
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

  test("rounds the amounts in its status", () => {
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
    ["is pulled each time without a tag", { image: "x" }, { imagePullPolicy: "Always" }],
    ["is pulled once with a tag", { image: "x:1" }, { imagePullPolicy: "IfNotPresent" }],
    ["is pulled once when its image is no name", { image: "UPPER" }, { imagePullPolicy: "IfNotPresent" }],
    ["is pulled once without an image", {}, { imagePullPolicy: "IfNotPresent" }],
    ["is pulled as it says", { image: "x", imagePullPolicy: "Never" }, { imagePullPolicy: "Never" }],
    [
      "has TCP ports",
      { ports: [{ containerPort: 1 }, { containerPort: 1, protocol: "UDP" }] },
      { ports: [{ protocol: "TCP" }, { protocol: "UDP" }] },
    ],
    [
      "requests what it is limited to",
      { resources: { limits: { cpu: "1", memory: "1Gi" }, requests: { cpu: "500m" } } },
      { resources: { requests: { cpu: "500m", memory: "1Gi" } } },
    ],
    [
      "requests limits that are rounded up",
      { resources: { limits: { cpu: "1u" } } },
      { resources: { limits: { cpu: "1m" }, requests: { cpu: "1m" } } },
    ],
    [
      "refers to fields of v1",
      { env: [{ name: "a", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }] },
      { env: [{ valueFrom: { fieldRef: { apiVersion: "v1" } } }] },
    ],
    [
      "is probed every ten seconds",
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
      "is probed as it says",
      { readinessProbe: { exec: {}, periodSeconds: 5 } },
      { readinessProbe: { periodSeconds: 5, failureThreshold: 3 } },
    ],
    [
      "is probed by gRPC without a service",
      { startupProbe: { grpc: { port: 1 } } },
      { startupProbe: { grpc: { service: "" } } },
    ],
    [
      "has hooks that speak HTTP",
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

  test("requests nothing for limits when it is ephemeral", () => {
    const resources = { limits: { cpu: "1" } };
    const spec = podSpec({ ephemeralContainers: [{ name: "e", image: "x", resources }] });
    expect(spec).toMatchObject({ ephemeralContainers: [{ imagePullPolicy: "Always", resources }] });
    expect(spec).not.toHaveProperty("ephemeralContainers[0].resources.requests");
  });
});

describe("a container of 1.32 whose resources can be changed in place", () => {
  const gate = "InPlacePodVerticalScaling";
  const limits = { cpu: "1", memory: "1Gi", "example.com/gpu": "1" };
  const policies = ["cpu", "memory"].map((resourceName) => ({ resourceName, restartPolicy: "NotRequired" }));
  const [ofCpu = {}] = policies;
  const restarts = { resourceName: "memory", restartPolicy: "RestartContainer" };

  test.each<[title: string, container: JsonObject, policies: JsonValue | undefined]>([
    ["needs no restart for it", { resources: { limits } }, policies],
    ["may need one", { resources: { limits }, resizePolicy: [restarts] }, [restarts, ofCpu]],
    ["says nothing of what it does not ask for", { resources: { requests: { cpu: "1" } } }, [ofCpu]],
    ["says nothing if it asks for nothing", {}, undefined],
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
