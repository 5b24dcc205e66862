import type { OptionTitle, OptionType } from "../apimachinery/option-checks.ts";
import { oneOf, oneOrList, text } from "../apimachinery/option-types.ts";
import { type AbacPolicy, parsePolicyFile } from "../authorization/abac/policy-file.ts";
import { type AuthorizationMode, authorizationModes, modesProblem } from "../authorization/modes.ts";

/**
 * The options of authorization. They have the names of kube-apiserver's flags; where a flag takes the path of a file, the
 * option takes its text.
 */
export interface AuthorizationOptions {
  /**
   * How requests are authorized: all are allowed, none, those that the roles in the cluster allow, those that nodes need, or
   * those that a policy allows; in a list, the first mode that has an opinion decides: `--authorization-mode`. Members of
   * `system:masters` may do everything. Default: "AlwaysAllow".
   */
  readonly authorizationMode?: AuthorizationMode | readonly AuthorizationMode[];
  /** The policies of the mode "ABAC", one in JSON a line: `--authorization-policy-file`. */
  readonly authorizationPolicy?: string;
}

/** What each option accepts. */
export const authorizationOptionTypes: {
  readonly [option in keyof Required<AuthorizationOptions>]: OptionType;
} = {
  authorizationMode: oneOrList(oneOf(...authorizationModes)),
  authorizationPolicy: text,
};

/** The completed options of authorization. */
export interface AuthorizationConfig {
  /** The modes in the order in which they are asked. */
  readonly modes: readonly AuthorizationMode[];
  readonly policies: readonly AbacPolicy[];
}

/**
 * Sets the defaults of the options.
 * @throws {Error} with upstream's text, for modes that cannot be used and policies that cannot be read
 */
export function completeAuthorizationOptions(
  { authorizationMode = "AlwaysAllow", authorizationPolicy }: AuthorizationOptions,
  title: OptionTitle,
): AuthorizationConfig {
  const modes = [authorizationMode].flat();
  const problem = modesProblem(modes) ?? policyProblem(modes.includes("ABAC"), authorizationPolicy);
  if (problem !== undefined) throw new Error(`${title("authorizationMode")}: ${problem}`);
  return { modes, policies: parsePolicyFile(authorizationPolicy ?? "", title("authorizationPolicy")) };
}

function policyProblem(isNeeded: boolean, policy: string | undefined): string | undefined {
  if (isNeeded && policy === undefined) {
    return "authorization-mode ABAC's authorization policy file not passed";
  }
  if (isNeeded || policy === undefined) return undefined;
  return "cannot specify --authorization-policy-file without mode ABAC";
}
