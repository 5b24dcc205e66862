import { aggregateText } from "../apimachinery/errors/aggregate.ts";
import type {
  Authorization,
  AuthorizationAttributes,
  AuthorizationOf,
  Authorizer,
  Decision,
  NamedAuthorization,
  RuleResolver,
  SubjectRules,
} from "./contract/authorizer.ts";

/**
 * Asks the authorizers in order: the first that allows or denies decides. Without one, the reasons and errors of all
 * count. Upstream: apiserver, pkg/authorization/union.
 */
export function union(modes: readonly NamedMode[]): AuthorizationOf {
  return (state): Authorization => {
    const members = modes.map(({ name, of }): NamedAuthorization => ({ name, authorization: of(state) }));
    return {
      authorize: unionOfAuthorizers(members.map(({ authorization }) => authorization.authorize)),
      rulesFor: unionOfRules(members.map(({ authorization }) => authorization.rulesFor)),
      members,
    };
  };
}

/** A mode that a union asks. */
export interface NamedMode {
  readonly name: string;
  readonly of: AuthorizationOf;
}

function unionOfAuthorizers(authorizers: readonly Authorizer[]): Authorizer {
  return (attributes) => decide(authorizers, attributes, 0, []);
}

/** Continues with the authorizer at `next`. Waits only for an authorizer that does. */
function decide(
  authorizers: readonly Authorizer[],
  attributes: AuthorizationAttributes,
  next: number,
  undecided: readonly Decision[],
): Promise<Decision> | Decision {
  for (let index = next, before = undecided; ; index++) {
    const authorize = authorizers[index];
    if (authorize === undefined) return noOpinion(before);
    const decision = authorize(attributes);
    if (decision instanceof Promise) {
      const known = before;
      return decision.then((made) =>
        made.verdict === "noOpinion" ? decide(authorizers, attributes, index + 1, [...known, made]) : made,
      );
    }
    if (decision.verdict !== "noOpinion") return decision;
    before = [...before, decision];
  }
}

function noOpinion(decisions: readonly Decision[]): Decision {
  const reason = decisions.flatMap((decision) => decision.reason || []).join("\n");
  const errors = decisions.flatMap(({ error }) => error ?? []);
  return { verdict: "noOpinion", reason, ...(errors.length > 0 && { error: aggregateText(errors) }) };
}

function unionOfRules(resolvers: readonly RuleResolver[]): RuleResolver {
  return (user, namespace) => {
    const found: readonly SubjectRules[] = resolvers.map((resolve) => resolve(user, namespace));
    return {
      rules: found.flatMap(({ rules }) => rules),
      isIncomplete: found.some(({ isIncomplete }) => isIncomplete),
      errors: found.flatMap(({ errors }) => errors),
    };
  };
}
