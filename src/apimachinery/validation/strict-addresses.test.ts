import { expect, test } from "vitest";
import { messagesIn } from "../../../test/field-errors.ts";
import { strictCidrMessages, strictIpMessages } from "./strict-addresses.ts";

test.each([
  ["10.0.0.1", undefined],
  ["2001:db8::1", undefined],
  ["x", "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"],
  ["010.0.0.1", "must not have leading 0s"],
  ["::ffff:010.0.0.1", "must not have leading 0s"],
  ["::ffff:10.0.0.1", "must not be an IPv4-mapped IPv6 address"],
  ["2001:DB8:0:0::1", 'must be in canonical form ("2001:db8::1")'],
  ["2001:0db8::1", 'must be in canonical form ("2001:db8::1")'],
])("the address %s by the strict rules", (text, message) => {
  expect(messagesIn("1.33", strictIpMessages(text))).toEqual(message === undefined ? [] : [message]);
});

test.each([
  ["10.0.0.0/8", undefined],
  ["0.0.0.0/0", undefined],
  ["10.0.0.1/32", undefined],
  ["2001:db8::/33", undefined],
  ["10.0.0.0", "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"],
  ["010.0.0.0/8", "must not have leading 0s in IP or prefix length"],
  ["10.0.0.0/08", "must not have leading 0s in IP or prefix length"],
  ["::ffff:10.0.0.0/104", "must not have an IPv4-mapped IPv6 address"],
  ["::ffff:10.0.0.0/90", "must not have an IPv4-mapped IPv6 address"],
  ["10.0.0.1/8", "must not have bits set beyond the prefix length"],
  ["10.0.8.0/20", "must not have bits set beyond the prefix length"],
  ["2001:db8:8000::/32", "must not have bits set beyond the prefix length"],
  ["2001:DB8::/32", 'must be in canonical form ("2001:db8::/32")'],
])("the network %s by the strict rules", (text, message) => {
  expect(strictCidrMessages(text)).toEqual(message === undefined ? [] : [message]);
});
