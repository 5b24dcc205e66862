import fc from "fast-check";
import { expect, test } from "vitest";
import { isLoopback, loopbackAddress, shownAddress } from "./address.ts";

test.each([
  ["localhost", true],
  ["127.0.0.1", true],
  ["127.255.255.255", true],
  ["::1", true],
  ["[::1]", true],
  ["127.0.0.256", false],
  // Resolvers take this for an octal number.
  ["0127.0.0.1", false],
  ["127.0.0.01", false],
  ["127.1", false],
  ["127.0.0.1.example.com", false],
  ["localhost.example.com", false],
  ["example.localhost", false],
  ["128.0.0.1", false],
  ["0.0.0.0", false],
  ["169.254.169.254", false],
  ["::", false],
  ["::2", false],
  ["", false],
])("%j is this machine: %s", (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});

test("of all addresses and domains, only 127.0.0.0/8 is this machine", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.ipV4(),
        fc.tuple(fc.nat(255), fc.nat(255)).map(([a, b]) => `127.${a}.0.${b}`),
      ),
      (ip) => {
        expect(isLoopback(ip)).toBe(ip.startsWith("127."));
      },
    ),
  );
  fc.assert(fc.property(fc.domain(), (domain) => !isLoopback(domain)));
});

test.each([
  ["hooks.example.com", 443, "https://hooks.example.com", "dial tcp: lookup hooks.example.com: no such host"],
  ["10.1.2.3", 8443, "policies/webhook", "dial tcp 10.1.2.3:8443: connect: no route to host"],
  ["fd00::1", 8443, "policies/webhook", "dial tcp [fd00::1]:8443: connect: no route to host"],
])("an object does not lead to %s", (host, port, title, problem) => {
  expect(() => loopbackAddress({ host, port }, title)).toThrow(
    `${problem}; name its address with cluster.serviceAt("${title}", "host:port") or --service-at ${title}=host:port`,
  );
});

test("an address on this machine counts as it is", () => {
  const address = { host: "::1", port: 9443 };
  expect(loopbackAddress(address, "a/b")).toBe(address);
  expect(shownAddress(address).host).toBe("[::1]:9443");
});
