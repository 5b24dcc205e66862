import type { AdmissionReport, AdmissionStep } from "../index.ts";
import type { MatcherResult } from "./cluster-matchers.ts";
import { hasMember } from "./received-cluster.ts";

/** What `toBeDenied` compares. */
export interface ExpectedDenial {
  /** The message of the refusal or of the policy or webhook, or a pattern that finds a part of it. */
  readonly message?: string | RegExp;
  /** What denies the request: the name of a plugin, a webhook, a policy, or a configuration or binding of one. */
  readonly by?: string | RegExp;
}

/** Passes if the cluster admits what `cluster.admit` sent. @throws {Error} for what is no report */
export function toBeAdmitted(received: unknown): MatcherResult {
  const { admitted, text } = receivedReport(received, "toBeAdmitted");
  return {
    pass: admitted,
    message: () => `Expected the request${admitted ? " not" : ""} to be admitted:\n${text}`,
  };
}

/**
 * Passes if admission denies what `cluster.admit` sent, and every given member matches. A refusal by authorization or validation is no
 * denial. @throws {Error} for what is no report
 */
export function toBeDenied(received: unknown, expected: ExpectedDenial = {}): MatcherResult {
  const report = receivedReport(received, "toBeDenied");
  const problems = problemsOf(report, expected);
  const pass = problems.length === 0;
  return {
    pass,
    message: () => {
      if (pass) return `Expected the request not to be denied so:\n${report.text}`;
      return `Expected admission to deny the request${shown(expected)}:\n${problems.join("\n")}\n${report.text}`;
    },
  };
}

function problemsOf(
  { deniedBy, refusal }: AdmissionReport,
  { message, by }: ExpectedDenial,
): readonly string[] {
  if (refusal === undefined) return ["  it was admitted"];
  if (deniedBy === undefined) return ["  it was refused outside admission"];
  const told = [refusal.message ?? "", deniedBy.message];
  const names = namesOf(deniedBy);
  const problems: string[] = [];
  if (message !== undefined && !told.some((one) => matches(one, message))) {
    problems.push(`  the message is ${JSON.stringify(told[0])}`);
  }
  if (by !== undefined && !names.some((name) => matches(name, by))) {
    problems.push(`  it was denied by ${names.join(", ")}`);
  }
  return problems;
}

/** The names of what denies a request, without those that it lacks. */
function namesOf({ plugin, name, source }: AdmissionStep): readonly string[] {
  return [plugin, name, source].filter((one) => one !== "");
}

function matches(text: string, expected: string | RegExp): boolean {
  return typeof expected === "string" ? text === expected : text.search(expected) >= 0;
}

function shown({ message, by }: ExpectedDenial): string {
  const told = message === undefined ? "" : ` with the message ${textOf(message)}`;
  return `${told}${by === undefined ? "" : ` by ${textOf(by)}`}`;
}

function textOf(expected: string | RegExp): string {
  return typeof expected === "string" ? JSON.stringify(expected) : String(expected);
}

/** @throws {TypeError} that says what it is instead, and how to get a report */
function receivedReport(received: unknown, matcher: string): AdmissionReport {
  // Only a report has both.
  if (hasMember(received, "admitted") && hasMember(received, "steps"))
    return received as unknown as AdmissionReport;
  throw new TypeError(`expect(...).${matcher} needs what cluster.admit returns, got ${mistake(received)}`);
}

function mistake(received: unknown): string {
  if (hasMember(received, "then")) return "a promise: await it first";
  if (hasMember(received, "apiVersion")) return "a manifest: pass `await cluster.admit(manifest)`";
  if (hasMember(received, "fork")) return "a cluster: pass `await cluster.admit(object)`";
  return typeof received === "object" && received !== null ? "another object" : String(received);
}
