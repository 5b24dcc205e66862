import { expect, test } from "vitest";
import { timeZoneMessages } from "./time-zone.ts";

const explicit = "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones";

test.each<[name: string, messages: readonly string[]]>([
  ["UTC", []],
  ["Etc/UTC", []],
  ["Etc/GMT+1", []],
  ["America/Argentina/Buenos_Aires", []],
  ["US/Pacific", []],
  ["", ["timeZone must be nil or non-empty string"]],
  ["Nope/Zone", ["unknown time zone Nope/Zone"]],
  ["europe/berlin", ["unknown time zone europe/berlin"]],
  ["EUROPE/BERLIN", ["unknown time zone EUROPE/BERLIN"]],
  ["Europe//Berlin", ["unknown time zone Europe//Berlin"]],
  ["../UTC", ["unknown time zone ../UTC"]],
  ["Europe/a..b", ["time: invalid location name"]],
  ["Europe/Ber lin", ["unknown time zone Europe/Ber lin"]],
  ["-01", ["unknown time zone -01"]],
  ["+01", ["unknown time zone +01"]],
  ["Local", [explicit]],
  ["local", [explicit, "unknown time zone local"]],
])("%j", (name, messages) => {
  expect(timeZoneMessages(name)).toEqual(messages);
});
