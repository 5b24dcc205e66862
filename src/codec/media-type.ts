/** One clause of an Accept header. */
export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  readonly parameters: ReadonlyMap<string, string>;
  /** The weight, 1 if not given. */
  readonly q: number;
}

const anything: AcceptClause = { type: "*", subtype: "*", parameters: new Map(), q: 1 };

/**
 * The clauses of an Accept header in the order in which they are tried: by weight, then the more specific ones first;
 * otherwise as sent. No header accepts anything.
 */
export function parseAccept(header: string): readonly AcceptClause[] {
  if (header.trim() === "") return [anything];
  return header
    .split(",")
    .map(parseClause)
    .filter((clause) => clause !== undefined)
    .toSorted((a, b) => b.q - a.q || specificity(b) - specificity(a));
}

/** The media type of a Content-Type header, without its parameters. */
export function parseContentType(header: string): string {
  return (header.split(";")[0] ?? "").trim().toLowerCase();
}

function parseClause(text: string): AcceptClause | undefined {
  const [name = "", ...rest] = text.split(";").map((part) => part.trim());
  const [type = "", subtype = ""] = name.split("/");
  if (type === "") return undefined;
  const parameters = new Map<string, string>();
  for (const parameter of rest) {
    const equals = parameter.indexOf("=");
    if (equals > 0) parameters.set(parameter.slice(0, equals).trim(), parameter.slice(equals + 1).trim());
  }
  const q = Number.parseFloat(parameters.get("q") ?? "1");
  return { type, subtype, parameters, q: Number.isNaN(q) ? 1 : q };
}

function specificity({ type, subtype }: AcceptClause): number {
  return Number(type !== "*") + Number(subtype !== "*");
}
