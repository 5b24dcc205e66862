import type { MatcherResult } from "./cluster-matchers.ts";

/** A condition that an object should have, besides its type. */
export interface ExpectedCondition {
  /** Default: "True". */
  readonly status?: "True" | "False" | "Unknown";
  /** Default: any. */
  readonly reason?: string;
  /** The whole message, or a pattern that it has to match. Default: any. */
  readonly message?: string | RegExp;
  /** The generation of the object that the condition describes. Default: any. */
  readonly observedGeneration?: number;
}

type Condition = { readonly [member in keyof ExpectedCondition | "type"]?: unknown };

/** Passes if the status of an object has this condition, and every given member has this value. @throws {Error} for what is no object */
export function toHaveCondition(
  received: unknown,
  type: string,
  { status = "True", ...others }: ExpectedCondition = {},
): MatcherResult {
  if (typeof received !== "object" || received === null) {
    throw new Error(`toHaveCondition needs an object with a status, not ${JSON.stringify(received)}`);
  }
  const conditions = conditionsOf(received);
  const condition = conditions.find((one) => one.type === type);
  const problems = condition === undefined ? [] : problemsOf(condition, { status, ...others });
  return {
    pass: condition !== undefined && problems.length === 0,
    message: () => {
      if (condition === undefined) return `The object has no condition ${type}. ${shown(conditions)}`;
      if (problems.length > 0) return `The condition ${type} differs:\n${problems.join("\n")}`;
      return `Expected the object not to have this condition:\n  ${JSON.stringify(condition)}`;
    },
  };
}

function conditionsOf(object: object): readonly Condition[] {
  // Any object may have these members.
  const { status } = object as { readonly status?: { readonly conditions?: unknown } | null };
  const conditions = status?.conditions;
  if (!Array.isArray(conditions)) return [];
  return conditions.filter((one): one is Condition => typeof one === "object" && one !== null);
}

function problemsOf(condition: Condition, expected: ExpectedCondition): readonly string[] {
  const members = ["status", "reason", "message", "observedGeneration"] as const;
  return members.flatMap((member) => {
    const [is, wanted] = [condition[member], expected[member]];
    const isMet = wanted instanceof RegExp ? typeof is === "string" && is.search(wanted) >= 0 : is === wanted;
    if (wanted === undefined || isMet) return [];
    const text = wanted instanceof RegExp ? String(wanted) : JSON.stringify(wanted);
    return [`  ${member} is ${JSON.stringify(is)}, expected ${text}`];
  });
}

function shown(conditions: readonly Condition[]): string {
  if (conditions.length === 0) return "It has no conditions";
  return `It has ${conditions.map(({ type, status }) => `${String(type)} (${String(status)})`).join(", ")}`;
}
