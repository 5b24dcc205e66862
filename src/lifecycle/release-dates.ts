import { messageOf } from "../apimachinery/errors/message-of.ts";
import { minorOf, parsePlannedRelease } from "./planned-release.ts";

/** When the minor releases from 1.16 on came out (kubernetes.io, Patch Releases and their history). Later ones come every four months. */
const dates: readonly string[] = [
  ..."2019-09-18 2019-12-09 2020-03-25 2020-08-26 2020-12-08 2021-04-08 2021-08-04 2021-12-07".split(" "),
  ..."2022-05-03 2022-08-23 2022-12-09 2023-04-11 2023-08-15 2023-12-13 2024-04-17 2024-08-13".split(" "),
  ..."2024-12-11 2025-04-23 2025-08-27 2025-12-17 2026-04-22".split(" "),
];
const firstMinor = 16;
const monthsBetweenReleases = 4;
/** Releases come out some days early or late, which does not count. */
const toleratedMonths = 0.5;

/** How long something has to function: both the releases and the months. */
export interface Wait {
  readonly releases: number;
  readonly months: number;
}

/** The first minor release that is at least so many releases and months after another one. */
export function earliestAfter(minor: number, { releases, months }: Wait): number {
  let earliest = minor + releases;
  while (monthOf(earliest) - monthOf(minor) < months - toleratedMonths) earliest += 1;
  return earliest;
}

/** The months from the start of the calendar to the date of a release. */
function monthOf(minor: number): number {
  const date = dates[minor - firstMinor];
  if (date === undefined) {
    const last = firstMinor + dates.length - 1;
    return monthOf(last) + (minor - last) * monthsBetweenReleases;
  }
  const [year = 0, month = 0, day = 0] = date.split("-").map(Number);
  return year * 12 + month + day / 32;
}

/** The number of a release given as text, if it is given. @throws {Error} that names what the release is of */
export function optionalMinor(title: string, text: string | undefined): number | undefined {
  return text === undefined ? undefined : requiredMinor(title, text);
}

/** The number of a release given as text. @throws {Error} that names what the release is of */
export function requiredMinor(title: string, text: string): number {
  try {
    return minorOf(parsePlannedRelease(text));
  } catch (error) {
    throw new Error(`${title}: ${messageOf(error)}`);
  }
}
