import { expect, test } from "vitest";
import { type Cluster, createCluster, VirtualClock } from "../../src/index.ts";
import { configMap } from "./policy-objects.ts";

/** The lines of a metric of admission, without its prefix. */
async function lines(cluster: Cluster, pattern: RegExp): Promise<readonly string[]> {
  const headers = { authorization: `Bearer ${cluster.adminToken()}` };
  const text = await (await cluster.fetch("https://cluster.test/metrics", { headers })).text();
  const prefix = "apiserver_admission_";
  return text
    .split("\n")
    .filter((line) => line.startsWith(prefix) && pattern.test(line))
    .map((line) => line.slice(prefix.length));
}

test("plugins and steps are measured by the clock of the cluster", async () => {
  const clock = new VirtualClock("2026-01-01T00:00:00Z");
  const cluster = createCluster({
    clock,
    controllers: [],
    objects: {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: { name: "slow" },
      webhooks: [
        {
          name: "slow.x.io",
          clientConfig: { url: "https://127.0.0.1:1/x" },
          rules: [
            { apiGroups: [""], apiVersions: ["v1"], operations: ["DELETE"], resources: ["configmaps"] },
          ],
          sideEffects: "None",
          admissionReviewVersions: ["v1"],
        },
      ],
    },
  });
  cluster.webhook("slow.x.io", async () => {
    await clock.advance("2s");
    return { allowed: true };
  });
  const user = cluster.as("alice");
  await user.create(configMap("a"));
  await user.delete("v1", "ConfigMap", "a");
  await user.create({ ...configMap("b"), metadata: { name: "b", namespace: "gone" } }).catch(() => {});
  const labels = 'operation="CREATE",rejected="true",type="admit"';
  expect(await lines(cluster, /^apiserver_admission_(controller|step).*_count.*rejected="true"/)).toEqual([
    `controller_admission_duration_seconds_count{name="NamespaceLifecycle",${labels}} 1`,
    `step_admission_duration_seconds_count{${labels}} 1`,
    `step_admission_duration_seconds_summary_count{${labels}} 1`,
  ]);
  expect(await lines(cluster, /controller.*_sum.*AdmissionWebhook.*DELETE.*type="validate"/)).toEqual([
    'controller_admission_duration_seconds_sum{name="ValidatingAdmissionWebhook",operation="DELETE",rejected="false",type="validate"} 2',
  ]);
  const validated = 'operation="DELETE",rejected="false",type="validate"';
  expect(await lines(cluster, /step.*"DELETE".*type="validate"/)).toEqual([
    ...["0.005", "0.025", "0.1", "0.5", "1"].map(
      (bound) => `step_admission_duration_seconds_bucket{${validated},le="${bound}"} 0`,
    ),
    `step_admission_duration_seconds_bucket{${validated},le="2.5"} 1`,
    `step_admission_duration_seconds_bucket{${validated},le="+Inf"} 1`,
    `step_admission_duration_seconds_sum{${validated}} 2`,
    `step_admission_duration_seconds_count{${validated}} 1`,
    ...["0.5", "0.9", "0.99"].map(
      (quantile) => `step_admission_duration_seconds_summary{${validated},quantile="${quantile}"} 2`,
    ),
    `step_admission_duration_seconds_summary_sum{${validated}} 2`,
    `step_admission_duration_seconds_summary_count{${validated}} 1`,
  ]);
  // Reading them twice counts nothing twice.
  expect(await lines(cluster, /step.*_count.*"DELETE".*"validate"/)).toEqual(
    await lines(cluster, /step.*_count.*"DELETE".*"validate"/),
  );
});
