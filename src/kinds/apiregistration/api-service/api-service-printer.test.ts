import { expect, test } from "vitest";
import { printedCells } from "../../../../test/printed-cells.ts";
import type { JsonObject, JsonValue } from "../../../apimachinery/json.ts";

const condition = (type: string, status = "True", reason = ""): JsonObject => ({ type, status, reason });

test.each<[resource: string, object: JsonObject, cells: readonly JsonValue[]]>([
  ["apiregistration.k8s.io/apiservices", {}, ["Local", "Unknown"]],
  [
    "apiregistration.k8s.io/apiservices",
    { status: { conditions: [condition("Available", "True", "Local")] } },
    ["Local", "True"],
  ],
  [
    "apiregistration.k8s.io/apiservices",
    {
      spec: { service: { namespace: "n", name: "s" } },
      status: { conditions: [condition("Available", "False", "MissingEndpoints")] },
    },
    ["n/s", "False (MissingEndpoints)"],
  ],
  [
    "apiregistration.k8s.io/apiservices",
    { status: { conditions: [condition("Available", "False")] } },
    ["Local", "False"],
  ],
])("%s %j is shown as %j", async (resource, object, cells) => {
  expect(await printedCells(resource, object)).toEqual(cells);
});
