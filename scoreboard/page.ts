import { type Case, leftOut } from "./cases.ts";
import type { Client, Missing } from "./clients.ts";
import { formatOutcomes, isAlike, type Outcome } from "./outcome.ts";

/** What one client made of the failures, in the order of the cases; undefined where it has nothing to do with one. */
export interface Measured {
  readonly client: Client;
  readonly outcomes: readonly (Outcome | undefined)[];
}

/** Versions of one client that do the same. */
interface Column {
  readonly name: string;
  readonly versions: readonly string[];
  /** For each case what each version makes of it. */
  readonly rows: readonly (readonly Outcome[])[];
}

/** The page with the scoreboard, in Markdown. */
export function formatPage(
  cases: readonly Case[],
  measured: readonly Measured[],
  missing: readonly Missing[],
): string {
  const following = cases.map(({ task }) => task === "follow");
  const tables = [true, false].map((isFollowing) => {
    const wanted = (_: unknown, index: number): boolean => following[index] === isFollowing;
    const rows = measured.map(({ client, outcomes }) => ({ client, outcomes: outcomes.filter(wanted) }));
    const columns = columnsOf(
      rows.filter(({ outcomes }) => outcomes.some((outcome) => outcome !== undefined)),
    );
    return formatTable(cases.filter(wanted), columns);
  });
  const absent = [
    ...missing.map(({ name, reason }) => `- ${name}: ${reason}.`),
    ...Object.entries(leftOut).map(([name, reason]) => `- \`${name}\`: ${reason}.`),
  ];
  return [
    introduction,
    "## Clients that follow objects\n",
    ofFollowers,
    tables[0],
    "## Single requests\n",
    ofRequests,
    tables[1],
    "## Not measured\n",
    `${absent.join("\n")}\n`,
  ].join("\n");
}

const introduction = `# Scoreboard

What clients make of failures: \`npm run scoreboard\` starts each of them against a cluster on a port, lets a failure of
\`kubedouble/scenarios\` strike, and writes down here what it saw. Nothing on this page is known in any other way.

- **recovered**: it knows or has done what it should, though the failure struck; how long that took is told from one second on.
- **died**: it gave up, and said so as it does: an error event, an exception, the end of the command. Whoever uses it has to start
  it again.
- **stale**: it runs, and neither says anything nor knows what has changed, for as long as it was watched.
- **looped**: it asked for the same ten times in a second or more often.
- –: it could not be measured, for the reason given.

A failure passes after it has struck once, unless its name says otherwise. [failures.md](failures.md) tells what each of them is.
`;

const ofFollowers = `After the failure has struck, objects are created, changed and deleted, and half a second later others. Informers are those of \`makeInformer\`;
nobody starts them again. \`kubectl rollout status\` follows with client-go's informer and ends when the Deployment is ready;
\`kubectl get --watch\` lists and watches once. Failures of streaming lists need \`KUBE_FEATURE_WatchListClient=true\`, which
is set for kubectl.
`;

const ofRequests = `One request or one loop over pages of one object each, with what the client has for that and nothing around it: an update after a
read (\`kubectl patch\`), a create, a delete, a list,
a read of an object that discovery has to find first.
`;

/** Versions of a client share a column where they do the same in every row, and stand side by side where they do not. */
function columnsOf(measured: readonly Measured[]): readonly Column[] {
  const columns: Column[] = [];
  for (const { client, outcomes } of measured) {
    const rows = outcomes.map((outcome) => (outcome === undefined ? [] : [outcome]));
    const same = columns.findIndex((column) => column.name === client.name && areAlike(column.rows, rows));
    const column = columns[same];
    if (column === undefined) {
      const last = columns.findLastIndex(({ name }) => name === client.name);
      const at = last < 0 ? columns.length : last + 1;
      columns.splice(at, 0, { name: client.name, versions: [client.version], rows });
      continue;
    }
    columns[same] = {
      name: column.name,
      versions: [...column.versions, client.version],
      rows: column.rows.map((row, index) => [...row, ...(rows[index] ?? [])]),
    };
  }
  return columns;
}

function areAlike(some: Column["rows"], others: Column["rows"]): boolean {
  return some.every((row, index) => {
    const [one] = row;
    const [other] = others[index] ?? [];
    return one === undefined || other === undefined ? one === other : isAlike(one, other);
  });
}

function formatTable(cases: readonly Case[], columns: readonly Column[]): string {
  const header = ["Failure", ...columns.map(({ name, versions }) => `${name} ${versions.join(", ")}`)];
  const rows = cases.map(({ title }, index) => [
    title,
    ...columns.map((column) => formatOutcomes(column.rows[index] ?? [])),
  ]);
  const lines = [header, header.map(() => "---"), ...rows];
  return `${lines.map((cells) => `| ${cells.map(escaped).join(" | ")} |`).join("\n")}\n`;
}

function escaped(cell: string): string {
  return cell.replaceAll("|", "\\|");
}
