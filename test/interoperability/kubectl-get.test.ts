import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { type JsonObject, VirtualClock } from "../../src/index.ts";
import { Bindings } from "../conformance/replay/bindings.ts";
import { corrected } from "../conformance/replay/corrections.ts";
import { preludeOf, transcript } from "../conformance/replay/exchange.ts";
import { beginOf, outcomesOf, ReplayServer, replayOptions } from "../conformance/replay/replay.ts";
import { describeKubectl, type Kubectl } from "./kubectl.ts";
import { type Cells, type PrintedColumn, printedTable } from "./printed-table.ts";

interface PrintedKind {
  /** `resource.version.group`, as kubectl accepts it. */
  readonly resource: string;
  /** The objects to get; default: the objects of the test. */
  readonly names?: readonly string[];
  readonly columns: readonly PrintedColumn[];
  readonly objects: readonly JsonObject[];
  /** The output of 1.32 for the objects when they are three days and four hours old. */
  readonly rows: readonly Cells[];
}

/** A Table in a response of a real server. */
interface RecordedTable {
  readonly columnDefinitions: readonly PrintedColumn[];
  readonly rows: readonly { readonly cells: Cells }[];
}

/** The recorded or expected output of kubectl without and with `-o wide`. */
type Printed = readonly [narrow: string, wide: string];

const printedKinds: readonly PrintedKind[] = JSON.parse(
  readFileSync(new URL("./data/printed-kinds.json", import.meta.url), "utf8"),
);
const exchanges = transcript("kinds").map(corrected);
const tables = exchanges.filter(({ res }) => tableOf(res.body) !== undefined);

test("the tests print at least forty kinds", () => {
  const recorded = tables.map(({ req }) => getCommand(req.path)[1]);
  expect(new Set([...recorded, ...printedKinds.map(({ resource }) => resource)]).size).toBeGreaterThan(40);
});

const replayClock = new VirtualClock(beginOf(exchanges));

describeKubectl(
  "kubectl get prints recorded Tables of a real server",
  ({ cluster, kubectl }) => {
    const printed = new Map<number, { readonly actual: Printed; readonly expected: Printed }>();

    beforeAll(async () => {
      const server = new ReplayServer(cluster, replayClock);
      const bindings = new Bindings();
      for await (const { exchange } of outcomesOf(exchanges, preludeOf("kinds"), server, bindings)) {
        const table = tableOf(exchange.res.body);
        if (table === undefined) continue;
        const { path } = exchange.req;
        const ages = await agesOf(path, server);
        const { columnDefinitions: columns } = table;
        const rows = table.rows.map(({ cells }) => asHere(cells, columns, bindings, ages));
        const actual = await bothForms(kubectl, getCommand(path));
        const expected: Printed = [printedTable(columns, rows, false), printedTable(columns, rows, true)];
        printed.set(exchange.n, { actual, expected });
      }
    }, 60_000);

    test.each(tables.map(({ n, req }) => [getCommand(req.path).join(" "), n] as const))(
      "%s",
      (_command, n) => {
        expect(printed.get(n)?.actual).toEqual(printed.get(n)?.expected);
      },
    );

    /** The ages of the objects of a list, by name. */
    const agesOf = async (path: string, server: ReplayServer): Promise<ReadonlyMap<string, string>> => {
      const { body } = await server.ask({ method: "GET", path, as: "admin" });
      const { items } = JSON.parse(Buffer.from(body).toString());
      return new Map(
        items.map(({ metadata }: Created) => [metadata.name, ageOf(metadata.creationTimestamp)]),
      );
    };
  },
  replayOptions(replayClock),
);

const clock = new VirtualClock(Date.UTC(2030, 0, 1));

describeKubectl(
  "kubectl get prints the kinds of the reference",
  ({ cluster, kubectl }) => {
    beforeAll(async () => {
      await cluster.load(printedKinds.flatMap(({ objects }) => objects.map(marked)));
      await clock.advance("76h");
    });

    const byResource = printedKinds.map((kind) => [kind.resource, kind] as const);
    test.concurrent.each(byResource)("%s", async (resource, { names, columns, rows }) => {
      const which = names ?? ["-l", mark];
      expect(await bothForms(kubectl, ["get", resource, ...which])).toEqual([
        printedTable(columns, rows, false),
        printedTable(columns, rows, true),
      ]);
    });
  },
  { clock, controllers: [] },
);

const mark = "printed=here";

/** The object with a label that distinguishes it from the cluster's own objects. */
function marked(object: JsonObject): JsonObject {
  const [key = "", value = ""] = mark.split("=");
  return { ...object, metadata: { ...(object["metadata"] as JsonObject), labels: { [key]: value } } };
}

function bothForms(kubectl: Kubectl["kubectl"], command: readonly string[]): Promise<Printed> {
  return Promise.all([kubectl(command), kubectl([...command, "-o", "wide"])]);
}

function tableOf(body: unknown): RecordedTable | undefined {
  const { kind } = (body ?? {}) as { readonly kind?: string };
  return kind === "Table" ? (body as RecordedTable) : undefined;
}

/** The command for a list. */
function getCommand(path: string): readonly string[] {
  const [, group = "", version, namespace, resource] =
    /^\/(?:api|apis\/([^/]+))\/([^/]+)(?:\/namespaces\/([^/]+))?\/([^/?]+)/.exec(path) ?? [];
  const selector = new URLSearchParams(path.split("?")[1]).get("fieldSelector");
  return [
    "get",
    `${resource}.${version}.${group}`,
    ...(namespace === undefined ? [] : ["-n", namespace]),
    ...(selector === null ? [] : ["--field-selector", selector]),
  ];
}

interface Created {
  readonly metadata: { readonly name: string; readonly creationTimestamp: string };
}

/** Recorded cells with the generated values and the ages of this cluster. */
function asHere(
  cells: Cells,
  columns: readonly PrintedColumn[],
  bindings: Bindings,
  ages: ReadonlyMap<string, string>,
): Cells {
  const nameAt = columns.findIndex(({ name }) => name === "Name");
  const [name = ""] = String(cells[nameAt]).split(" ");
  return cells.map((cell, at) => {
    if (columns[at]?.name === "Age") return ages.get(name) ?? "";
    return typeof cell === "string" ? bindings.translate(cell) : cell;
  });
}

/** In the format of ages below ten minutes; nothing in the transcript is older. */
function ageOf(creationTimestamp: string): string {
  const seconds = (replayClock.now() - Date.parse(creationTimestamp)) / 1000;
  expect(seconds).toBeLessThan(600);
  const rest = Math.floor(seconds % 60);
  return seconds < 120
    ? `${Math.floor(seconds)}s`
    : `${Math.floor(seconds / 60)}m${rest === 0 ? "" : `${rest}s`}`;
}
