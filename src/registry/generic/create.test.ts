import { describe, expect, test } from "vitest";
import { configMap, storedConfigMaps, writeOptions } from "../../../test/registry/stored-config-maps.ts";
import { conflict } from "../../apimachinery/errors/errors.ts";
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

  test("says when to try again if all names are taken", async () => {
    const base = storedConfigMaps();
    const resource = { ...base, identifiers: { ...base.identifiers, suffix: () => "taken" } };
    const create = () => createObject(resource, "n", configMap(generating), writeOptions());
    await create();
    await expect(create()).rejects.toMatchObject({
      message: expect.stringContaining('configmaps "a-taken" already exists, the server was not able'),
      status: { details: { name: "a-taken", retryAfterSeconds: 1 } },
    });
  });

  test("does not try again after any other error", async () => {
    const attempts: string[] = [];
    const validateAdmission = () => {
      attempts.push("attempt");
      throw conflict({ group: "", resource: "configmaps" }, "a", "refused");
    };
    const options = { ...writeOptions(), validateAdmission };
    await expect(createObject(storedConfigMaps(), "n", configMap(generating), options)).rejects.toThrow(
      "refused",
    );
    expect(attempts).toHaveLength(1);
  });

  test("needs a prefix", async () => {
    const sent = createObject(storedConfigMaps(), "n", configMap({}), writeOptions());
    await expect(sent).rejects.toMatchObject({ code: 422 });
  });
});
