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
