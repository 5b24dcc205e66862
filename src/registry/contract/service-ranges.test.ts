import { describe, expect, test } from "vitest";
import { formatIp, parseIp } from "../../apimachinery/ip.ts";
import {
  addressAfter,
  distance,
  formatCidr,
  formatPortRange,
  parseClusterIpRange,
  parseNodePortRange,
} from "./service-ranges.ts";

describe("the range of cluster IPs", () => {
  test.each([
    ["10.96.0.0/12", ["10.96.0.0/12"]],
    ["10.97.3.4/12", ["10.96.0.0/12"]],
    ["10.255.255.255/12", ["10.240.0.0/12"]],
    ["ffff:ffff::ffff/20", ["ffff:f000::/20"]],
    ["10.0.0.0/24,fd00::/108", ["10.0.0.0/24", "fd00::/108"]],
    ["fd00::/108, 10.0.0.0/24", ["fd00::/108", "10.0.0.0/24"]],
  ])("%s is %j", (text, networks) => {
    expect(parseClusterIpRange(text).map(formatCidr)).toEqual(networks);
  });

  test.each(["", "10.0.0.0", "10.0.0.0/24,10.1.0.0/24", "10.0.0.0/24,fd00::/108,fd01::/108"])(
    "%j is invalid",
    (text) => {
      expect(() => parseClusterIpRange(text)).toThrow("service cluster IP range");
    },
  );
});

describe("the range of node ports", () => {
  test("has a first and a last port", () => {
    expect(parseNodePortRange("30000-32767")).toEqual({ first: 30_000, last: 32_767 });
    expect(parseNodePortRange("1-65535")).toEqual({ first: 1, last: 65_535 });
    expect(parseNodePortRange("80-80")).toEqual({ first: 80, last: 80 });
    expect(formatPortRange({ first: 80, last: 90 })).toBe("80-90");
  });

  test.each(["", "30000", "32767-30000", "0-10", "30000-65536"])("%j is invalid", (text) => {
    expect(() => parseNodePortRange(text)).toThrow("service node port range");
  });
});

test.each([
  ["10.0.0.255", 1, "10.0.1.0"],
  ["10.0.0.0", 65_536, "10.1.0.0"],
  ["fd00::ff", 1, "fd00::100"],
  ["10.0.0.7", 0, "10.0.0.7"],
  ["9.255.255.255", 1, "10.0.0.0"],
])("%s and %d is %s, and back", (text, offset, sum) => {
  const from = parseIp(text) ?? new Uint8Array();
  const to = addressAfter(from, offset);
  expect(formatIp(to)).toBe(sum);
  expect(distance(from, to)).toBe(offset);
});

test("the address after the last one is the first", () => {
  const last = parseIp("255.255.255.255") ?? new Uint8Array();
  expect(formatIp(addressAfter(last, 1))).toBe("0.0.0.0");
});
