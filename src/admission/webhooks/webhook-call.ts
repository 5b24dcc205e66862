import { bytesOfBase64 } from "../../apimachinery/base64.ts";
import type { Clock } from "../../apimachinery/clock.ts";
import { integerAt, objectAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import { encodeJson } from "../../codec/json/json.ts";
import { connectionProblem } from "../../webhooks/connection-problem.ts";
import { before } from "../../webhooks/deadline.ts";
import { answerOf } from "../../webhooks/function-answer.ts";
import { post } from "../../webhooks/node-http.ts";
import { checkedReview, reviewOf } from "../../webhooks/webhook-answer.ts";
import type { WebhookConnection } from "../../webhooks/webhook-connection.ts";
import { WebhookError } from "../../webhooks/webhook-error.ts";
import type { WebhookTargets } from "../../webhooks/webhook-targets.ts";
import { reviewOfAnswer } from "./function-response.ts";
import type { Hook } from "./hook.ts";
import { serviceAddress } from "./service-address.ts";

/** What calls of webhooks depend on. */
export interface CallEnvironment {
  readonly lister: Lister;
  /** Timeouts pass by it. */
  readonly clock: Clock;
  /** What tests give in place of the targets of webhooks. */
  readonly targets: WebhookTargets;
}

/** Sends a review to a webhook and returns its answer, a review of the same version. @throws {WebhookError} */
export async function callWebhook(
  hook: Hook,
  review: JsonObject,
  version: "v1" | "v1beta1",
  environment: CallEnvironment,
): Promise<JsonObject> {
  const { clock, targets } = environment;
  const kind = { group: "admission.k8s.io", version, kind: "AdmissionReview", scheme };
  const url = urlOf(hook);
  const shown = `Post "${url}"`;
  const deadline = { clock, milliseconds: hook.timeoutSeconds * 1000 };
  const late = () => `${shown}: context deadline exceeded`;
  const answer = targets.functionOf(hook.name);
  if (answer !== undefined) {
    const answered = await before(deadline, answerOf(answer, review), late);
    return checkedReview(reviewOfAnswer(answered, review), kind);
  }
  const connection = connectionTo(hook, new URL(url), environment, shown);
  const stop = new AbortController();
  const posting = posted(connection, review, shown, stop.signal);
  const isLate = () => {
    stop.abort();
    return late();
  };
  return reviewOf(await before(deadline, posting, isLate), kind);
}

const scheme = "k8s.io/apiserver/pkg/util/webhook/client.go:71";

async function posted(
  connection: WebhookConnection,
  review: JsonObject,
  shown: string,
  signal: AbortSignal,
): ReturnType<typeof post> {
  const body = new TextEncoder().encode(`${encodeJson(review)}\n`);
  try {
    return await post(connection, body, signal);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error instanceof WebhookError) throw new WebhookError(`${shown}: ${error.message}`);
    const { text } = connectionProblem(error, addressOf(connection));
    throw new WebhookError(`${shown}: ${text}`);
  }
}

/** The host and port of the connection, as Go shows them. */
function addressOf({ url, address }: WebhookConnection): Pick<URL, "host" | "hostname"> {
  const hostname = address?.host ?? url.hostname;
  const port = address?.port ?? (url.port || 443);
  return { hostname, host: `${hostname}:${port}` };
}

/**
 * The URL of a webhook with the timeout, as errors show it. A path loses its last slash, as in clients of upstream (client-go,
 * rest/url_utils.go).
 */
function urlOf({ clientConfig, timeoutSeconds }: Hook): string {
  const service = objectAt(clientConfig, "service");
  const [, ofUrl = "", pathOfUrl = ""] =
    /^https:\/\/([^/?#]*)([^?#]*)/.exec(textAt(clientConfig, "url")) ?? [];
  const host = service === undefined ? ofUrl : `${hostOf(service)}:${portOf(service)}`;
  const path = service === undefined ? pathOfUrl : textAt(service, "path");
  const segments = path.split("/").filter((segment) => segment !== "");
  return `https://${host}/${segments.join("/")}?timeout=${timeoutSeconds}s`;
}

function hostOf(service: JsonObject): string {
  return `${textAt(service, "name")}.${textAt(service, "namespace")}.svc`;
}

function portOf(service: JsonObject): number {
  return Number(integerAt(service, "port")) || 443;
}

function connectionTo(
  { clientConfig }: Hook,
  url: URL,
  { lister, targets }: CallEnvironment,
  shown: string,
): WebhookConnection {
  const bundle = textAt(clientConfig, "caBundle");
  const service = objectAt(clientConfig, "service");
  const connection: WebhookConnection = {
    url,
    authorities: bundle === "" ? undefined : new TextDecoder().decode(bytesOfBase64(bundle)),
    serverName: undefined,
    verifiesServer: true,
    certificate: undefined,
    authorization: undefined,
    userAgent: "kube-apiserver-admission",
  };
  if (service === undefined) return connection;
  const [name, namespace] = [textAt(service, "name"), textAt(service, "namespace")];
  try {
    const address = serviceAddress({ name, namespace, port: portOf(service) }, lister, targets);
    return { ...connection, address, serverName: hostOf(service) };
  } catch (error) {
    throw error instanceof WebhookError ? new WebhookError(`${shown}: ${error.message}`) : error;
  }
}
