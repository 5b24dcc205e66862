import { parseDurationMilliseconds } from "../apimachinery/duration.ts";
import { checkOptions, type OptionTitle, type OptionType } from "../apimachinery/option-checks.ts";
import { oneOf, oneOrList, text } from "../apimachinery/option-types.ts";
import { type AbacPolicy, parsePolicyFile } from "../authorization/abac/policy-file.ts";
import type { AuthorizationConfigurationSource } from "../authorization/configuration/authorization-configuration.ts";
import { type AuthorizationMode, authorizationModes, modesProblem } from "../authorization/modes.ts";
import type { WebhookAuthorizerConfig } from "../authorization/webhook/webhook-authorizer-config.ts";
import type { FeatureGates } from "../catalog/feature-gates.ts";
import type { ReviewFunction, WebhookTarget } from "../webhooks/webhook-target.ts";
import type { NamedValues } from "./authentication-options.ts";
import { duration } from "./duration-option.ts";
import { entriesOf, isObject, mapOf } from "./option-types.ts";
import { pemText } from "./pem-option.ts";
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
  /**
   * An AuthorizationConfiguration in YAML or JSON, instead of modes and the webhook above: `--authorization-config`. A function returns the
   * present text, which is read with each request and every minute of the cluster's clock; changes take effect. Default: none.
   */
  readonly authorizationConfiguration?: string | (() => string) | AuthorizationConfigurationFile;
}

/** An AuthorizationConfiguration, and what it names. */
export interface AuthorizationConfigurationFile {
  readonly text: string | (() => string);
  /** Hears why a text that has changed, or that cannot be read, is not in use; metrics count it. Default: nothing else happens. */
  readonly onReloadError?: (error: unknown) => void;
  /** Functions that answer SubjectAccessReviews instead of the addresses of the webhooks with these names. Default: none. */
  readonly webhooks?: NamedValues<ReviewFunction>;
  /** Reads the kubeconfigs of webhooks, and the files that they name. Default: there are none. */
  readonly readFile?: (path: string) => string;
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
  authorizationConfiguration: {
    accepts: "text, a function that returns text, or an object with text and webhooks",
    isValid: (value) => pemText.isValid(value) || isObject(value),
  },
};

const anyFunction: OptionType = {
  accepts: "a function",
  isValid: (value) => typeof value === "function",
};

const configurationFileTypes: {
  readonly [option in keyof Required<AuthorizationConfigurationFile>]: OptionType;
} = {
  text: { ...pemText, isRequired: true },
  onReloadError: anyFunction,
  webhooks: mapOf(anyFunction),
  readFile: anyFunction,
};

/** The completed options of authorization. */
export interface AuthorizationConfig {
  /** The modes in the order in which they are asked. */
  readonly modes: readonly AuthorizationMode[];
  readonly policies: readonly AbacPolicy[];
  /** The webhook of the mode "Webhook"; undefined without the mode. */
  readonly webhook: WebhookAuthorizerConfig | undefined;
  /** Takes the place of modes and webhook; undefined without a configuration. */
  readonly configuration: AuthorizationConfigurationSource | undefined;
}

/**
 * Sets the defaults of the options.
 * @throws {Error} with upstream's text, for modes that cannot be used and policies that cannot be read
 */
export function completeAuthorizationOptions(
  options: AuthorizationOptions,
  title: OptionTitle,
  gates: FeatureGates,
): AuthorizationConfig {
  const { authorizationMode = "AlwaysAllow", authorizationPolicy } = options;
  const configuration = configurationOf(options, title, gates);
  const modes = configuration === undefined ? [authorizationMode].flat() : [];
  const problem = configuration === undefined && (modesProblem(modes) ?? filesProblem(modes, options));
  if (problem) throw new Error(`${title("authorizationMode")}: ${problem}`);
  return {
    modes,
    policies: parsePolicyFile(authorizationPolicy ?? "", title("authorizationPolicy")),
    webhook: webhookOf(options, title),
    configuration,
  };
}

/** @throws {Error} with upstream's text, for options that a configuration excludes */
function configurationOf(
  options: AuthorizationOptions,
  title: OptionTitle,
  gates: FeatureGates,
): AuthorizationConfigurationSource | undefined {
  const { authorizationConfiguration: given, authorizationPolicy } = options;
  if (given === undefined) return undefined;
  if (!gates.since("1.29") || !gates.isEnabled("StructuredAuthorizationConfiguration")) {
    throw new Error(
      `${title("authorizationConfiguration")}: --authorization-config cannot be used without enabling the StructuredAuthorizationConfiguration feature flag`,
    );
  }
  const legacy = ["authorizationMode", "authorizationWebhookConfig", ...webhookDetails] as const;
  if (legacy.some((option) => options[option] !== undefined)) {
    throw new Error(
      `${title("authorizationConfiguration")}: --authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined`,
    );
  }
  const file: AuthorizationConfigurationFile =
    typeof given === "string" || typeof given === "function" ? { text: given } : given;
  checkOptions(title("authorizationConfiguration"), file, configurationFileTypes);
  return {
    text: file.text,
    onReloadError: file.onReloadError ?? (() => {}),
    webhooks: new Map(entriesOf(file.webhooks ?? {})),
    readFile: file.readFile ?? noFiles,
    title: title("authorizationConfiguration"),
    hasPolicies: authorizationPolicy !== undefined,
  };
}

function noFiles(): never {
  throw new Error("readFile is not given");
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
