import { writeFileSync } from "node:fs";
import { cases } from "../scoreboard/cases.ts";
import { observe } from "../scoreboard/cell.ts";
import { type Client, clientsAtHand } from "../scoreboard/clients.ts";
import { formatOutcomes, type Outcome, outcomeOf } from "../scoreboard/outcome.ts";
import { formatPage, type Measured } from "../scoreboard/page.ts";

/** Where the page is. */
const page = "docs/scoreboard.md";

/** How many clients run at a time: they wait more than they work. */
const together = 6;

/**
 * `npm run scoreboard [-- WORDS...]`: lets every client that is at hand meet every failure, and writes what came of it into
 * the page. With words, only failures and clients whose names contain one; the page is printed and not written.
 */
export async function main(words: readonly string[]): Promise<number> {
  const { clients, missing } = clientsAtHand();
  for (const { name, reason } of missing) console.log(`not measured: ${name}: ${reason}`);
  const text = formatPage(cases, await measure(clients, words), missing);
  if (words.length > 0) console.log(text);
  else writeFileSync(page, text);
  return 0;
}

/** Lets clients meet the failures, and tells of each as it comes. */
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
