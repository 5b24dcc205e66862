import { expect, test } from "vitest";
import { listAt, structAt, textAt } from "../../../src/apimachinery/fields.ts";
import type { JsonObject } from "../../../src/apimachinery/json.ts";
import { type Cluster, createCluster } from "../../../src/index.ts";
import { gadget, gadgetDefinition, gadgetsName, gadgetsPath, gadgetVersion, root, send } from "./gadgets.ts";

const service = { namespace: "hooks", name: "converter" };
const versions = ["v1", "v2"].map((name) => gadgetVersion(name, { type: "object" }));
const webhook = { conversionReviewVersions: ["v1"], clientConfig: { service } };

/** An answer that has the objects in the version that the review wants, changed. */
function answerOf(
  review: JsonObject,
  change: (objects: readonly JsonObject[]) => readonly JsonObject[],
): JsonObject {
  const request = structAt(review, "request");
  const apiVersion = textAt(request, "desiredAPIVersion");
  const convertedObjects = change(listAt(request, "objects").map((one) => ({ ...one, apiVersion })));
  return {
    ...review,
    response: { uid: request["uid"] ?? "", result: { status: "Success" }, convertedObjects },
  };
}

async function metricsOf(cluster: Cluster): Promise<readonly string[]> {
  const response = await cluster.fetch(`${root}/metrics`);
  const lines = (await response.text()).split("\n");
  return lines.filter((line) =>
    /^apiserver_(?:crd_)?(?:conversion_webhook|webhook_conversion)_.*(?:count|total)\{/.test(line),
  );
}

/** The metrics of a cluster in which a gadget was read with every kind of answer. */
async function metricsIn(release: "1.27" | "1.32"): Promise<readonly string[]> {
  await using cluster = createCluster({ release });
  let answer: (review: JsonObject) => JsonObject = (review) => answerOf(review, (objects) => objects);
  cluster.webhook(gadgetsName, (review) => answer(review));
  await cluster.create(gadgetDefinition(versions, { conversion: { strategy: "Webhook", webhook } }));
  await cluster.settle();
  await cluster.create(gadget("a", {}));
  const read = () => send(cluster, "GET", gadgetsPath("v2", "a"));
  await read();
  const broken: readonly ((review: JsonObject) => JsonObject)[] = [
    () => {
      throw new Error("broken");
    },
    (review) => ({ ...review, response: {} }),
    (review) => answerOf(review, () => []),
    (review) => answerOf(review, ([one = {}]) => [{ ...one, kind: "Other" }]),
  ];
  for (const one of broken) {
    answer = one;
    expect((await read()).code).toBe(500);
  }
  return metricsOf(cluster);
}

const durations = (name: string) => [
  `${name}_count{crd_name="gadgets.example.com",from_version="v1",succeeded="false",to_version="v2"} 4`,
  `${name}_count{crd_name="gadgets.example.com",from_version="v1",succeeded="true",to_version="v2"} 1`,
];

test("conversions are counted by definition, versions and success", async () => {
  expect(await metricsIn("1.27")).toEqual(durations("apiserver_crd_webhook_conversion_duration_seconds"));
});

test("reviews are counted by what was wrong with the answer, since 1.28", async () => {
  const counts = [
    'failure_type="",result="success"',
    'failure_type="conversion_webhook_call_failure",result="failure"',
    'failure_type="conversion_webhook_invalid_converted_object_failure",result="failure"',
    'failure_type="conversion_webhook_malformed_response_failure",result="failure"',
    'failure_type="conversion_webhook_partial_response_failure",result="failure"',
  ];
  expect(await metricsIn("1.32")).toEqual([
    ...counts.map((labels) => `apiserver_conversion_webhook_duration_seconds_count{${labels}} 1`),
    ...counts.map((labels) => `apiserver_conversion_webhook_request_total{${labels}} 1`),
    ...durations("apiserver_crd_conversion_webhook_duration_seconds"),
  ]);
});

test("a reset forgets them", async () => {
  await using cluster = createCluster();
  cluster.webhook(gadgetsName, (review) => answerOf(review, (objects) => objects));
  await cluster.create(gadgetDefinition(versions, { conversion: { strategy: "Webhook", webhook } }));
  await cluster.settle();
  await cluster.create(gadget("a", {}, "v2"));
  expect(await metricsOf(cluster)).not.toEqual([]);
  await cluster.fetch(`${root}/metrics`, { method: "DELETE" });
  expect(await metricsOf(cluster)).toEqual([]);
});
