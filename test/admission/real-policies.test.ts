import { expect, test } from "vitest";
import { createCluster, type JsonObject, type KubeObject } from "../../src/index.ts";
import { binding, policy, ruleFor } from "./policy-objects.ts";
import { realPolicies } from "./real-policies.ts";

const containers = [{ name: "c", image: "registry.example.com/app:1.2" }];

function pod(name: string, more: JsonObject): KubeObject {
  const metadata = { name, namespace: "default" };
  return { apiVersion: "v1", kind: "Pod", metadata, spec: { containers, ...more } };
}

test("there are twenty policies", () => expect(realPolicies).toHaveLength(20));

test.each(realPolicies)("a policy about $title", async ({ spec, allowed, denied, message }) => {
  const matchConstraints = { resourceRules: [ruleFor("pods")] };
  const cluster = createCluster({
    controllers: [],
    objects: [
      { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default", namespace: "default" } },
      policy("Validating", { matchConstraints, ...spec }),
      binding("Validating"),
    ],
  });
  await cluster.create(pod("allowed", allowed));
  await expect(cluster.create(pod("denied", denied))).rejects.toThrow(
    `ValidatingAdmissionPolicy 'p' with binding 'b' denied request: ${message}`,
  );
});
