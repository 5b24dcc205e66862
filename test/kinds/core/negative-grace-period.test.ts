import { describe, expect, test } from "vitest";
import type { Release } from "../../../src/apimachinery/release.ts";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const warning = "must be >= 0; negative values are invalid and will be treated as 1";
const spec = { terminationGracePeriodSeconds: -5, containers: [{ name: "c", image: "i" }] };

function clusterOf(release: Release) {
  return testClient(
    quietCluster({ release, controllers: ["serviceaccount-controller", "serviceaccount-token-controller"] }),
  );
}

/** Upstream: pkg/apis/core/v1/conversion.go, Convert_v1_Pod_To_core_Pod. */
describe("a negative grace period", () => {
  test.each<[Release, number]>([
    ["1.26", -5],
    ["1.27", 1],
    ["1.32", 1],
  ])("of a Pod in %s is %i", async (release, seconds) => {
    const send = clusterOf(release);
    const { object, warnings } = await send("POST", "/api/v1/namespaces/default/pods", {
      metadata: { name: "p" },
      spec,
    });
    expect(object.spec.terminationGracePeriodSeconds).toBe(seconds);
    expect(warnings).toEqual([]);
  });

  test("of a template stays, with a warning", async () => {
    const send = clusterOf("1.32");
    const { object, warnings } = await send("POST", "/apis/apps/v1/namespaces/default/replicasets", {
      metadata: { name: "r" },
      spec: {
        selector: { matchLabels: { a: "b" } },
        template: { metadata: { labels: { a: "b" } }, spec },
      },
    });
    expect(object.spec.template.spec.terminationGracePeriodSeconds).toBe(-5);
    expect(warnings).toEqual([`spec.template.spec.terminationGracePeriodSeconds: ${warning}`]);
  });
});
