/** The class of an answer, or `none` if the connection ended without one. */
export type StatusClass = "2xx" | "3xx" | "4xx" | "5xx" | "none";

/** What may not happen. */
export type Defect = "crash" | "lost or reordered" | "way in" | "malformed";

/** How many defects of each kind are described; all are counted. */
const described = 10;

/** What an attack has sent and seen so far. */
export class Tally {
  readonly answers: { [name in StatusClass]: number } = { "2xx": 0, "3xx": 0, "4xx": 0, "5xx": 0, none: 0 };
  readonly defects: { [name in Defect]: number } = {
    crash: 0,
    "lost or reordered": 0,
    "way in": 0,
    malformed: 0,
  };
  readonly findings: string[] = [];
  tried = 0;
  /** The longest time to an answer in milliseconds, and the request. */
  slowest = { milliseconds: 0, what: "" };

  /** Counts a request and its answer; `undefined` for a connection that ended without one. */
  count(status: number | undefined, milliseconds = 0, what = ""): void {
    this.tried += 1;
    this.answers[classOf(status)] += 1;
    if (milliseconds > this.slowest.milliseconds) this.slowest = { milliseconds, what };
  }

  found(defect: Defect, description: string): void {
    this.defects[defect] += 1;
    if (this.defects[defect] <= described) this.findings.push(`${defect}: ${description}`);
  }
}

function classOf(status: number | undefined): StatusClass {
  if (status === undefined) return "none";
  if (status < 300) return "2xx";
  if (status < 400) return "3xx";
  return status < 500 ? "4xx" : "5xx";
}
