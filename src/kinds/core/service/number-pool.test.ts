import { describe, expect, test } from "vitest";
import { NumberPool } from "./number-pool.ts";

const first = () => 0;
const last = (bound: number) => bound - 1;

describe("a pool of numbers", () => {
  test("allocates no reserved number while others are free", () => {
    const pool = new NumberPool(10, 4);
    expect([pool.free(first), pool.free(last)]).toEqual([4, 9]);
  });

  test("wraps around from a random start", () => {
    const pool = new NumberPool(10, 4);
    pool.take(9);
    expect(pool.free(last)).toBe(4);
  });

  test("allocates reserved numbers when all others are taken", () => {
    const pool = new NumberPool(6, 4);
    pool.take(4);
    pool.take(5);
    expect(pool.free(first)).toBe(0);
  });

  test("has no free number when all are taken", () => {
    const pool = new NumberPool(2, 0);
    pool.take(0);
    pool.take(1);
    expect(pool.free(first)).toBeUndefined();
  });

  test("frees a shared number when every user has released it", () => {
    const pool = new NumberPool(2, 0);
    pool.take(1);
    pool.take(1);
    pool.release(1);
    expect(pool.has(1)).toBe(true);
    pool.release(1);
    expect(pool.has(1)).toBe(false);
  });
});
