import { type Case, leftOut } from "./cases.ts";
import type { Client, Missing } from "./clients.ts";
import { formatOutcomes, isAlike, type Outcome } from "./outcome.ts";

/** The outcomes of one client, in the order of the cases; undefined for cases that do not apply to it. */
export interface Measured {
  readonly client: Client;
  readonly outcomes: readonly (Outcome | undefined)[];
}

/** Versions of one client with the same outcomes. */
interface Column {
  readonly name: string;
  readonly versions: readonly string[];
  /** For each case the outcome of each version. */
  readonly rows: readonly (readonly Outcome[])[];
}

/** The page with the scoreboard, in Markdown. */
export function formatPage(
  cases: readonly Case[],
  measured: readonly Measured[],
  missing: readonly Missing[],
): string {
  const tables = (["follow", "request", "stream"] as const).map((group) => {
    const wanted = (_: unknown, index: number): boolean => groupOf(cases[index]) === group;
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
    "## Streams of pods\n",
    ofStreams,
    tables[2],
    "## Not measured\n",
    `${absent.join("\n")}\n`,
  ].join("\n");
}

/** The table in which a case is. */
function groupOf(one: Case | undefined): "follow" | "request" | "stream" {
  if (one?.task === "follow") return "follow";
  return one?.task === "execute" || one?.task === "followLog" ? "stream" : "request";
}

const introduction = `# Scoreboard

How clients react to failures: \`npm run scoreboard\` starts each client against a cluster on a port, injects a failure of
\`kubedouble/scenarios\`, and writes the observed result to this page. Every result here is measured.

- **recovered**: after the failure, the client had the current state or completed its task. The time is given from one second on.
- **died**: the client gave up and reported it in its own way: an error event, an exception, the end of the command. Its user must
  restart it.
- **stale**: the client kept running, but reported no error and missed the changes, for as long as it was observed.
- **lost** output: the client ended as if all were well, without all of the output.
- **looped**: the client sent the same request ten or more times in a second.
- –: not measured, for the given reason.

A failure ends after it has hit one request, unless its name says otherwise. [failures.md](failures.md) describes each failure.
`;

const ofFollowers = `After the failure, objects are created, changed and deleted, and more objects half a second later. The informers come from
\`makeInformer\` and are not restarted. \`kubectl rollout status\` uses client-go's informer and ends when the Deployment is ready;
\`kubectl get --watch\` lists and watches once. Failures of streaming lists need \`KUBE_FEATURE_WatchListClient=true\`, which
is set for kubectl.
`;

const ofRequests = `One request, or one loop over pages of one object each, with the client's own functions and no code around them: an update after
a read (\`kubectl patch\`), a create, a delete, a list, and a read of an object that needs discovery first.
`;

const ofStreams = `The clients execute a command that writes two lines and ends with exit code 3, or follow a log of three lines until its container ends.
kubectl uses SPDY before 1.30, and WebSockets with SPDY as its second choice since; client-node and Python use WebSockets.
`;

/** Versions of a client share a column if their outcomes are the same in every row, and are adjacent otherwise. */
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
