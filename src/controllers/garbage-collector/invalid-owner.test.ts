import { expect, test } from "vitest";
import { invalidOwnerEvent } from "./invalid-owner.ts";

const owner = { apiVersion: "apps/v1", kind: "Deployment", name: "d", uid: "1-2" };
const now = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

test("the Event says which owner is not in the namespace", () => {
  const metadata = { name: "p", namespace: "two", uid: "3-4", resourceVersion: "17" };
  expect(invalidOwnerEvent({ apiVersion: "v1", kind: "Pod", metadata }, owner, now)).toEqual({
    kind: "Event",
    apiVersion: "v1",
    metadata: { name: `p.${(BigInt(now) * 1_000_000n).toString(16)}`, namespace: "two" },
    involvedObject: {
      kind: "Pod",
      namespace: "two",
      name: "p",
      uid: "3-4",
      apiVersion: "v1",
      resourceVersion: "17",
    },
    reason: "OwnerRefInvalidNamespace",
    message:
      'ownerRef [apps/v1/Deployment, namespace: two, name: d, uid: 1-2] does not exist in namespace "two"',
    source: { component: "garbage-collector-controller" },
    firstTimestamp: "2026-01-02T03:04:05Z",
    lastTimestamp: "2026-01-02T03:04:05Z",
    count: 1,
    type: "Warning",
    reportingComponent: "garbage-collector-controller",
    reportingInstance: "",
  });
});

test("the Event about a cluster-scoped object is in the namespace default", () => {
  const event = invalidOwnerEvent({ apiVersion: "v1", kind: "Node", metadata: {} }, owner, now + 0.5);
  expect(event["metadata"]).toEqual({
    name: `.${(BigInt(now) * 1_000_000n).toString(16)}`,
    namespace: "default",
  });
  expect(event["involvedObject"]).toEqual({ kind: "Node", name: "", uid: "", apiVersion: "v1" });
  expect(event["message"]).toBe(
    'ownerRef [apps/v1/Deployment, namespace: , name: d, uid: 1-2] does not exist in namespace ""',
  );
});
