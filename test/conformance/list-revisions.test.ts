import { beforeAll, describe, expect, test } from "vitest";
import { ConfigMaps, decodeToken } from "./config-maps.ts";
import { QuietServer, type RawAnswer } from "./quiet-server.ts";

const server = new QuietServer();
const maps = new ConfigMaps(server, "revisions");

/** The revisions of the tests. At `old` there are a to e; at `new` d is deleted and f exists. */
const revisions = { gone: "", old: "", new: "", future: "" };
/** Continues after a and b, at `old`. */
let token = "";

beforeAll(async () => {
  await maps.begin("z");
  revisions.gone = await maps.delete("z");
  for (const name of ["a", "b", "c", "d", "e"]) revisions.old = await maps.create(name);
  server.cluster.compact();
  token = (await maps.list("limit=2")).metadata.continue ?? "";
  await maps.delete("d");
  revisions.new = await maps.create("f");
  revisions.future = String(Number(revisions.new) + 100);
});

test("a limit of one requires the exact revision, like every limit", async () => {
  const page = await maps.list(`limit=1&resourceVersion=${revisions.old}`);
  expect(page.items.map(({ metadata }) => metadata.name)).toEqual(["a"]);
  expect([page.metadata.resourceVersion, page.metadata.remainingItemCount]).toEqual([revisions.old, 4]);
});

type Revision = "unset" | "0" | keyof typeof revisions;
type Match = "unset" | "Exact" | "NotOlderThan";

/** The outcome of a list: its content, or its error. */
const outcomes = {
  old: () => listed(revisions.old, "abcde"),
  new: () => listed(revisions.new, "abcef"),
  "page of old": () => listed(revisions.old, "ab", { start: "b\0", remaining: 3 }),
  "page of new": () => listed(revisions.new, "ab", { start: "b\0", remaining: 3 }),
  // The watch cache counts the slash as part of the key.
  "page of the cache": () => listed(revisions.new, "ab", { start: "/b\0", remaining: 3 }),
  "rest of old": () => listed(revisions.old, "cde"),
  "page of the rest": () => listed(revisions.old, "cd", { start: "d\0", remaining: 1 }),
  "400": () => refused(400, "BadRequest", "specifying resource version is not allowed when using continue"),
  "410": () => refused(410, "Expired", "The resourceVersion for the provided list is too old."),
  "422 unset": () => invalid(unset),
  "422 zero": () => invalid(zero),
  "422 continue": () => invalid(besideContinue),
  "422 unset, continue": () => invalid(unset, besideContinue),
  "422 continue, zero": () => invalid(besideContinue, zero),
  "500": () => refused(500, undefined, "etcdserver: mvcc: required revision is a future revision"),
  "504": () => tooLarge(),
} as const;
type Outcome = keyof typeof outcomes;

const unset = "resourceVersionMatch is forbidden unless resourceVersion is provided";
const zero = 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"';
const besideContinue = "resourceVersionMatch is forbidden when continue is provided";

const table: readonly (readonly [
  Revision,
  Match,
  all: Outcome,
  limit: Outcome,
  go: Outcome,
  both: Outcome,
])[] = [
  ["unset", "unset", "new", "page of new", "rest of old", "page of the rest"],
  ["0", "unset", "new", "new", "rest of old", "page of the rest"],
  ["gone", "unset", "new", "410", "400", "400"],
  ["old", "unset", "new", "page of old", "400", "400"],
  ["new", "unset", "new", "page of new", "400", "400"],
  ["future", "unset", "504", "500", "400", "400"],
  ["unset", "Exact", "422 unset", "422 unset", "422 unset, continue", "422 unset, continue"],
  ["0", "Exact", "422 zero", "422 zero", "422 continue, zero", "422 continue, zero"],
  ["gone", "Exact", "410", "410", "422 continue", "422 continue"],
  ["old", "Exact", "old", "page of old", "422 continue", "422 continue"],
  ["new", "Exact", "new", "page of new", "422 continue", "422 continue"],
  ["future", "Exact", "500", "500", "422 continue", "422 continue"],
  ["unset", "NotOlderThan", "422 unset", "422 unset", "422 unset, continue", "422 unset, continue"],
  ["0", "NotOlderThan", "new", "new", "422 continue", "422 continue"],
  ["gone", "NotOlderThan", "new", "page of the cache", "422 continue", "422 continue"],
  ["old", "NotOlderThan", "new", "page of the cache", "422 continue", "422 continue"],
  ["new", "NotOlderThan", "new", "page of the cache", "422 continue", "422 continue"],
  ["future", "NotOlderThan", "504", "504", "422 continue", "422 continue"],
];

describe.each(table)("a list at %s with the match %s", (revision, match, all, limit, go, both) => {
  test.each([
    ["whole", {}, all],
    ["with a limit", { limit: "2" }, limit],
    ["with a token", { continue: "token" }, go],
    ["with a limit and a token", { limit: "2", continue: "token" }, both],
  ] as const)("%s: %j gives %s", async (_title, more, outcome) => {
    const query = new URLSearchParams(more);
    if (query.has("continue")) query.set("continue", token);
    if (revision !== "unset") query.set("resourceVersion", revision === "0" ? "0" : revisions[revision]);
    if (match !== "unset") query.set("resourceVersionMatch", match);
    expect(outcomeOf(await get(`${maps.path}?${query}`))).toEqual(outcomes[outcome]());
  });
});

/** A query with values instead of the names of revisions and the token. */
function filled(query: string): string {
  const { gone, old, new: newest, future } = revisions;
  const values: Readonly<Record<string, string>> = {
    GONE: gone,
    OLD: old,
    NEW: newest,
    FUTURE: future,
    TOKEN: token,
  };
  return query.replace(/[A-Z]{3,}$/, (name) => values[name] ?? name);
}

describe("a list of the one object that can match", () => {
  test.each<[query: string, outcome: () => unknown]>([
    ["limit=1", () => listed(revisions.new, "a")],
    // Storage does not page this list, so a limit does not need the revision of a page.
    ["limit=1&resourceVersion=OLD", () => listed(revisions.new, "a")],
    ["limit=1&resourceVersion=GONE", () => listed(revisions.new, "a")],
    ["resourceVersionMatch=Exact&resourceVersion=OLD", () => listed(revisions.old, "a")],
    ["resourceVersionMatch=Exact&resourceVersion=GONE", outcomes["410"]],
    ["resourceVersionMatch=Exact&resourceVersion=FUTURE", outcomes["500"]],
    ["resourceVersion=FUTURE", () => tooLarge()],
    ["limit=1&resourceVersion=FUTURE", () => tooLarge({ retryAfter: undefined })],
    // A continued list is not read like that.
    ["limit=1&continue=TOKEN", () => listed(revisions.old, "")],
  ])("%s", async (query, outcome) => {
    const answer = await get(`${maps.path}?fieldSelector=metadata.name%3Da&${filled(query)}`);
    expect(outcomeOf(answer)).toEqual(outcome());
  });

  test.each([
    ["at its old state", "metadata.name%3Dd&resourceVersionMatch=Exact&resourceVersion=OLD", "d"],
    ["gone", "metadata.name%3Dd", ""],
    ["of another namespace", "metadata.name%3Da,metadata.namespace%3Ddefault", ""],
    ["with other labels", "metadata.name%3Da&labelSelector=x", ""],
  ])("%s", async (_title, selector, names) => {
    const { items } = await maps.list(`fieldSelector=${filled(selector)}`);
    expect(items.map(({ metadata }) => metadata.name).join("")).toBe(names);
  });
});

describe("a get", () => {
  const found = () => ({ name: "a" });
  test.each<[resourceVersion: string, outcome: () => unknown]>([
    ["", found],
    ["0", found],
    ["GONE", found],
    ["OLD", found],
    ["FUTURE", () => tooLarge()],
    ["abc", () => refused(500, undefined, unparsable("abc", "invalid syntax"))],
    ["-1", () => refused(500, undefined, unparsable("-1", "invalid syntax"))],
    [
      "18446744073709551616",
      () => refused(500, undefined, unparsable("18446744073709551616", "value out of range")),
    ],
  ])("at %j", async (resourceVersion, outcome) => {
    const answer = await get(`${maps.path}/a?resourceVersion=${filled(resourceVersion)}`);
    const { metadata } = JSON.parse(answer.text);
    expect(answer.status === 200 ? { name: metadata.name } : outcomeOf(answer)).toEqual(outcome());
  });

  test("waits for a future revision until it is written", async () => {
    const own = new QuietServer();
    const written = new ConfigMaps(own, "written");
    await written.begin("a");
    const next = String(Number(await own.revision()) + 1);
    const waiting = own.ask({ method: "GET", target: `${written.path}/a?resourceVersion=${next}` });
    await written.update("a");
    expect(JSON.parse((await waiting).text)).toMatchObject({ metadata: { resourceVersion: next } });
  });
});

test("an error contains a revision beyond doubles as it was sent", async () => {
  const { text } = await get(`${maps.path}?resourceVersion=9007199254740993`);
  expect(JSON.parse(text).message).toMatch(
    /^Timeout: Too large resource version: 9007199254740993, current: \d+$/,
  );
});

test("decoding errors come first, then contradictions, then unsupported fields of the kind", async () => {
  const messageOf = async (query: string) => JSON.parse((await get(`${maps.path}?${query}`)).text).message;
  const contradiction = "resourceVersionMatch=Exact";
  const unknownField = "fieldSelector=spec.x%3Dy";
  expect(await messageOf(`limit=&labelSelector=a,,b&${contradiction}`)).toBe(
    'strconv.ParseInt: parsing "": invalid syntax',
  );
  expect(await messageOf(`labelSelector=a,,b&${contradiction}`)).toMatch(/^found ','/);
  expect(await messageOf(`fieldSelector=x&${contradiction}`)).toMatch(/^invalid selector: 'x'/);
  expect(await messageOf(`${unknownField}&${contradiction}`)).toContain(unset);
  expect(await messageOf(`${unknownField}&continue=x`)).toContain("is not a known field selector");
  expect(await messageOf("continue=x&resourceVersion=1")).toMatch(/^invalid continue token/);
});

function get(target: string): Promise<RawAnswer> {
  return server.ask({ method: "GET", target });
}

interface Rest {
  readonly start: string;
  readonly remaining: number;
}

function listed(revision: string, names: string, rest?: Rest) {
  const goesOn = rest && { token: { rv: Number(revision), start: rest.start }, remaining: rest.remaining };
  return { status: 200, revision, names, ...goesOn };
}

function refused(status: number, reason: string | undefined, message: string, more: object = {}) {
  return { status, reason, message, ...more };
}

function invalid(...details: readonly string[]) {
  const errors = details.map((detail) => `resourceVersionMatch: Forbidden: ${detail}`);
  const all = errors.length === 1 ? errors[0] : `[${errors.join(", ")}]`;
  const causes = details.map((detail) => ({
    reason: "FieldValueForbidden",
    message: `Forbidden: ${detail}`,
    field: "resourceVersionMatch",
  }));
  const message = `ListOptions.meta.k8s.io "" is invalid: ${all}`;
  return refused(422, "Invalid", message, { details: { group: "meta.k8s.io", kind: "ListOptions", causes } });
}

function tooLarge({ retryAfter }: { retryAfter: number | undefined } = { retryAfter: 1 }) {
  const { future, new: current } = revisions;
  return refused(504, "Timeout", `Timeout: Too large resource version: ${future}, current: ${current}`, {
    details: {
      causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
      ...(retryAfter !== undefined && { retryAfterSeconds: retryAfter }),
    },
    ...(retryAfter !== undefined && { retryAfter: String(retryAfter) }),
  });
}

function unparsable(text: string, problem: string): string {
  return `resourceVersion: Invalid value: "${text}": strconv.ParseUint: parsing "${text}": ${problem}`;
}

/** A response in the format of `listed` and `refused`. */
function outcomeOf({ status, headers, text }: RawAnswer) {
  const { metadata, items = [], reason, message, details } = JSON.parse(text);
  const retryAfter = headers.get("retry-after");
  if (status !== 200) {
    return refused(status, reason, message, {
      ...(details && { details }),
      ...(retryAfter && { retryAfter }),
    });
  }
  const names = items.map((item: { metadata: { name: string } }) => item.metadata.name).join("");
  const { resourceVersion: revision, continue: next, remainingItemCount: remaining } = metadata;
  return { status, revision, names, ...(next && { token: decodeToken(next), remaining }) };
}
