import { describe, expect, test } from "vitest";
import { NumberPool } from "./number-pool.ts";

const first = () => 0;
const last = (bound: number) => bound - 1;

describe("a pool of numbers", () => {
  test("leaves the first ones to those who ask for them", () => {
    const pool = new NumberPool(10, 4);
    expect([pool.free(first), pool.free(last)]).toEqual([4, 9]);
  });

  test("goes round from where it starts", () => {
    const pool = new NumberPool(10, 4);
    pool.take(9);
    expect(pool.free(last)).toBe(4);
  });

  test("gives the first ones away when no others are left", () => {
    const pool = new NumberPool(6, 4);
    pool.take(4);
    pool.take(5);
    expect(pool.free(first)).toBe(0);
  });

  test("has nothing when all are taken", () => {
    const pool = new NumberPool(2, 0);
    pool.take(0);
    pool.take(1);
    expect(pool.free(first)).toBeUndefined();
  });

  test("frees a number when all who took it have given it back", () => {
    const pool = new NumberPool(2, 0);
    pool.take(1);
    pool.take(1);
    pool.release(1);
    expect(pool.has(1)).toBe(true);
    pool.release(1);
    expect(pool.has(1)).toBe(false);
  });
});
