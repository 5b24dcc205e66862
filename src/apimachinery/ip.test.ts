import { isIP } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cidrContains, formatIp, parseCidr, parseIp } from "./ip.ts";

describe("an address", () => {
  test.each([
    ["10.9.8.7", "10.9.8.7"],
    ["010.009.08.7", "10.9.8.7"],
    ["255.255.255.255", "255.255.255.255"],
    ["::", "::"],
    ["::1", "::1"],
    ["1::", "1::"],
    ["2001:db8::ffff", "2001:db8::ffff"],
    ["2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"],
    ["1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7"],
    ["1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"],
    ["1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"],
    ["::ffff:1.2.3.4", "1.2.3.4"],
  ])("%s is %s", (text, expected) => {
    expect(formatIp(parseIp(text) ?? new Uint8Array())).toBe(expected);
  });

  test.each([
    "",
    "1.2.3",
    "1.2.3.4.5",
    "1.2.3.256",
    "1.2.3.-4",
    "1.2.3.4 ",
    "a",
    ":",
    ":::",
    "1::2::3",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:7::8",
    "12345::",
    "::1%eth0",
    "1.2.3.4::",
    "1:2:3:4:5:6:7:1.2.3.4",
    "g::",
  ])("%j is not an address", (text) => {
    expect(parseIp(text)).toBeUndefined();
  });

  test("that Node accepts is accepted and formatted the same way", () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        const address = parseIp(text);
        expect(address !== undefined).toBe(isIP(text) !== 0);
        expect(parseIp(formatIp(address ?? new Uint8Array()))).toEqual(address);
      }),
    );
  });
});

describe("a network", () => {
  test.each([
    ["10.0.0.0/8", "10.255.0.1", true],
    ["10.0.0.0/8", "11.0.0.0", false],
    ["10.96.0.0/12", "10.111.255.255", true],
    ["10.96.0.0/12", "10.112.0.0", false],
    ["0.0.0.0/0", "1.2.3.4", true],
    ["1.2.3.4/32", "1.2.3.5", false],
    ["2001:db8::/33", "2001:db8:7fff::1", true],
    ["2001:db8::/33", "2001:db8:8000::", false],
    ["::ffff:10.0.0.0/104", "10.1.1.1", true],
    ["::/0", "1.2.3.4", false],
  ])("%s contains %s: %s", (network, address, expected) => {
    const cidr = parseCidr(network);
    const parsed = parseIp(address);
    expect(cidr && parsed && cidrContains(cidr, parsed)).toBe(expected);
  });

  test.each(["10.0.0.0", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8/8", "::/129", "/8", "a/8"])(
    "%j is not an address",
    (text) => {
      expect(parseCidr(text)).toBeUndefined();
    },
  );
});
