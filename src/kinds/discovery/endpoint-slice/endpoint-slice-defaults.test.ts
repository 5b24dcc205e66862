import { expect, test } from "vitest";
import { defaulted } from "../../../../test/registry/defaulted.ts";

test("the ports of an EndpointSlice have an empty name and the protocol TCP", () => {
  const ports = [{ port: 1 }, { name: "x", protocol: "UDP" }];
  expect(defaulted("discovery.k8s.io/v1/EndpointSlice", { ports })).toMatchObject({
    ports: [
      { name: "", protocol: "TCP" },
      { name: "x", protocol: "UDP" },
    ],
  });
});
