import type { Bindings } from "./bindings.ts";
import type { Difference } from "./compare.ts";
import type { Exchange } from "./exchange.ts";

/** The head of a response of this server; the names of headers are in lower case. */
export interface AnsweredHeaders {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
}

const uid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d (GMT|UTC)$/;

/** What the headers of a response depend on. */
export type RecordedExchange = Pick<Exchange, "req" | "res" | "names">;

/** Headers that a port adds, which the replay does without. */
const ofThePort: ReadonlySet<string> = new Set(["transfer-encoding", "content-length"]);

/** Headers with a time: only their form is compared. */
const times: ReadonlySet<string> = new Set(["date", "last-modified", "expires"]);

/** The documents of the issuer of tokens, which clients may cache. */
const issuerDocuments: ReadonlySet<string> = new Set([
  "/.well-known/openid-configuration",
  "/openid/v1/jwks",
]);

/**
 * The headers of every response that the recordings leave out, and the form of their values. The real server sends
 * those of priority and fairness unless the client is not authenticated or may not impersonate.
 */
const unrecorded = ({ req, res, names = "kubernetes" }: RecordedExchange): ReadonlyMap<string, RegExp> => {
  const isUnclassified =
    res.status === 401 || /cannot impersonate|without impersonating a user/.test(JSON.stringify(res.body));
  const isCached = res.status === 200 && issuerDocuments.has(req.path);
  const always: readonly (readonly [string, RegExp])[] = [
    ["audit-id", uid],
    ["cache-control", isCached ? /^public, max-age=3600$/ : /^no-cache, private$/],
    ["date", httpDate],
  ];
  const flow: readonly (readonly [string, RegExp])[] = [
    [`x-${names}-pf-flowschema-uid`, uid],
    [`x-${names}-pf-prioritylevel-uid`, uid],
  ];
  return new Map([...always, ...(isUnclassified ? [] : flow)]);
};

/** Every difference between the whole sets of headers. */
export function compareHeaders(
  recorded: RecordedExchange,
  answer: AnsweredHeaders,
  bindings: Bindings,
): readonly Difference[] {
  const expected = new Map(
    Object.entries(recorded.res.headers).map(([name, value]) => [name.toLowerCase(), joined(value)]),
  );
  const added = [...unrecorded(recorded)].filter(([name]) => !expected.has(name));
  const known = new Set([...expected.keys(), ...added.map(([name]) => name), ...ofThePort]);
  return [
    ...[...expected].flatMap(([name, value]) => compareHeader(name, value, answer, bindings)),
    ...added.flatMap(([name, form]) => {
      const actual = answer.headers.get(name);
      return actual !== undefined && form.test(actual)
        ? []
        : [{ path: name, recorded: String(form), actual }];
    }),
    ...[...answer.headers]
      .filter(([name]) => !known.has(name))
      .map(([name, actual]) => ({ path: name, recorded: undefined, actual })),
  ];
}

function joined(value: string | readonly string[]): string {
  return typeof value === "string" ? value : value.join(", ");
}

function compareHeader(
  name: string,
  recorded: string,
  { headers }: AnsweredHeaders,
  bindings: Bindings,
): readonly Difference[] {
  const actual = headers.get(name);
  if (ofThePort.has(name) || isSameValue(name, recorded, actual, bindings)) return [];
  return [{ path: name, recorded, actual }];
}

function isSameValue(
  name: string,
  recorded: string,
  actual: string | undefined,
  bindings: Bindings,
): boolean {
  if (actual === undefined || actual === recorded) return actual === recorded;
  const withoutHash = (text: string) => text.replace(/hash=[0-9A-F]{128}/, "");
  if (times.has(name)) return httpDate.test(recorded) && httpDate.test(actual);
  if (name === "etag") return /^"[0-9A-F]{128}"$/.test(actual) && bindings.bind("etag", recorded, actual);
  return name === "location" && withoutHash(actual) === withoutHash(recorded);
}
