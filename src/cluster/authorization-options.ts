import { parseDurationMilliseconds } from "../apimachinery/duration.ts";
import type { OptionTitle, OptionType } from "../apimachinery/option-checks.ts";
import { oneOf, oneOrList, text } from "../apimachinery/option-types.ts";
import { type AbacPolicy, parsePolicyFile } from "../authorization/abac/policy-file.ts";
import { type AuthorizationMode, authorizationModes, modesProblem } from "../authorization/modes.ts";
import type { WebhookAuthorizerConfig } from "../authorization/webhook/webhook-authorizer-config.ts";
import type { WebhookTarget } from "../webhooks/webhook-target.ts";
import { duration } from "./duration-option.ts";
import { webhookTarget } from "./webhook-options.ts";

/**
 * The options of authorization. They have the names of kube-apiserver's flags; where a flag takes the path of a file, the
 * option takes its text.
 */
export interface AuthorizationOptions {
  /**
   * How requests are authorized: all are allowed, none, those that the roles in the cluster allow, those that nodes need, or
   * those that a policy or a webhook allows; in a list, the first mode that has an opinion decides: `--authorization-mode`. Members of
   * `system:masters` may do everything. Default: "AlwaysAllow".
   */
  readonly authorizationMode?: AuthorizationMode | readonly AuthorizationMode[];
  /** The policies of the mode "ABAC", one in JSON a line: `--authorization-policy-file`. */
  readonly authorizationPolicy?: string;
  /**
   * The webhook of the mode "Webhook": a function that answers a SubjectAccessReview, or the text of a file in the format of a
   * kubeconfig with its address: `--authorization-webhook-config-file`.
   */
  readonly authorizationWebhookConfig?: WebhookTarget;
  /** The version of the SubjectAccessReviews that are sent: `--authorization-webhook-version`. Default: "v1beta1". */
  readonly authorizationWebhookVersion?: "v1" | "v1beta1";
  /** How long the answer that allows a request counts: `--authorization-webhook-cache-authorized-ttl`. Default: "5m". */
  readonly authorizationWebhookCacheAuthorizedTtl?: string;
  /** The same for other answers: `--authorization-webhook-cache-unauthorized-ttl`. Default: "30s". */
  readonly authorizationWebhookCacheUnauthorizedTtl?: string;
}

/** What each option accepts. */
export const authorizationOptionTypes: {
  readonly [option in keyof Required<AuthorizationOptions>]: OptionType;
} = {
  authorizationMode: oneOrList(oneOf(...authorizationModes)),
  authorizationPolicy: text,
  authorizationWebhookConfig: webhookTarget,
  authorizationWebhookVersion: oneOf("v1", "v1beta1"),
  authorizationWebhookCacheAuthorizedTtl: duration,
  authorizationWebhookCacheUnauthorizedTtl: duration,
};

/** The completed options of authorization. */
export interface AuthorizationConfig {
  /** The modes in the order in which they are asked. */
  readonly modes: readonly AuthorizationMode[];
  readonly policies: readonly AbacPolicy[];
  /** The webhook of the mode "Webhook"; undefined without the mode. */
  readonly webhook: WebhookAuthorizerConfig | undefined;
}

/**
 * Sets the defaults of the options.
 * @throws {Error} with upstream's text, for modes that cannot be used and policies that cannot be read
 */
export function completeAuthorizationOptions(
  options: AuthorizationOptions,
  title: OptionTitle,
): AuthorizationConfig {
  const { authorizationMode = "AlwaysAllow", authorizationPolicy } = options;
  const modes = [authorizationMode].flat();
  const problem = modesProblem(modes) ?? filesProblem(modes, options);
  if (problem !== undefined) throw new Error(`${title("authorizationMode")}: ${problem}`);
  return {
    modes,
    policies: parsePolicyFile(authorizationPolicy ?? "", title("authorizationPolicy")),
    webhook: webhookOf(options, title),
  };
}

/** Upstream: `Validate` of pkg/kubeapiserver/options/authorization.go. */
function filesProblem(
  modes: readonly AuthorizationMode[],
  { authorizationPolicy: policy, authorizationWebhookConfig: webhook }: AuthorizationOptions,
): string | undefined {
  if (modes.includes("ABAC") && policy === undefined) {
    return "authorization-mode ABAC's authorization policy file not passed";
  }
  if (modes.includes("Webhook") && webhook === undefined) {
    return "authorization-mode Webhook's authorization config file not passed";
  }
  if (!modes.includes("ABAC") && policy !== undefined) {
    return "cannot specify --authorization-policy-file without mode ABAC";
  }
  if (modes.includes("Webhook") || webhook === undefined) return undefined;
  return "cannot specify --authorization-webhook-config-file without mode Webhook";
}

/** Upstream's limit for one call of the webhook of the flags. */
const timeoutMilliseconds = 30_000;

const webhookDetails = [
  "authorizationWebhookVersion",
  "authorizationWebhookCacheAuthorizedTtl",
  "authorizationWebhookCacheUnauthorizedTtl",
] as const;

function webhookOf(options: AuthorizationOptions, title: OptionTitle): WebhookAuthorizerConfig | undefined {
  const { authorizationWebhookConfig: target } = options;
  if (target === undefined) {
    const useless = webhookDetails.find((option) => options[option] !== undefined);
    if (useless === undefined) return undefined;
    throw new Error(`${title(useless)} has no effect without ${title("authorizationWebhookConfig")}`);
  }
  const { authorizationWebhookCacheAuthorizedTtl: authorized = "5m" } = options;
  const { authorizationWebhookCacheUnauthorizedTtl: unauthorized = "30s" } = options;
  return {
    name: "webhook",
    target,
    title: title("authorizationWebhookConfig"),
    version: options.authorizationWebhookVersion ?? "v1beta1",
    timeoutMilliseconds,
    authorizedMilliseconds: parseDurationMilliseconds(authorized),
    unauthorizedMilliseconds: parseDurationMilliseconds(unauthorized),
    onFailure: "noOpinion",
    matchConditions: [],
  };
}
