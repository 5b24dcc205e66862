import { expect, test } from "vitest";
import { defaulted } from "../../../../test/registry/defaulted.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";

test.each<[title: string, sent: JsonObject, expected: JsonObject]>([
  [
    "a LimitRange for containers derives the missing defaults",
    {
      spec: {
        limits: [
          { type: "Container", max: { cpu: "4" }, min: { cpu: "1", memory: "1u" }, default: { disk: "9" } },
        ],
      },
    },
    {
      spec: {
        limits: [
          {
            default: { cpu: "4", disk: "9" },
            defaultRequest: { cpu: "4", disk: "9", memory: "1m" },
            max: { cpu: "4" },
            min: { cpu: "1", memory: "1m" },
          },
        ],
      },
    },
  ],
  [
    "a LimitRange for containers keeps its defaults",
    {
      spec: {
        limits: [
          { type: "Container", max: { cpu: "4" }, default: { cpu: "2" }, defaultRequest: { cpu: "1" } },
        ],
      },
    },
    { spec: { limits: [{ default: { cpu: "2" }, defaultRequest: { cpu: "1" } }] } },
  ],
])("%s", (_, sent, expected) => expect(defaulted("v1/LimitRange", sent)).toMatchObject(expected));

test("a LimitRange for pods derives no defaults", () => {
  const range = defaulted("v1/LimitRange", { spec: { limits: [{ type: "Pod", max: { cpu: "1" } }] } });
  expect(range["spec"]).toEqual({ limits: [{ type: "Pod", max: { cpu: "1" } }] });
});
