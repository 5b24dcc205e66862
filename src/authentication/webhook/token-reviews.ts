import { booleanAt, objectAt, structAt, textAt, textsAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { UserInfo } from "../../apimachinery/user-info.ts";
import { checkFields } from "../../webhooks/webhook-answer.ts";
import { type WebhookClient, webhookClient } from "../../webhooks/webhook-client.ts";
import { WebhookError } from "../../webhooks/webhook-error.ts";
import type { TokenWebhookConfig } from "../contract/authentication-config.ts";
import type { AuthenticationEnvironment } from "../contract/authentication-environment.ts";
import {
  type Authentication,
  noOpinion,
  rejected,
  type TokenAuthenticator,
} from "../contract/authenticator.ts";
import { cachedTokens } from "../contract/token-cache.ts";

/** Upstream's limit for one call (apiserver, pkg/server/options/authentication.go: 10 s). */
const timeoutMilliseconds = 10_000;

/**
 * Authenticates tokens with reviews that a webhook answers. Upstream: apiserver, plugin/pkg/authenticator/token/webhook.
 * @throws {ConfigurationError} for a file that cannot be used
 */
export function tokenReviews(
  { target, title, version, cacheMilliseconds }: TokenWebhookConfig,
  {
    clock,
    config: { apiAudiences },
    gates,
    metrics,
    wire,
  }: Pick<AuthenticationEnvironment, "clock" | "config" | "gates" | "metrics" | "wire">,
): TokenAuthenticator {
  const kind = { group: "authentication.k8s.io", version, kind: "TokenReview" };
  const client = webhookClient({ target, title, kind, clock, timeoutMilliseconds, wire });
  const metadata = gates.since("1.34") ? {} : { creationTimestamp: null };
  const ask = (token: string, audiences: readonly string[]) =>
    answerOf(client, { metadata, spec: specOf(token, audiences), status: { user: {} } }, (answered) =>
      audiencesOf(answered, audiences, apiAudiences),
    );
  // Failures of the webhook are not remembered, but its word that a token is unknown is.
  return cachedTokens(ask, {
    apiAudiences,
    successMilliseconds: cacheMilliseconds,
    failureMilliseconds: cacheMilliseconds,
    clock,
    metrics,
  });
}

function specOf(token: string, audiences: readonly string[]): JsonObject {
  return { token, ...(audiences.length > 0 && { audiences: [...audiences] }) };
}

async function answerOf(
  client: WebhookClient,
  review: JsonObject,
  audiencesIn: (status: JsonObject) => readonly string[],
): Promise<Authentication> {
  let status: JsonObject;
  try {
    status = structAt(await client(review), "status");
    checkFields(status, "TokenReviewStatus", { authenticated: "bool", error: "string" });
  } catch (error) {
    if (error instanceof WebhookError) return rejected(error.message);
    throw error;
  }
  const audiences = audiencesIn(status);
  if (audiences.length === 0) return noOpinion;
  const message = textAt(status, "error");
  if (booleanAt(status, "authenticated")) return { type: "authenticated", user: userOf(status), audiences };
  return message === "" ? noOpinion : rejected(message);
}

/** The wanted audiences that the token has. A webhook that does not know audiences means those of the API. */
function audiencesOf(
  status: JsonObject,
  wanted: readonly string[],
  apiAudiences: readonly string[],
): readonly string[] {
  const given = textsAt(status, "audiences");
  const actual = given.length === 0 ? apiAudiences : given;
  return wanted.filter((audience) => actual.includes(audience));
}

function userOf(status: JsonObject): UserInfo {
  const user = structAt(status, "user");
  const extra: Record<string, readonly string[]> = Object.create(null);
  for (const key of Object.keys(objectAt(user, "extra") ?? {})) extra[key] = textsAt(user, "extra", key);
  return { name: textAt(user, "username"), uid: textAt(user, "uid"), groups: textsAt(user, "groups"), extra };
}
