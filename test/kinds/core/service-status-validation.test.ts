import { describe, expect, test } from "vitest";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const path = "/api/v1/namespaces/default/services";
const nonStandardIp = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";

describe("the status of a service", () => {
  test.each(["merge", "json"] as const)("gets the mode of its addresses in a %s patch", async (type) => {
    await using cluster = quietCluster();
    await cluster.create({
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "s" },
      spec: { type: "LoadBalancer", ports: [{ port: 80 }] },
    });
    const ingress = [{ ip: "1.2.3.4" }];
    const patch =
      type === "merge"
        ? { status: { loadBalancer: { ingress } } }
        : [{ op: "add", path: "/status/loadBalancer/ingress", value: ingress }];
    const options = { subresource: "status", type } as const;
    expect(await cluster.patch("v1", "Service", "s", patch, options)).toMatchObject({
      status: { loadBalancer: { ingress: [{ ip: "1.2.3.4", ipMode: "VIP" }] } },
    });
  });

  test.each<[string, string, object, readonly string[]]>([
    [
      "of another type has no load balancer",
      "ClusterIP",
      { ip: "1.2.3.4" },
      ["status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is 'LoadBalancer'"],
    ],
    [
      "has addresses that are some",
      "LoadBalancer",
      { ip: "zz" },
      [`status.loadBalancer.ingress[0].ip: Invalid value: "zz": ${nonStandardIp}`],
    ],
    [
      "has a mode only with an address",
      "LoadBalancer",
      { ipMode: "VIP" },
      ["status.loadBalancer.ingress[0].ipMode: Forbidden: may not be specified when `ip` is not set"],
    ],
    [
      "has one of two modes",
      "LoadBalancer",
      { ip: "1.2.3.4", ipMode: "Q" },
      ['status.loadBalancer.ingress[0].ipMode: Unsupported value: "Q": supported values: "Proxy", "VIP"'],
    ],
    [
      "must not have addresses as host names",
      "LoadBalancer",
      { hostname: "1.2.3.4" },
      [
        'status.loadBalancer.ingress[0].hostname: Invalid value: "1.2.3.4": must be a DNS name, not an IP address',
      ],
    ],
  ])("%s", async (_title, type, point, findings) => {
    const send = testClient(quietCluster());
    await send("POST", path, { metadata: { name: "s" }, spec: { type, ports: [{ port: 80 }] } });
    const answer = await send("PATCH", `${path}/s/status`, {
      status: { loadBalancer: { ingress: [point] } },
    });
    expect(answer.findings).toEqual(findings);
  });
});
