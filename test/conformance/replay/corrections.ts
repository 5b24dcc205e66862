import type { Exchange } from "./exchange.ts";

/** What the recorded server, a 1.33.1 that emulated 1.32, answered otherwise than a true 1.32 does. */
interface Correction {
  /** Why a true 1.32 differs. */
  readonly reason: string;
  readonly concerns: (exchange: Exchange) => boolean;
  readonly correct: (exchange: Exchange) => Exchange;
}

const corrections: readonly Correction[] = [
  {
    reason: "/version of 1.32 has no emulation fields, and its build is its own",
    concerns: ({ req }) => /^\/version\/?$/.test(req.path),
    correct: (exchange) => withBody(exchange, versionOf132),
  },
];

/** The exchange as a true 1.32 would have had it. */
export function corrected(exchange: Exchange): Exchange {
  return corrections
    .filter(({ concerns }) => concerns(exchange))
    .reduce((result, { correct }) => correct(result), exchange);
}

const emulationFields = /^ {2}"(emulation|minCompatibility)(Major|Minor)": .*\n/gm;

/** The build's own values are not compared: `…` stands for any text. */
function versionOf132(body: unknown): unknown {
  return String(body)
    .replace(emulationFields, "")
    .replace('"minor": "33"', '"minor": "32"')
    .replace(/"(git\w+|buildDate|goVersion|compiler|platform)": "[^"]*"/g, '"$1": "…"');
}

function withBody(exchange: Exchange, change: (body: unknown) => unknown): Exchange {
  return { ...exchange, res: { ...exchange.res, body: change(exchange.res.body) } };
}
