import { describe, expect, test } from "vitest";
import { configMap, storedConfigMaps, writeOptions } from "../../../test/registry/stored-config-maps.ts";
import { createObject } from "./create.ts";

describe("a create that generates a name", () => {
  const generating = { generateName: "a-" };

  test.each([
    ["tries eight names", 8],
    ["makes no attempt after one that succeeds", 3],
  ])("%s", async (_title, free) => {
    const attempts: string[] = [];
    const base = storedConfigMaps();
    // The ninth name would be free, too.
    const suffix = () => {
      attempts.push("attempt");
      return attempts.length <= free && (free === 8 || attempts.length < free) ? "taken" : "free";
    };
    const resource = { ...base, identifiers: { ...base.identifiers, suffix } };
    await createObject(resource, "n", configMap({ name: "a-taken" }), writeOptions());
    const outcome = await createObject(resource, "n", configMap(generating), writeOptions()).then(
      ({ value }) => value.metadata.name,
      (error) => error.code,
    );
    expect([outcome, attempts.length]).toEqual([free === 8 ? 409 : "a-free", free]);
  });

  test("needs a prefix", async () => {
    const sent = createObject(storedConfigMaps(), "n", configMap({}), writeOptions());
    await expect(sent).rejects.toMatchObject({ code: 422 });
  });
});
