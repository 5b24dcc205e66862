import fc from "fast-check";
import { expect, test } from "vitest";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { ScriptTarget } from "../../webhooks/pod-script.ts";
import { scriptedUsage } from "./used-resources.ts";

const pod: KubeObject = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web", namespace: "default" },
  spec: { containers: [] },
};

/** Scripts that begin one after the other, each with cores and the milliseconds that it lasts. */
const usages = fc.array(
  fc.record({
    millicores: fc.integer({ min: 0, max: 64_000 }),
    lasts: fc.integer({ min: 0, max: 100_000 }),
    container: fc.constantFrom(undefined, "a", "b"),
  }),
  { minLength: 1, maxLength: 8 },
);

function scriptsOf(list: typeof usages extends fc.Arbitrary<infer T> ? T : never): readonly ScriptTarget[] {
  let time = 0;
  return list.map(({ millicores, lasts, container }) => {
    const usage = { cpu: `${millicores}m`, memory: "1Mi" };
    const script = { type: "usage", container, usage, time } as const;
    time += lasts;
    return {
      pods: { kind: "Pod", name: "web", namespace: "default", labels: {}, image: undefined },
      script,
    };
  });
}

test("CPU time is what was used in each millisecond, from the start of the container on", () => {
  fc.assert(
    fc.property(usages, fc.nat(300_000), fc.nat(300_000), (list, from, length) => {
      const scripts = scriptsOf(list);
      const to = from + length;
      const own = scripts.flatMap(({ script }) =>
        script.type === "usage" && (script.container ?? "a") === "a" ? [script] : [],
      );
      const used = scriptedUsage({ all: () => scripts }, pod, "a", { from, to });
      if (own.length === 0) return used === undefined;
      let expected = 0;
      for (const [i, { time, usage }] of own.entries()) {
        const end = Math.min(own[i + 1]?.time ?? to, to);
        expected += Math.max(0, end - Math.max(time, from)) * Number.parseInt(usage.cpu, 10) * 1000;
      }
      return used?.coreNanoSeconds === expected;
    }),
  );
});

test("CPU time never goes back", () => {
  fc.assert(
    fc.property(usages, fc.nat(300_000), fc.nat(300_000), (list, first, more) => {
      const all = () => scriptsOf(list);
      const at = (to: number) => scriptedUsage({ all }, pod, "a", { from: 0, to })?.coreNanoSeconds ?? 0;
      return at(first) <= at(first + more);
    }),
  );
});

test("what is used is at most what a client can read", () => {
  const scripts = scriptsOf([{ millicores: 1, lasts: 0, container: undefined }]);
  const script = { ...scripts[0]?.script, usage: { cpu: "1E", memory: "16E" } } as ScriptTarget["script"];
  const all = () => scripts.map((target) => ({ ...target, script }));
  const used = scriptedUsage({ all }, pod, "a", { from: 0, to: 1e12 });
  for (const value of Object.values(used ?? {})) {
    expect(BigInt(value)).toBeLessThan(2n ** 64n);
    expect(BigInt(JSON.stringify(value))).toBeLessThan(2n ** 64n);
  }
});
