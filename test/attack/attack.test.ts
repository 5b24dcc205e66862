import { expect, test } from "vitest";
import { attacks } from "./attacks.ts";
import { battle } from "./battle.ts";

/** Every run prints it; the same one repeats an attack. */
const seed = Number(process.env["TEST_SEED"]);

test.each(attacks)(
  "$name: no crash, nothing lost, no way in",
  async (attack) => {
    console.log(`TEST_SEED=${seed}`);
    const report = await battle(attack, seed, { requests: 200 });
    expect(report.findings).toEqual([]);
    expect(report.tried).toBeGreaterThanOrEqual(200);
  },
  240_000,
);
