import { parseDurationMilliseconds } from "../apimachinery/duration.ts";
import type { OptionTitle, OptionType } from "../apimachinery/option-checks.ts";
import { oneOf, text } from "../apimachinery/option-types.ts";
import type { TokenWebhookConfig } from "../authentication/contract/authentication-config.ts";
import type { WebhookTarget } from "../webhooks/webhook-target.ts";
import { duration } from "./duration-option.ts";
import { isObject } from "./option-types.ts";

/** The options of a webhook that authenticates tokens. */
export interface TokenWebhookOptions {
  /**
   * The webhook that authenticates bearer tokens: a function that answers a TokenReview, or the text of a file in the format of a
   * kubeconfig with its address: `--authentication-token-webhook-config-file`. Default: none.
   */
  readonly authenticationTokenWebhookConfig?: WebhookTarget;
  /** The version of the TokenReviews that are sent: `--authentication-token-webhook-version`. Default: "v1beta1". */
  readonly authenticationTokenWebhookVersion?: "v1" | "v1beta1";
  /** How long the answer to a token counts: `--authentication-token-webhook-cache-ttl`. Default: "2m". */
  readonly authenticationTokenWebhookCacheTtl?: string;
}

/** A webhook of the cluster's owner. */
export const webhookTarget: OptionType = {
  accepts: "a function that answers a review, or the text of a kubeconfig",
  isValid: (value) =>
    typeof value === "function" ||
    text.isValid(value) ||
    (isObject(value) && text.isValid(value["text"]) && typeof value["readFile"] === "function"),
};

/** A webhook that objects of the cluster name. */
export const webhookEndpoint: OptionType = {
  accepts: 'a function that answers a review, or an https address such as "https://127.0.0.1:9443"',
  isValid: (value) =>
    typeof value === "function" ||
    (typeof value === "string" && URL.canParse(value) && new URL(value).protocol === "https:"),
};

/** What each option accepts. */
export const tokenWebhookOptionTypes: {
  readonly [option in keyof Required<TokenWebhookOptions>]: OptionType;
} = {
  authenticationTokenWebhookConfig: webhookTarget,
  authenticationTokenWebhookVersion: oneOf("v1", "v1beta1"),
  authenticationTokenWebhookCacheTtl: duration,
};

/** Sets the defaults of the options; undefined without a webhook. @throws {Error} for options that have no effect without one */
export function completeTokenWebhookOptions(
  options: TokenWebhookOptions,
  title: OptionTitle,
): TokenWebhookConfig | undefined {
  const { authenticationTokenWebhookConfig: target } = options;
  if (target === undefined) {
    for (const option of [
      "authenticationTokenWebhookVersion",
      "authenticationTokenWebhookCacheTtl",
    ] as const) {
      if (options[option] === undefined) continue;
      throw new Error(`${title(option)} has no effect without ${title("authenticationTokenWebhookConfig")}`);
    }
    return undefined;
  }
  return {
    target,
    title: title("authenticationTokenWebhookConfig"),
    version: options.authenticationTokenWebhookVersion ?? "v1beta1",
    cacheMilliseconds: parseDurationMilliseconds(options.authenticationTokenWebhookCacheTtl ?? "2m"),
  };
}
