import { literally, type Statement, tryCreate } from "../statement.ts";

export const core = "/api/v1/namespaces/default";
export const pods = "/api/v1/namespaces/default/pods";

/** A kind, and how a case of it becomes an object. */
interface KindOfCases {
  /** What has the property that a title names. */
  readonly subject: string;
  /** The tests of upstream from which the cases are. */
  readonly source: string;
  readonly target: string;
  /** Where the changes belong. */
  readonly body: (changes: object) => object;
}

/** A property, the changes that make it, and the field of the first error; undefined if the object is accepted. */
export type KindCase = readonly [
  title: string,
  changes: object,
  refusedAt?: string | undefined,
  metadata?: object,
];

/** The statements of a table. A value of an object is accepted or refused as its kind says in all releases since 1.29. */
export function kindStatements(kind: KindOfCases, cases: readonly KindCase[]): readonly Statement[] {
  const { subject, source, target, body } = kind;
  return cases.map(([title, changes, refusedAt, metadata]) => ({
    source,
    says: `${subject} with ${title} is ${refusedAt === undefined ? "accepted" : "refused"}`,
    request: tryCreate(target, { metadata: { name: "n", ...metadata }, ...body(changes) }),
    code: refusedAt === undefined ? 201 : 422,
    ...(refusedAt !== undefined && { answer: literally(`${refusedAt}: `) }),
    since: "1.29",
  }));
}

export function letters(count: number): string {
  return "a".repeat(count);
}

/** A spec of a Pod that no service account changes. */
export function podSpec(changes: object): object {
  return {
    spec: { containers: [{ name: "c", image: "i" }], automountServiceAccountToken: false, ...changes },
  };
}
