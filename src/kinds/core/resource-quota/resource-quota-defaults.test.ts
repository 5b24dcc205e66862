import { expect, test } from "vitest";
import { defaulted } from "../../../../test/registry/defaulted.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";

test.each<[title: string, sent: JsonObject, expected: JsonObject]>([
  [
    "quantities of a ResourceQuota are rounded up",
    { spec: { hard: { cpu: "1u" } }, status: { hard: { cpu: "1u" }, used: { cpu: "1u" } } },
    { spec: { hard: { cpu: "1m" } }, status: { hard: { cpu: "1m" }, used: { cpu: "1m" } } },
  ],
])("%s", (_, sent, expected) => expect(defaulted("v1/ResourceQuota", sent)).toMatchObject(expected));
