import { expect, test } from "vitest";
import { type Cluster, createCluster } from "../../src/index.ts";

const simulated = () => createCluster({ seed: 1, release: "1.33", simulate: ["scheduler", "kubelets"] });

async function run(cluster: Cluster, spec: object) {
  const metadata = { name: "web", namespace: "default" };
  await cluster.create({ apiVersion: "v1", kind: "Pod", metadata, spec });
  await cluster.settle();
  return cluster.get("v1", "Pod", "web");
}

test.each([
  ["the container's", { securityContext: { runAsNonRoot: true } }, { runAsUser: 0 }],
  ["the pod's", { securityContext: { runAsUser: 0 } }, { runAsNonRoot: true }],
])("%s user must not be root where another one is required", async (_title, spec, securityContext) => {
  await using cluster = simulated();
  const containers = [{ name: "web", image: "nginx:1", securityContext }];
  const { metadata, status } = await run(cluster, { ...spec, containers });
  const at = `pod: "web_default(${metadata?.uid})", container: web`;
  const message = `container's runAsUser breaks non-root policy (${at})`;
  expect(status?.phase).toBe("Pending");
  expect(status?.containerStatuses?.[0]?.state).toEqual({
    waiting: { reason: "CreateContainerConfigError", message },
  });
  const { items } = await cluster.list("v1", "Event", { namespace: "default" });
  const failed = items.filter(({ reason }) => reason === "Failed");
  expect(failed.map(({ type, message }) => [type, message])).toEqual([["Warning", `Error: ${message}`]]);
});

test("a container reports its own user, that of the pod, or that of its image", async () => {
  await using cluster = simulated();
  const securityContext = { runAsNonRoot: true, fsGroup: 9 };
  const containers = [
    { name: "a", image: "nginx:1" },
    { name: "b", image: "nginx:1", securityContext: { runAsUser: 7, runAsGroup: 8 } },
    { name: "c", image: "nginx:1", securityContext: { runAsNonRoot: false } },
  ];
  const { status } = await run(cluster, { containers, securityContext });
  expect(status?.containerStatuses?.map(({ user }) => user)).toEqual([
    { linux: { uid: 65532, gid: 65532, supplementalGroups: [65532, 9] } },
    { linux: { uid: 7, gid: 8, supplementalGroups: [8, 9] } },
    { linux: { uid: 0, gid: 0, supplementalGroups: [0, 9] } },
  ]);
});
