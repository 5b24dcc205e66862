import { writeFileSync } from "node:fs";
import { cases } from "../scoreboard/cases.ts";
import { observe } from "../scoreboard/cell.ts";
import { type Client, clientsAtHand, type Missing } from "../scoreboard/clients.ts";
import { formatOutcomes, type Outcome, outcomeOf } from "../scoreboard/outcome.ts";
import { formatPage } from "../scoreboard/page.ts";

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
  const isWanted = (...names: readonly string[]) =>
    words.length === 0 || words.every((word) => names.some((name) => name.includes(word)));
  const outcomes = new Map<Client, (Outcome | undefined)[]>(clients.map((client) => [client, []]));
  const queue = clients.flatMap((client) => cases.map((one, index) => ({ client, one, index })));
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { client, one, index } = next;
      const command = client.tasks[one.task];
      const name = `${client.name} ${client.version}`;
      if (command === undefined || !isWanted(one.title, name)) continue;
      const outcome = outcomeOf(await observe(command, one));
      const row = outcomes.get(client) ?? [];
      row[index] = outcome;
      console.log(`${name}, ${one.title}: ${formatOutcomes([outcome])}`);
    }
  };
  await Promise.all(Array.from({ length: together }, worker));
  const measured = [...outcomes].map(([client, row]) => ({
    client,
    outcomes: Array.from(cases, (_, at) => row[at]),
  }));
  const text = formatPage(cases, measured, missing satisfies readonly Missing[]);
  if (words.length > 0) console.log(text);
  else writeFileSync(page, text);
  return 0;
}
