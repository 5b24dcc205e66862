import fc from "fast-check";
import { expect, test } from "vitest";
import { KnownTargets } from "./known-targets.ts";
import { parseRequestInfo, UnresolvableRequestError } from "./request-info.ts";
import { MalformedTargetError, parseTarget } from "./request-target.ts";

const methods = fc.constantFrom("GET", "PUT", "DELETE", "__proto__");
const targets = fc
  .array(
    fc.constantFrom("api", "v1", "apis", "apps", "namespaces", "a", "pods", "%41", "?watch=1", "__proto__"),
  )
  .map((segments) => `/${segments.join("/")}`);

test("a cached target equals a newly parsed one", () => {
  const known = new KnownTargets();
  fc.assert(
    fc.property(methods, targets, (method, target) => {
      const { path, query } = parseTarget(target);
      const fresh = { path, query: String(query), info: parseRequestInfo(method, path, query) };
      for (let again = 0; again < 2; again++) {
        const read = known.read(method, target);
        expect({ ...read, query: String(read.query) }).toEqual(fresh);
      }
    }),
  );
});

test("a thousand targets are kept; the next one replaces them all, every time", () => {
  const known = new KnownTargets();
  const read = (round: string, count: number) => {
    const targets = Array.from({ length: count }, (_, index) => `/api/v1/${round}/${index}`);
    return targets.map((target) => ({ target, info: known.read("GET", target) }));
  };
  const areKept = (targets: ReturnType<typeof read>) =>
    targets.every(({ target, info }) => known.read("GET", target) === info);
  const first = read("first", 1000);
  expect(areKept(first)).toBe(true);
  const second = read("second", 1000);
  expect(areKept(second)).toBe(true);
  const third = read("third", 1);
  expect([areKept(third), known.read("GET", second[0]?.target ?? "") === second[0]?.info]).toEqual([
    true,
    false,
  ]);
});

test("the oldest targets are dropped", () => {
  const known = new KnownTargets();
  const first = known.read("GET", "/api/v1/pods");
  expect(known.read("GET", "/api/v1/pods")).toBe(first);
  for (let index = 0; index < 1000; index++) known.read(`M${index}`, "/api/v1/pods");
  expect(known.read("GET", "/api/v1/pods")).not.toBe(first);
});

test("long targets and those with a query are not kept", () => {
  const known = new KnownTargets();
  const isKept = (target: string) => {
    const first = known.read("GET", target);
    return known.read("GET", target) === first;
  };
  expect([499, 500, 501].map((length) => isKept(`/${"a".repeat(length - 1)}`))).toEqual([true, true, false]);
  expect(isKept("/api/v1/pods?limit=1")).toBe(false);
});

test("an invalid target is an error each time", () => {
  const known = new KnownTargets();
  for (let again = 0; again < 2; again++) {
    expect(() => known.read("GET", "/api/%zz")).toThrow(MalformedTargetError);
    expect(() => known.read("GET", "/api/v1/watch")).toThrow(UnresolvableRequestError);
  }
});
