import { expect, test } from "vitest";
import { attacks } from "./attacks.ts";
import { battle } from "./battle.ts";

/** `ATTACK_SEED` repeats an attack. */
const seed = Number(process.env["ATTACK_SEED"] ?? Math.floor(Math.random() * 2 ** 31));

test.each(attacks)(
  "$name: no crash, nothing lost, no way in",
  async (attack) => {
    console.log(`ATTACK_SEED=${seed}`);
    const report = await battle(attack, seed, { requests: 300 });
    expect(report.findings).toEqual([]);
    expect(report.tried).toBeGreaterThanOrEqual(300);
  },
  120_000,
);
