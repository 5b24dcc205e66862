import { describe, expect, test } from "vitest";
import { defaulted } from "../../../test/registry/defaulted.ts";
import type { JsonObject } from "../../apimachinery/json.ts";

const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "x" }] } };
const filledTemplate = { spec: { restartPolicy: "Always", containers: [{ imagePullPolicy: "Always" }] } };
const unlimited = 2147483647;
const templateSelector = { matchLabels: { a: "b" } };

function workload(kind: string, spec: JsonObject): JsonObject {
  return defaulted(kind, { spec: { ...spec, template } });
}

describe.each(["apps/v1", "apps/v1beta2"])("a workload of %s", (version) => {
  test.each<[title: string, kind: string, sent: JsonObject, expected: JsonObject]>([
    [
      "a Deployment rolls a quarter of its pods at a time",
      "Deployment",
      {},
      {
        replicas: 1,
        revisionHistoryLimit: 10,
        progressDeadlineSeconds: 600,
        strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "25%", maxSurge: "25%" } },
      },
    ],
    [
      "a Deployment keeps zeros",
      "Deployment",
      { replicas: 0, revisionHistoryLimit: 0, strategy: { rollingUpdate: { maxSurge: 0 } } },
      {
        replicas: 0,
        revisionHistoryLimit: 0,
        strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "25%", maxSurge: 0 } },
      },
    ],
    ["a ReplicaSet has one replica", "ReplicaSet", {}, { replicas: 1 }],
    [
      "a DaemonSet replaces one pod at a time",
      "DaemonSet",
      {},
      {
        revisionHistoryLimit: 10,
        updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
      },
    ],
    [
      "a StatefulSet is ordered and retains its claims",
      "StatefulSet",
      {},
      {
        replicas: 1,
        revisionHistoryLimit: 10,
        podManagementPolicy: "OrderedReady",
        updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 0 } },
        persistentVolumeClaimRetentionPolicy: { whenDeleted: "Retain", whenScaled: "Retain" },
      },
    ],
    [
      "a StatefulSet completes a partial retention policy",
      "StatefulSet",
      { persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete" } },
      { persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete", whenScaled: "Retain" } },
    ],
    [
      "a StatefulSet completes a rollingUpdate that was sent",
      "StatefulSet",
      { updateStrategy: { type: "RollingUpdate", rollingUpdate: {} } },
      { updateStrategy: { rollingUpdate: { partition: 0 } } },
    ],
    [
      "the volumeClaimTemplates of a StatefulSet get the defaults of a claim",
      "StatefulSet",
      { volumeClaimTemplates: [{ metadata: { name: "v" } }] },
      {
        volumeClaimTemplates: [
          {
            kind: "PersistentVolumeClaim",
            apiVersion: "v1",
            spec: { volumeMode: "Filesystem" },
            status: { phase: "Pending" },
          },
        ],
      },
    ],
  ])("%s", (_, kind, sent, expected) => {
    const spec = { ...expected, template: filledTemplate };
    expect(workload(`${version}/${kind}`, sent)).toMatchObject({ spec });
  });

  test.each([
    ["Deployment", "strategy", "Recreate"],
    ["DaemonSet", "updateStrategy", "OnDelete"],
    ["StatefulSet", "updateStrategy", "OnDelete"],
    // Only the default type adds them.
    ["StatefulSet", "updateStrategy", "RollingUpdate"],
  ])("a %s with %s %s has no rollingUpdate", (kind, field, type) => {
    const { spec } = workload(`${version}/${kind}`, { [field]: { type } });
    expect(spec).toMatchObject({ [field]: { type } });
    expect(spec).not.toHaveProperty(`${field}.rollingUpdate`);
  });

  test.each(["Deployment", "ReplicaSet", "DaemonSet", "StatefulSet"])(
    "a %s has no default selector",
    (kind) => {
      const object = workload(`${version}/${kind}`, {});
      expect(object).toMatchObject({ spec: { selector: null } });
      expect(object).not.toHaveProperty("metadata.labels");
    },
  );
});

describe("a workload of an early version", () => {
  test.each<[title: string, kind: string, sent: JsonObject, expected: JsonObject]>([
    [
      "a Deployment of apps/v1beta1",
      "apps/v1beta1/Deployment",
      {},
      {
        replicas: 1,
        revisionHistoryLimit: 2,
        progressDeadlineSeconds: 600,
        strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "25%", maxSurge: "25%" } },
      },
    ],
    [
      "a StatefulSet of apps/v1beta1",
      "apps/v1beta1/StatefulSet",
      {},
      { replicas: 1, podManagementPolicy: "OrderedReady", updateStrategy: { type: "OnDelete" } },
    ],
    [
      "a Deployment of extensions/v1beta1",
      "extensions/v1beta1/Deployment",
      {},
      {
        replicas: 1,
        revisionHistoryLimit: unlimited,
        progressDeadlineSeconds: unlimited,
        strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } },
      },
    ],
    [
      "a Deployment of extensions/v1beta1 of type Recreate with a rollingUpdate",
      "extensions/v1beta1/Deployment",
      { strategy: { type: "Recreate", rollingUpdate: {} } },
      { strategy: { type: "Recreate", rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } } },
    ],
    ["a ReplicaSet of extensions/v1beta1", "extensions/v1beta1/ReplicaSet", {}, { replicas: 1 }],
    [
      "a DaemonSet of extensions/v1beta1",
      "extensions/v1beta1/DaemonSet",
      {},
      { revisionHistoryLimit: 10, updateStrategy: { type: "OnDelete" } },
    ],
    [
      "a DaemonSet of extensions/v1beta1 of type RollingUpdate",
      "extensions/v1beta1/DaemonSet",
      { updateStrategy: { type: "RollingUpdate" } },
      { updateStrategy: { rollingUpdate: { maxUnavailable: 1 } } },
    ],
  ])("%s gets its selector and labels from its pod template", (_, kind, sent, expected) => {
    const spec = { ...expected, selector: templateSelector, template: filledTemplate };
    expect(workload(kind, sent)).toMatchObject({ metadata: { labels: { a: "b" } }, spec });
  });

  test("keeps the selector and the labels that it sets", () => {
    const selector = { matchLabels: { c: "d" } };
    const sent = { metadata: { labels: { e: "f" } }, spec: { selector, template } };
    expect(defaulted("extensions/v1beta1/Deployment", sent)).toMatchObject({
      metadata: { labels: { e: "f" } },
      spec: { selector },
    });
  });
});
