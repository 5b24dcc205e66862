import type { WebhookTarget } from "../../webhooks/webhook-target.ts";

/** A webhook that authorizes requests. */
export interface WebhookAuthorizerConfig {
  /** For metrics. */
  readonly name: string;
  readonly target: WebhookTarget;
  /** Names the option or the file of the target in errors. */
  readonly title: string;
  /** Of the reviews that are sent. */
  readonly version: "v1" | "v1beta1";
  readonly timeoutMilliseconds: number;
  /** How long answers count; 0 for never. */
  readonly authorizedMilliseconds: number;
  readonly unauthorizedMilliseconds: number;
  /** The verdict if the webhook fails. */
  readonly onFailure: "noOpinion" | "deny";
  /** The expressions that a review must fulfill to be sent. */
  readonly matchConditions: readonly string[];
}
