import type { Exchange } from "./exchange.ts";

/** Where the recorded server, a 1.33.1 emulating 1.32, differs from a true 1.32, or the record from the server. */
interface Correction {
  /** Why a true 1.32, or the server's own answer, differs. */
  readonly reason: string;
  readonly concerns: (exchange: Exchange) => boolean;
  readonly correct: (exchange: Exchange) => Exchange;
}

const corrections: readonly Correction[] = [
  {
    reason: "/version of 1.32 has no emulation fields, and its build is its own",
    concerns: ({ req }) => req.method === "GET" && /^\/version\/?$/.test(req.path),
    correct: (exchange) => withBody(exchange, versionOf132),
  },
  {
    reason:
      "the discovery document of the issuer has no newline at its end, which the recording does not show",
    concerns: ({ req }) => req.path === "/.well-known/openid-configuration",
    correct: (exchange) => (exchange.res.status === 200 ? withBody(exchange, JSON.stringify) : exchange),
  },
  {
    reason: "Pods in 1.32 have no generation",
    concerns: ({ req }) => /\/pods(\/|\?|$)/.test(req.path),
    correct: (exchange) => withBody(exchange, withoutPodGeneration),
  },
  {
    reason: "1.33 introduced warnings for v1 Endpoints",
    concerns: ({ req }) => /\/endpoints(\/|\?|$)/.test(req.path),
    correct: (exchange) => {
      const { Warning: _, ...headers } = exchange.res.headers;
      return { ...exchange, res: { ...exchange.res, headers } };
    },
  },
  {
    reason: "1.33 moved the age of a ResourceQuota to the end of its row",
    concerns: ({ req }) => /\/resourcequotas(\?|$)/.test(req.path),
    correct: (exchange) => withBody(exchange, withAgeAfterName),
  },
  {
    reason: "this record has the last of several headers with the same name; /openapi/v2 has two for Vary",
    concerns: ({ req, res }) => /^\/openapi\/v2(\?|$)/.test(req.path) && "Vary" in res.headers,
    correct: (exchange) => {
      const headers = { ...exchange.res.headers, Vary: ["Accept-Encoding", "Accept"] };
      return { ...exchange, res: { ...exchange.res, headers } };
    },
  },
  {
    reason: "upstream reports the errors of properties in random order, here they have that of the names",
    concerns: ({ note }) => note === "cr: types" || note === "cr: limits",
    correct: (exchange) => withBody(exchange, withSortedCauses),
  },
  {
    reason: "the revisionHistoryLimit of a StatefulSet cannot be changed before 1.33",
    concerns: ({ req }) => /\/statefulsets\//.test(req.path),
    correct: (exchange) => withBody(exchange, (body) => without(body, "'revisionHistoryLimit', ")),
  },
];

interface InvalidStatus {
  readonly message: string;
  readonly details: { readonly causes: readonly { readonly field: string; readonly message: string }[] };
}

/** A 422 whose causes are sorted by field. Those of accessors, which begin with a dot, stay behind. */
function withSortedCauses(body: unknown): unknown {
  const status = body as InvalidStatus;
  const rank = (field: string) => field.replace(/^\./, "~");
  const causes = status.details.causes.toSorted((a, b) => (rank(a.field) < rank(b.field) ? -1 : 1));
  const [subject] = status.message.split(" is invalid: ");
  const all = causes.map(({ field, message }) => `${field}: ${message}`).join(", ");
  return { ...status, message: `${subject} is invalid: [${all}]`, details: { ...status.details, causes } };
}

/** The exchange that a true 1.32 would have had. */
export function corrected(exchange: Exchange): Exchange {
  return corrections
    .filter(({ concerns }) => concerns(exchange))
    .reduce((result, { correct }) => correct(result), exchange);
}

/** Pods, and their metadata in rows of Tables, without the generation that 1.33 introduced. */
function withoutPodGeneration(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(withoutPodGeneration);
  if (typeof body !== "object" || body === null) return body;
  const entries = Object.entries(body).map(([key, value]) => [
    key,
    key === "metadata" ? withoutGeneration(value) : withoutPodGeneration(value),
  ]);
  return Object.fromEntries(entries);
}

function withoutGeneration(metadata: unknown): unknown {
  if (typeof metadata !== "object" || metadata === null) return metadata;
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => key !== "generation"));
}

/** The body without a part of its texts. */
function without(body: unknown, piece: string): unknown {
  return JSON.parse(JSON.stringify(body).replaceAll(piece, ""));
}

interface QuotaTable {
  readonly kind?: string;
  readonly columnDefinitions: readonly unknown[];
  readonly rows: readonly { readonly cells: readonly unknown[] }[];
}

function withAgeAfterName(body: unknown): unknown {
  const table = body as QuotaTable | undefined;
  if (table?.kind !== "Table") return body;
  const inOrder = ([name, request, limit, age]: readonly unknown[]) => [name, age, request, limit];
  const rows = table.rows.map((row) => ({ ...row, cells: inOrder(row.cells) }));
  return { ...table, columnDefinitions: inOrder(table.columnDefinitions), rows };
}

const emulationFields = /^ {2}"(emulation|minCompatibility)(Major|Minor)": .*\n/gm;

/** Values of the build are not compared: `…` matches any text. */
function versionOf132(body: unknown): unknown {
  return String(body)
    .replace(emulationFields, "")
    .replace('"minor": "33"', '"minor": "32"')
    .replace(/"(git\w+|buildDate|goVersion|compiler|platform)": "[^"]*"/g, '"$1": "…"');
}

function withBody(exchange: Exchange, change: (body: unknown) => unknown): Exchange {
  return { ...exchange, res: { ...exchange.res, body: change(exchange.res.body) } };
}
