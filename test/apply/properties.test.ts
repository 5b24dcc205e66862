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

// Hundreds of requests each.
vi.setConfig({ testTimeout: 60_000 });

const runs = { numRuns: 12 };
const manager = fc.constantFrom("a", "b", "c");
const how = fc.constantFrom("apply", "apply", "force", "merge", "strategic", "put");

describe.each(appliedKinds)(
  "whatever was written to a $kind before",
  ({ apiVersion, kind, at, base, config }) => {
    const type = builtinTestKind(apiVersion, kind).kindOf(apiVersion)?.type;
    if (type === undefined) throw new Error(`${kind} has no type`);
    let original: ApplyServer;
    beforeAll(async () => {
      original = new ApplyServer();
      expect((await original.apply(at, base, "base")).message).toBe("");
    });
    afterAll(() => original.cluster.close());

    const history = fc.array(fc.record({ who: manager, what: config, how }), { maxLength: 4 });

    /** Writes a history; what is in the way of others or makes no valid object is refused, which is as well. */
    async function written(
      steps: readonly { who: string; what: JsonObject; how: string }[],
    ): Promise<ApplyServer> {
      const server = new ApplyServer();
      const created = await server.apply(at, base, "base");
      expect(created.message).toBe("");
      for (const step of steps) await write(server, step.who, step.what, step.how);
      return server;
    }

    async function write(server: ApplyServer, who: string, what: JsonObject, way: string): Promise<void> {
      if (way === "apply" || way === "force") {
        await server.apply(at, what, who, way === "force" ? "force=true" : "");
        return;
      }
      if (way === "put") {
        const { metadata, ...others } = what;
        const live = await server.get(at);
        const whole = { ...others, metadata: { ...live.metadata, ...(metadata as JsonObject) } };
        await server.send("PUT", at, { ...live, ...withParts(live, whole) }, { manager: who });
        return;
      }
      const contentType = way === "merge" ? patchTypes.merge : patchTypes.strategic;
      await server.send("PATCH", at, what, { contentType, manager: who });
    }

    /** The parts of a spec beside those that are there. */
    function withParts({ spec }: KubeObject, whole: JsonObject): JsonObject {
      const parts = { ...whole };
      if (spec !== undefined && parts["spec"] !== undefined) {
        parts["spec"] = { ...(spec as JsonObject), ...(parts["spec"] as JsonObject) };
      }
      return parts;
    }

    const setsOf = (object: KubeObject): readonly { who: string; applied: boolean; set: FieldSet }[] =>
      entriesOf(object).map(({ manager: who, operation, fieldsV1 = null }) => ({
        who: String(who),
        applied: operation === "Apply",
        set: fieldSetOfFieldsV1(fieldsV1),
      }));

    /** What somebody would apply to own this and no more. */
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
          for (const { who, applied, set } of setsOf(before)) {
            if (applied) expect((await server.apply(at, extracted(before, set), who)).message).toBe("");
          }
          expect(await server.get(at)).toEqual(before);
        }),
        runs,
      );
    });

    test("applying twice is as good as once", async () => {
      await fc.assert(
        fc.asyncProperty(history, manager, config, async (steps, who, what) => {
          await using server = await written(steps);
          const once = await server.apply(at, what, who, "force=true");
          fc.pre(once.code === 200);
          expect((await server.apply(at, what, who)).object).toEqual(once.object);
        }),
        runs,
      );
    });

    test("what is taken by force belongs to nobody else", async () => {
      await fc.assert(
        fc.asyncProperty(history, config, async (steps, what) => {
          await using server = await written(steps);
          const before = await server.get(at);
          const { code, object } = await server.apply(at, what, "taker", "force=true");
          fc.pre(code === 200);
          const same = fieldSetOf(type, extractItems(type, before, fieldSetOf(type, what)));
          const own = setsOf(object).find(({ who }) => who === "taker")?.set ?? {};
          const changed = difference(leavesOf(own), leavesOf(same));
          for (const { who, set } of setsOf(object)) {
            if (who !== "taker") expect(intersection(leavesOf(set), changed)).toEqual({});
          }
        }),
        runs,
      );
    });

    test("nobody owns what is not there, but for maps and lists that have run empty", async () => {
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

    test("nobody is in the way of what others own as it is", async () => {
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
  },
);

/** Whether a map or a list stands at the path. */
function isContainer(type: ApplyType, path: Path): boolean {
  let at: ApplyType | undefined = type;
  for (const element of path) {
    const field: ApplyType | undefined = at?.map?.fields.get(element.slice(2))?.type ?? at?.map?.values;
    at = element.startsWith("f:") ? field : at?.list?.items;
  }
  return at?.map !== undefined || at?.list !== undefined;
}
