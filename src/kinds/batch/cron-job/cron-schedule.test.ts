import { expect, test } from "vitest";
import { sinceOf } from "../../../apimachinery/release.ts";
import { checkCronSchedule } from "./cron-schedule.ts";

test.each([
  "* * * * *",
  "*/15 0-6 1,15 jan-DEC mon",
  "? ? ? ? ?",
  "5/10 * * * *",
  "*/2,3 * * * 0-6/2",
  "  0\t0 1 1 0 ",
  ", * * * *",
  "@yearly",
  "@midnight",
  "@every 1h30m",
  "TZ=UTC 0 0 * * *",
  "CRON_TZ=Europe/Berlin @daily",
])("%j is a schedule", (text) => {
  expect(() => checkCronSchedule(text, sinceOf("1.32"))).not.toThrow();
});

test.each<[text: string, message: string]>([
  ["nope", "expected exactly 5 fields, found 1: [nope]"],
  ["* * * * * *", "expected exactly 5 fields, found 6: [* * * * * *]"],
  [" ", "expected exactly 5 fields, found 0: []"],
  ["60 * * * *", "end of range (60) above maximum (59): 60"],
  ["* 24 * * *", "end of range (24) above maximum (23): 24"],
  ["* * 0 * *", "beginning of range (0) below minimum (1): 0"],
  ["* * * 13 *", "end of range (13) above maximum (12): 13"],
  ["* * * * 7", "end of range (7) above maximum (6): 7"],
  ["5-1 * * * *", "beginning of range (5) beyond end of range (1): 5-1"],
  ["1-2-3 * * * *", "too many hyphens: 1-2-3"],
  ["*/2/3 * * * *", "too many slashes: */2/3"],
  ["*/0 * * * *", "step of range should be a positive number: */0"],
  ["* * * foo *", 'failed to parse int from foo: strconv.Atoi: parsing "foo": invalid syntax'],
  ["*/x * * * *", 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
  ["*/-1 * * * *", "negative number (-1) not allowed: -1"],
  [
    "99999999999999999999 * * * *",
    'failed to parse int from 99999999999999999999: strconv.Atoi: parsing "99999999999999999999": value out of range',
  ],
  ["@never", "unrecognized descriptor: @never"],
  ["@every x", 'failed to parse duration @every x: time: invalid duration "x"'],
  ["TZ=Nope/Zone * * * * *", "provided bad location Nope/Zone: unknown time zone Nope/Zone"],
  ["TZ=UTC", "invalid schedule format: runtime error: slice bounds out of range [:-1]"],
])("%j is not a schedule: %s", (text, message) => {
  expect(() => checkCronSchedule(text, sinceOf("1.32"))).toThrow(message);
});

test.each([
  ["TZ=UTC 0 * * * *", "Expected exactly 5 fields, found 6: TZ=UTC 0 * * * *"],
  ["60 * * * *", "End of range (60) above maximum (59): 60"],
  ["@never", "Unrecognized descriptor: @never"],
])("before 1.22, %j has no time zone, and errors begin with capitals", (text, message) => {
  expect(() => checkCronSchedule(text, sinceOf("1.21"))).toThrow(message);
});
