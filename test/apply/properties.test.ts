import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { JsonObject, KubeObject } from "../../src/index.ts";
import type { ApplyType } from "../../src/patch/apply/apply-type.ts";
import { type FieldSet, leavesOf, type Path, pathsOf } from "../../src/patch/apply/field-set.ts";
import { difference, intersection } from "../../src/patch/apply/field-set-algebra.ts";
import { addedNode, fieldSetOf } from "../../src/patch/apply/field-set-of.ts";
import { fieldSetOfFieldsV1 } from "../../src/patch/apply/fields-v1.ts";
import { extractItems } from "../../src/patch/apply/remove.ts";
import { builtinTestKind, entriesOf } from "../arbitraries/owned-object.ts";
import { appliedKinds } from "./applied-kinds.ts";
import { ApplyServer, patchTypes } from "./apply-server.ts";

// Each test sends hundreds of requests.
vi.setConfig({ testTimeout: 60_000 });

const runs = { numRuns: 12 };
const manager = fc.constantFrom("a", "b", "c");
const how = fc.constantFrom("apply", "apply", "force", "merge", "strategic", "put");

describe.each(appliedKinds)("after any writes to a $kind", ({ apiVersion, kind, at, base, config }) => {
  const type = builtinTestKind(apiVersion, kind).kindOf(apiVersion)?.type;
  if (type === undefined) throw new Error(`${kind} has no type`);
  let original: ApplyServer;
  beforeAll(async () => {
    original = new ApplyServer();
    expect((await original.apply(at, base, "base")).message).toBe("");
  });
  afterAll(() => original.cluster.close());

  const history = fc.array(fc.record({ writer: manager, what: config, how }), { maxLength: 4 });

  /** Performs a history of writes; writes with conflicts or invalid objects are refused, which is fine. */
  async function written(
    steps: readonly { writer: string; what: JsonObject; how: string }[],
  ): Promise<ApplyServer> {
    const server = new ApplyServer();
    const created = await server.apply(at, base, "base");
    expect(created.message).toBe("");
    for (const step of steps) await write(server, step.writer, step.what, step.how);
    return server;
  }

  async function write(server: ApplyServer, writer: string, what: JsonObject, way: string): Promise<void> {
    if (way === "apply" || way === "force") {
      await server.apply(at, what, writer, way === "force" ? "force=true" : "");
      return;
    }
    if (way === "put") {
      const { metadata, ...others } = what;
      const live = await server.get(at);
      const whole = { ...others, metadata: { ...live.metadata, ...(metadata as JsonObject) } };
      await server.send("PUT", at, { ...live, ...withParts(live, whole) }, { manager: writer });
      return;
    }
    const contentType = way === "merge" ? patchTypes.merge : patchTypes.strategic;
    await server.send("PATCH", at, what, { contentType, manager: writer });
  }

  /** The parts of a spec merged into the existing ones. */
  function withParts({ spec }: KubeObject, whole: JsonObject): JsonObject {
    const parts = { ...whole };
    if (spec !== undefined && parts["spec"] !== undefined) {
      parts["spec"] = { ...(spec as JsonObject), ...(parts["spec"] as JsonObject) };
    }
    return parts;
  }

  const setsOf = (object: KubeObject): readonly { writer: string; applied: boolean; set: FieldSet }[] =>
    entriesOf(object).map(({ manager: writer, operation, fieldsV1 = null }) => ({
      writer: String(writer),
      applied: operation === "Apply",
      set: fieldSetOfFieldsV1(fieldsV1),
    }));

  /** The configuration that a manager would apply to own exactly this set. */
  const extracted = (object: KubeObject, set: FieldSet): JsonObject => {
    const { metadata, ...others } = extractItems(type, object, leavesOf(set));
    const { name = "o" } = object.metadata;
    return { ...others, apiVersion, kind, metadata: { ...(metadata as JsonObject), name } };
  };

  test("applying what a manager owns changes neither the object nor a time", async () => {
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        await using server = await written(steps);
        const before = await server.get(at);
        for (const { writer, applied, set } of setsOf(before)) {
          if (applied) expect((await server.apply(at, extracted(before, set), writer)).message).toBe("");
        }
        expect(await server.get(at)).toEqual(before);
      }),
      runs,
    );
  });

  test("applying twice has the same result as applying once", async () => {
    await fc.assert(
      fc.asyncProperty(history, manager, config, async (steps, writer, what) => {
        await using server = await written(steps);
        const once = await server.apply(at, what, writer, "force=true");
        fc.pre(once.code === 200);
        expect((await server.apply(at, what, writer)).object).toEqual(once.object);
      }),
      runs,
    );
  });

  test("a field taken by force has no other owner", async () => {
    await fc.assert(
      fc.asyncProperty(history, config, async (steps, what) => {
        await using server = await written(steps);
        const before = await server.get(at);
        const { code, object } = await server.apply(at, what, "taker", "force=true");
        fc.pre(code === 200);
        const same = fieldSetOf(type, extractItems(type, before, fieldSetOf(type, what)));
        const own = setsOf(object).find(({ writer }) => writer === "taker")?.set ?? {};
        const changed = difference(leavesOf(own), leavesOf(same));
        for (const { writer, set } of setsOf(object)) {
          if (writer !== "taker") expect(intersection(leavesOf(set), changed)).toEqual({});
        }
      }),
      runs,
    );
  });

  test("no manager owns a missing field, except for maps and lists that have become empty", async () => {
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        await using server = await written(steps);
        const live = await server.get(at);
        const { ".": _self, ...present } = addedNode(type, live);
        for (const { set } of setsOf(live)) {
          const missing = [...pathsOf(difference(set, present))];
          expect(missing.filter((path) => !isContainer(type, path))).toEqual([]);
        }
      }),
      runs,
    );
  });

  test("applying the current values of another manager never conflicts", async () => {
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        await using server = await written(steps);
        const live = await server.get(at);
        const { metadata: before, ...rest } = live;
        for (const [i, { set }] of setsOf(live).entries()) {
          const { message, object } = await server.apply(at, extracted(live, set), `stranger-${i}`);
          expect(message).toBe("");
          const { metadata: after, ...now } = object;
          expect(now).toEqual(rest);
          expect({ ...after, managedFields: [], resourceVersion: "" }).toEqual({
            ...before,
            managedFields: [],
            resourceVersion: "",
          });
        }
      }),
      runs,
    );
  });
});

/** Whether the path leads to a map or a list. */
function isContainer(type: ApplyType, path: Path): boolean {
  let at: ApplyType | undefined = type;
  for (const element of path) {
    const field: ApplyType | undefined = at?.map?.fields.get(element.slice(2))?.type ?? at?.map?.values;
    at = element.startsWith("f:") ? field : at?.list?.items;
  }
  return at?.map !== undefined || at?.list !== undefined;
}
