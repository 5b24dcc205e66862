import { expect, test } from "vitest";
import type { Report } from "./battle.ts";
import { complaintsOf, reportTable } from "./report-table.ts";

const mebibyte = 1024 * 1024;
const good: Report = {
  name: "requests",
  seed: 7,
  tried: 3,
  answers: { "2xx": 1, "3xx": 0, "4xx": 2, "5xx": 0, none: 0 },
  defects: { crash: 0, "lost or reordered": 0, "way in": 0, malformed: 0 },
  findings: [],
  slowest: { milliseconds: 1500, what: "GET /api" },
  memory: { before: 30 * mebibyte, after: 31 * mebibyte },
};

test("a table has a row for each attack", () => {
  expect(reportTable([good]).split("\n")[2]).toBe(
    "| requests | 3 | 1 | 0 | 2 | 0 | 0 | 1.50 s | 30.0 MiB | 31.0 MiB | 0 | 0 | 0 | 0 |",
  );
  expect(complaintsOf(good)).toEqual([]);
});

test.each<[string, Partial<Report>, string, string]>([
  [
    "a defect",
    { defects: { ...good.defects, "way in": 12 }, findings: ["way in: 200 for GET /api"] },
    "| 12 ! |",
    "requests: way in: 200 for GET /api, requests: 11 more",
  ],
  [
    "more memory",
    { memory: { before: 0, after: 65 * mebibyte } },
    "| 65.0 MiB ! |",
    "requests: memory grew by 65.0 MiB",
  ],
  [
    "a slow answer",
    { slowest: { milliseconds: 30_000, what: "GET /api" } },
    "| 30.00 s ! |",
    "requests: an answer took 30.00 s: GET /api",
  ],
])("%s is marked, and a reason to fail", (_title, more, cell, complaint) => {
  expect(reportTable([{ ...good, ...more }])).toContain(cell);
  expect(complaintsOf({ ...good, ...more }).join(", ")).toBe(complaint);
});
