import { expect, test } from "vitest";
import { quietCluster, testClient } from "../registry/test-client.ts";

const leasesPath = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
const lease = { metadata: { name: "new" } };

/** What a user gets who may update leases, and whose permission to create them a webhook decides. */
async function refusal(release: "1.31" | "1.32", status: object | Error): Promise<readonly unknown[]> {
  await using cluster = quietCluster({
    release,
    authorizationMode: "Webhook",
    authorizationWebhookConfig: (review) => {
      const { resourceAttributes } = review["spec"] as { readonly resourceAttributes?: { verb: string } };
      if (resourceAttributes?.verb !== "create") return { ...review, status: { allowed: true } };
      if (status instanceof Error) throw status;
      return { ...review, status: { allowed: false, ...status } };
    },
  });
  const alice = testClient(cluster, "alice", []);
  const { code, object } = await alice("PUT", `${leasesPath}/new`, lease);
  expect((await alice("GET", `${leasesPath}/new`)).code).toBe(404);
  return [code, object.message];
}

const leases = 'leases.coordination.k8s.io "new" is forbidden: ';
const denied =
  'User "alice" cannot create resource "leases" in API group "coordination.k8s.io" in the namespace "default"';

test.each([
  ["1.32", {}, 403, `${leases}${denied}`],
  ["1.32", { denied: true, reason: "why" }, 403, `${leases}${denied}: why`],
  ["1.31", {}, 403, leases],
  ["1.31", { reason: "why" }, 403, `${leases}why`],
  ["1.32", new Error("broken"), 500, "Internal error occurred: broken"],
  [
    "1.32",
    { allowed: true, denied: true },
    500,
    "Internal error occurred: webhook subject access review returned both allow and deny response",
  ],
] as const)(
  "in %s, an update that would create is refused for a webhook that says %j",
  async (release, status, ...expected) => {
    expect(await refusal(release, status)).toEqual(expected);
  },
);
