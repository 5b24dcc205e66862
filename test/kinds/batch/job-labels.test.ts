import { expect, test } from "vitest";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const path = "/apis/batch/v1/namespaces/default/jobs";

const generated = [
  "batch.kubernetes.io/controller-uid",
  "batch.kubernetes.io/job-name",
  "controller-uid",
  "job-name",
];

/**
 * Labels that a Job has by default are those of its template, to which the strategy adds (pkg/apis/batch/v1/defaults.go,
 * pkg/registry/batch/job/strategy.go).
 */
test.each<[string, object | undefined, object | undefined, readonly string[], readonly string[]]>([
  ["no labels", undefined, undefined, generated, generated],
  ["labels on the template", undefined, { a: "b" }, ["a", ...generated], ["a", ...generated]],
  ["empty labels and labels on the template", {}, { a: "b" }, ["a", ...generated], ["a", ...generated]],
  ["empty labels on the template", undefined, {}, generated, generated],
  ["labels of its own", { c: "d" }, undefined, ["c"], generated],
  ["labels on both", { c: "d" }, { a: "b" }, ["c"], ["a", ...generated]],
  ["the same labels on both", { a: "b" }, { a: "b" }, ["a"], ["a", ...generated]],
])("a Job with %s", async (_title, labels, templateLabels, ofJob, ofTemplate) => {
  const send = testClient(quietCluster());
  const template = {
    metadata: { labels: templateLabels },
    spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] },
  };
  const sent = await send("POST", path, { metadata: { name: "j", labels }, spec: { template } });
  const read = await send("GET", `${path}/j`);
  for (const { object } of [sent, read]) {
    const sorted = (names: object) => Object.keys(names).sort();
    expect(sorted(object.metadata.labels)).toEqual([...ofJob].sort());
    expect(sorted(object.spec.template.metadata.labels)).toEqual([...ofTemplate].sort());
  }
});
