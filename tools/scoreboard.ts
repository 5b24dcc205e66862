import { writeFileSync } from "node:fs";
import { cases } from "../scoreboard/cases.ts";
import { observe } from "../scoreboard/cell.ts";
import { type Client, clientsAtHand } from "../scoreboard/clients.ts";
import { formatOutcomes, type Outcome, outcomeOf } from "../scoreboard/outcome.ts";
import { formatPage, type Measured } from "../scoreboard/page.ts";

/** The path of the page. */
const page = "docs/scoreboard.md";

/** The number of clients that run at a time: they wait more than they work. */
const together = 6;

/**
 * `npm run scoreboard [-- WORDS...]`: runs every available client against every failure, and writes the outcomes to
 * the page. With words, it runs only failures and clients whose names contain one, and prints the page instead.
 */
export async function main(words: readonly string[]): Promise<number> {
  const { clients, missing } = clientsAtHand();
  for (const { name, reason } of missing) console.log(`not measured: ${name}: ${reason}`);
  const text = formatPage(cases, await measure(clients, words), missing);
  if (words.length > 0) console.log(text);
  else writeFileSync(page, text);
  return 0;
}

/** Runs the clients against the failures, and prints each outcome. */
async function measure(clients: readonly Client[], words: readonly string[]): Promise<readonly Measured[]> {
  const measured = clients.map((client) => ({
    client,
    outcomes: new Array<Outcome | undefined>(cases.length),
  }));
  const queue = measured.flatMap((row) => cases.map((one, index) => ({ ...row, one, index })));
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { client, outcomes, one, index } = next;
      const command = client.tasks[one.task];
      const names = [`${client.name} ${client.version}`, one.title];
      const isWanted = words.every((word) => names.some((name) => name.includes(word)));
      if (command === undefined || !isWanted) continue;
      const outcome = outcomeOf(await observe(command, one));
      outcomes[index] = outcome;
      console.log(`${names.join(", ")}: ${formatOutcomes([outcome])}`);
    }
  };
  await Promise.all(Array.from({ length: together }, worker));
  return measured.map(({ client, outcomes }) => ({ client, outcomes: Array.from(outcomes) }));
}
