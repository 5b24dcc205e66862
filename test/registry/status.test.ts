import { expect, test } from "vitest";
import { quietCluster, testClient } from "./test-client.ts";
import { podTemplate } from "./workloads.ts";

const metadata = { name: "a" };
const rule = { verbs: ["*"], apiGroups: ["*"], resources: ["*"] };
const subjects = [{ kind: "Group", group: { name: "g" } }];
const conditions = [
  {
    type: "Dangling",
    status: "True",
    reason: "Sent",
    message: "sent",
    lastTransitionTime: "2024-01-01T00:00:00Z",
  },
];

/** Upstream: the strategies of these kinds, PrepareForCreate and PrepareForUpdate. */
test.each([
  [
    "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas",
    {
      spec: {
        priorityLevelConfiguration: { name: "exempt" },
        rules: [{ subjects, resourceRules: [{ ...rule, clusterScope: true, namespaces: ["*"] }] }],
      },
    },
    { conditions },
  ],
  [
    "/apis/policy/v1/namespaces/default/poddisruptionbudgets",
    { spec: { minAvailable: 1, selector: {} } },
    { currentHealthy: 3, desiredHealthy: 3, disruptionsAllowed: 3, expectedPods: 3 },
  ],
  [
    "/apis/networking.k8s.io/v1/namespaces/default/ingresses",
    { spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } } } },
    { loadBalancer: { ingress: [{ ip: "10.0.0.1" }] } },
  ],
  [
    "/api/v1/namespaces/default/resourcequotas",
    { spec: { hard: { pods: "1" } } },
    { hard: { pods: "7" }, used: { pods: "7" } },
  ],
  [
    "/apis/batch/v1/namespaces/default/cronjobs",
    {
      spec: {
        schedule: "@daily",
        jobTemplate: { spec: { template: podTemplate({ restartPolicy: "Never" }) } },
      },
    },
    { lastScheduleTime: "2024-01-01T00:00:00Z" },
  ],
])("a client sets the status of %s only at its own path", async (path, body, status) => {
  const send = testClient(quietCluster());
  const { code, object } = await send("POST", path, { metadata, ...body, status });
  expect(code).toBe(201);
  expect(object.status).not.toMatchObject(status);
  const updated = await send("PUT", `${path}/a`, { ...object, status });
  expect([updated.code, updated.object.status]).toEqual([200, object.status]);
  const patched = await send("PATCH", `${path}/a/status`, { status });
  expect(patched.object.status).toMatchObject(status);
});
