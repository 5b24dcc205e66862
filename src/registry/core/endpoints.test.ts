import { describe, expect, test } from "vitest";
import { asking, quietCluster } from "../../../test/registry/asked.ts";

const path = "/api/v1/namespaces/default/endpoints";
const address = { ip: "10.0.0.1" };

describe("Endpoints are refused for", () => {
  test.each<[string, object, readonly string[]]>([
    ["no address", {}, ["subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`"]],
    [
      "an address that is none, twice",
      { notReadyAddresses: [{ ip: "zz" }] },
      [
        'subsets[0].notReadyAddresses[0].ip: Invalid value: "zz": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        'subsets[0].notReadyAddresses[0].ip: Invalid value: "zz": must be a valid IP address',
      ],
    ],
    [
      "names that are none",
      { addresses: [{ ip: "fe80::1", hostname: "A", nodeName: "B_" }] },
      [
        expect.stringContaining(
          'subsets[0].addresses[0].hostname: Invalid value: "A": a lowercase RFC 1123 label',
        ),
        expect.stringContaining(
          'subsets[0].addresses[0].nodeName: Invalid value: "B_": a lowercase RFC 1123',
        ),
        'subsets[0].addresses[0].ip: Invalid value: "fe80::1": may not be in the link-local range (169.254.0.0/16, fe80::/10)',
      ],
    ],
    [
      "ports without names",
      { addresses: [address], ports: [{ port: 0 }, { port: 1, name: "a", protocol: "Q" }] },
      [
        "subsets[0].ports[0].name: Required value",
        "subsets[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive",
        'subsets[0].ports[1].protocol: Unsupported value: "Q": supported values: "SCTP", "TCP", "UDP"',
      ],
    ],
  ])("%s", async (_title, subset, findings) => {
    const ask = asking(quietCluster());
    const body = { metadata: { name: "e" }, subsets: [subset] };
    expect((await ask("POST", path, body)).findings).toEqual(findings);
    await ask("POST", path, { metadata: { name: "e" } });
    expect((await ask("PUT", `${path}/e`, body)).findings).toEqual(findings);
  });
});
