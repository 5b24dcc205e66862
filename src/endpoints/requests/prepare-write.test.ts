import { describe, expect, test } from "vitest";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { FieldManagers } from "../contract/field-managers.ts";
import type { ResourceScope } from "../contract/scope.ts";
import { prepareWrite } from "./prepare-write.ts";

const labels = () => ({ app: "web", tier: "front" });

/** A ConfigMap whose parts are its own. */
function map(apiVersion = "v1"): MutableKubeObject {
  return { apiVersion, kind: "ConfigMap", metadata: { name: "m", labels: labels() }, data: labels() };
}

interface Earlier {
  readonly replaced?: KubeObject;
  readonly latest?: KubeObject;
  readonly manager?: string;
}

/** Prepares a ConfigMap of version v1, and says what the field manager gets. */
function prepared({ replaced, latest, manager }: Earlier) {
  const updates: unknown[] = [];
  const managed = map();
  const fieldManagers = {
    of: () => ({
      update: (...update: readonly unknown[]) => {
        updates.push(update);
        return managed;
      },
    }),
  };
  // The function reads only these parts.
  const scope = {
    gvk: { group: "", version: "v1", kind: "ConfigMap" },
    rest: { latest: latest && { object: latest } },
  } as unknown as ResourceScope;
  const object = map();
  const origin = { scope, fieldManagers: fieldManagers as unknown as FieldManagers, manager };
  return { object, managed, updates, result: prepareWrite(object, replaced, origin) };
}

describe("a written object", () => {
  test("shares its equal parts with the object that it replaces", () => {
    const replaced = map();
    const { object } = prepared({ replaced, latest: map() });
    expect(object["data"]).toBe(replaced["data"]);
  });

  test("that is new shares them with the object created last", () => {
    const latest = map();
    expect(prepared({ latest }).object["data"]).toBe(latest["data"]);
  });

  test("shares none with an object of another version, which may have other fields under the same names", () => {
    const latest = map("v2");
    const { object, updates } = prepared({ latest, manager: "me" });
    expect(object["data"]).not.toBe(latest["data"]);
    expect(updates).toEqual([[undefined, object, "me", undefined]]);
  });

  test("without another one stays as it is", () => {
    const { object, result } = prepared({});
    expect(result).toBe(object);
    expect(object).toEqual(map());
  });

  test("gets its managedFields from the manager of the write, if it has one", () => {
    const replaced = map();
    const latest = map();
    const update = prepared({ replaced, latest, manager: "me" });
    expect(update.result).toBe(update.managed);
    expect(update.updates).toEqual([[replaced, update.object, "me", undefined]]);
    const create = prepared({ latest, manager: "me" });
    expect(create.updates).toEqual([[undefined, create.object, "me", latest]]);
    expect(prepared({ replaced }).updates).toEqual([]);
  });
});
