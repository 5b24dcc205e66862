import { expect, test } from "vitest";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const path = "/apis/apps/v1/namespaces/default/controllerrevisions";

test("a ControllerRevision requires a revision and data", async () => {
  const send = testClient(quietCluster());
  const { findings } = await send("POST", path, { metadata: { name: "r" }, revision: -1 });
  expect(findings).toEqual([
    "revision: Invalid value: -1: must be greater than or equal to 0",
    "data: Required value: data is mandatory",
  ]);
});

test.each<[string, unknown, string | undefined]>([
  ["an object", { a: [1] }, undefined],
  ["an empty object", {}, undefined],
  ["null", null, "data is mandatory"],
  ["a text", "a", "data must be a valid JSON object"],
  ["a number", 5, "data must be a valid JSON object"],
  ["a list", [{}], "data must be a valid JSON object"],
  ["a boolean", false, "data must be a valid JSON object"],
])("the data of a new ControllerRevision may be %s or not", async (_title, data, problem) => {
  const send = testClient(quietCluster({ release: "1.31" }));
  const { findings } = await send("POST", path, { metadata: { name: "r" }, revision: 1, data });
  expect(findings).toEqual(problem === undefined ? [] : [`data: Required value: ${problem}`]);
});

test("the data of a ControllerRevision could be any value before 1.31", async () => {
  const send = testClient(quietCluster({ release: "1.30" }));
  expect((await send("POST", path, { metadata: { name: "r" }, revision: 1, data: "a" })).code).toBe(201);
});

test("the data of a ControllerRevision is immutable, its revision is not", async () => {
  const send = testClient(quietCluster());
  await send("POST", path, { metadata: { name: "r" }, revision: 1, data: { a: 1 } });
  const changed = await send("PATCH", `${path}/r`, { data: { a: 2 } });
  expect(changed.findings).toEqual([
    "data: Invalid value: runtime.RawExtension{Raw:[]uint8{0x7b, 0x22, 0x61, 0x22, 0x3a, 0x32, 0x7d}, Object:runtime.Object(nil)}: field is immutable",
  ]);
  expect((await send("PATCH", `${path}/r`, { data: null })).findings).toEqual([
    "data: Required value: data is mandatory",
    "data: Invalid value: runtime.RawExtension{Raw:[]uint8(nil), Object:runtime.Object(nil)}: field is immutable",
  ]);
  const renumbered = await send("PATCH", `${path}/r`, { revision: 2 });
  expect(renumbered.object).toMatchObject({ revision: 2, data: { a: 1 } });
});
