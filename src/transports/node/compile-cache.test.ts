import nodeModule from "node:module";
import { afterEach, expect, test, vi } from "vitest";
import { keepCompiledCode } from "./compile-cache.ts";

const original = Object.getOwnPropertyDescriptor(nodeModule, "enableCompileCache");

afterEach(() => {
  vi.unstubAllEnvs();
  Reflect.deleteProperty(nodeModule, "enableCompileCache");
  if (original !== undefined) Object.defineProperty(nodeModule, "enableCompileCache", original);
});

test.each([
  ["without coverage", undefined, 1],
  ["while coverage is measured", "/tmp/coverage", 0],
])("asks Node to keep compiled code %s", (_title, coverage, expected) => {
  vi.stubEnv("NODE_V8_COVERAGE", coverage);
  const enableCompileCache = vi.fn();
  Object.defineProperty(nodeModule, "enableCompileCache", { value: enableCompileCache, configurable: true });
  keepCompiledCode();
  expect(enableCompileCache).toHaveBeenCalledTimes(expected);
});

test("does nothing where Node has no such cache", () => {
  vi.stubEnv("NODE_V8_COVERAGE", undefined);
  Object.defineProperty(nodeModule, "enableCompileCache", { value: undefined, configurable: true });
  expect(keepCompiledCode).not.toThrow();
});
