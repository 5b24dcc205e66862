import { expect, test } from "vitest";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const groups = "/apis/scheduling.k8s.io/v1alpha2/namespaces/default/podgroups";
const workloads = "/apis/scheduling.k8s.io/v1alpha2/namespaces/default/workloads";

const gates = {
  TopologyAwareWorkloadScheduling: true,
  DRAWorkloadResourceClaims: true,
  WorkloadAwarePreemption: true,
};

const send = (featureGates = {}) =>
  testClient(
    quietCluster({
      release: "1.36",
      runtimeConfig: { "scheduling.k8s.io/v1alpha2": true },
      featureGates: { GenericWorkload: true, ...featureGates },
    }),
  );

const policy = { schedulingPolicy: { basic: {} } };
const fields = {
  schedulingConstraints: { topology: [{ key: "zone" }] },
  resourceClaims: [{ name: "c", resourceClaimName: "x" }],
  disruptionMode: "PodGroup",
  priorityClassName: "high",
  priority: 7,
};
const podGroup = { metadata: { name: "g" }, spec: { ...policy, ...fields } };
const workload = {
  metadata: { name: "w" },
  spec: { podGroupTemplates: [{ name: "t", ...policy, ...fields }] },
};
const status = { resourceClaimStatuses: [{ name: "c", resourceClaimName: "x" }] };

test("a PodGroup keeps the fields of its gates", async () => {
  const client = send(gates);
  expect((await client("POST", groups, podGroup)).object.spec).toEqual({
    podGroupTemplateRef: null,
    ...podGroup.spec,
  });
  expect((await client("PATCH", `${groups}/g/status`, { status })).object.status).toEqual(status);
});

test("a PodGroup loses the fields whose gates are off, and has the default of those that have one", async () => {
  const client = send();
  const { object } = await client("POST", groups, podGroup);
  expect(object.spec).toEqual({ podGroupTemplateRef: null, ...policy, disruptionMode: "Pod" });
  expect((await client("PATCH", `${groups}/g/status`, { status })).object.status).toEqual({});
  // The default counts as used, so a change is not dropped.
  const change = { spec: { disruptionMode: "PodGroup", priority: 3 } };
  expect((await client("PATCH", `${groups}/g`, change)).findings).toEqual(["spec.disruptionMode: Forbidden"]);
});

test("templates of a Workload lose the fields whose gates are off", async () => {
  const { object } = await send()("POST", workloads, workload);
  // The field of constraints has no omitempty.
  expect(object.spec.podGroupTemplates).toEqual([{ name: "t", ...policy, schedulingConstraints: null }]);
  const kept = await send(gates)("POST", workloads, workload);
  expect(kept.object.spec).toEqual(workload.spec);
});
