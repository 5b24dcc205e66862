import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Attack } from "../test/attack/attack.ts";
import type { Report } from "../test/attack/battle.ts";
import { complaintsOf, reportTable } from "../test/attack/report-table.ts";
import { compile } from "./run.mjs";

const usage = "npm run attack [-- [--minutes N] [--seed N] [WORDS...]]";
const defaultMinutes = 5;
/** How much longer than its share an attack may take before it counts as stuck. */
const grace = 120_000;

interface Options {
  readonly minutes: number;
  readonly seed: number;
  readonly words: readonly string[];
}

/** The module with the attacks, compiled. */
interface Attacks {
  readonly attacks: readonly Attack[];
}

/**
 * `npm run attack [-- --minutes N --seed N WORDS...]`: runs every attack, or those whose names contain a word, each in a
 * process of its own, and prints a table. Fails if a cell of the table is bad.
 */
export async function main(args: readonly string[]): Promise<number> {
  const options = optionsOf(args);
  if (options === undefined) {
    console.error(`usage: ${usage}`);
    return 2;
  }
  const { minutes, seed, words } = options;
  console.log(`seed ${seed} (repeat with --seed ${seed})`);
  const modules = [await compile("test/attack/attacks.ts"), await compile("test/attack/battle.ts")] as const;
  try {
    const { attacks }: Attacks = await import(modules[0]);
    const names = attacks
      .map(({ name }) => name)
      .filter((name) => words.every((word) => name.includes(word)));
    const milliseconds = Math.round((minutes * 60_000) / names.length);
    const reports: Report[] = [];
    for (const name of names) {
      const report = await run(modules, name, seed, milliseconds);
      reports.push(report);
      console.log(`${name}: ${report.tried} requests`);
    }
    console.log(reportTable(reports));
    for (const { name, slowest } of reports) console.log(`slowest of ${name}: ${slowest.what.slice(0, 200)}`);
    const complaints = reports.flatMap(complaintsOf);
    for (const complaint of complaints) console.error(complaint);
    return complaints.length === 0 ? 0 : 1;
  } finally {
    for (const module of modules) rmSync(fileURLToPath(module), { force: true });
  }
}

function optionsOf(args: readonly string[]): Options | undefined {
  const words: string[] = [];
  let minutes = defaultMinutes;
  let seed = Math.floor(Math.random() * 2 ** 31);
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? "";
    const [name, value] = arg.includes("=") ? arg.split("=") : [arg, args[at + 1]];
    if (!arg.startsWith("--")) {
      words.push(arg);
      continue;
    }
    const number = Number(value);
    if (value === undefined || Number.isNaN(number)) return undefined;
    if (name === "--minutes") minutes = number;
    else if (name === "--seed") seed = number;
    else return undefined;
    if (!arg.includes("=")) at += 1;
  }
  return { minutes, seed, words };
}

/** The report of an attack; that of a crash if its process ends without one. */
async function run(
  [attacks, battle]: readonly [attacks: string, battle: string],
  name: string,
  seed: number,
  milliseconds: number,
): Promise<Report> {
  const script = `const { attacks } = await import(${JSON.stringify(attacks)});
    const { battle } = await import(${JSON.stringify(battle)});
    const attack = attacks.find(({ name }) => name === ${JSON.stringify(name)});
    console.log(JSON.stringify(await battle(attack, ${seed}, { milliseconds: ${milliseconds} })));
    process.exit(0);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    stdio: ["ignore", "pipe", "inherit"],
    timeout: milliseconds + grace,
    killSignal: "SIGKILL",
  });
  let output = "";
  child.stdout.on("data", (piece: Buffer) => {
    output += piece.toString();
  });
  const [code, signal] = await once(child, "close");
  const last = output.trim().split("\n").at(-1) ?? "";
  return last.startsWith("{")
    ? JSON.parse(last)
    : fallen(name, seed, `the process ended with ${signal ?? code}`);
}

function fallen(name: string, seed: number, finding: string): Report {
  return {
    name,
    seed,
    tried: 0,
    answers: { "2xx": 0, "3xx": 0, "4xx": 0, "5xx": 0, none: 0 },
    defects: { crash: 1, "lost or reordered": 0, "way in": 0, malformed: 0 },
    findings: [`crash: ${finding}`],
    slowest: { milliseconds: 0, what: "" },
    memory: { before: 0, after: 0 },
  };
}
