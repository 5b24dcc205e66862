import type { expect as jestExpect } from "@jest/globals";
import { expectTypeOf, test } from "vitest";
import type { Cluster, RequestScope } from "../index.ts";
import type { ExpectedObject } from "./cluster-matchers.ts";
import type {} from "./jest.ts";
import type {} from "./jest-environment.ts";

type Assertion = ReturnType<typeof jestExpect<Cluster>>;

test("the expect of @jest/globals has the matchers", () => {
  expectTypeOf<Assertion["toHaveObject"]>().parameter(0).toEqualTypeOf<ExpectedObject>();
  expectTypeOf<Assertion["toHaveObject"]>().returns.toEqualTypeOf<Promise<void>>();
  expectTypeOf<Assertion["toHaveRequested"]>().parameter(0).toEqualTypeOf<RequestScope>();
  expectTypeOf<Assertion["not"]["toHaveRequested"]>().toBeFunction();
});

test("the environment declares its global", () => {
  expectTypeOf<typeof kubedouble.cluster>().toEqualTypeOf<Cluster>();
});
