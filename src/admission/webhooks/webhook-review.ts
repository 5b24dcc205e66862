import type { Clock } from "../../apimachinery/clock.ts";
import { badRequest, StatusError, timeout } from "../../apimachinery/errors/errors.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { WebhookError } from "../../webhooks/webhook-error.ts";
import type { AdmissionAttributes } from "../contract/admission.ts";
import { annotate, record } from "../contract/notes.ts";
import { admissionRequestObject } from "../matching/admission-request.ts";
import type { DispatchEnvironment } from "./dispatch-environment.ts";
import type { Hook } from "./hook.ts";
import type { Invocation, WebhookPhase } from "./invocation.ts";
import {
  checkedResponse,
  decodeProblem,
  denial,
  InvalidResponse,
  type ReviewResponse,
} from "./review-response.ts";
import { callWebhook } from "./webhook-call.ts";
import { failedCall, WebhookDenial, WebhookFailure } from "./webhook-failure.ts";

/** What a webhook said: its response if it allows the request, or undefined if it failed and failures do not count. */
export type Reviewed<T> = (response: ReviewResponse) => T;

/**
 * Asks a webhook, and lets `accept` use a response that allows the request. Counts how that ended. Undefined if the webhook failed and its
 * failures are ignored. Upstream: the dispatchers of apiserver, plugin/webhook/{mutating,validating}.
 * @throws {StatusError} the refusal
 */
export async function reviewed<T>(
  invocation: Invocation,
  attributes: AdmissionAttributes,
  phase: WebhookPhase,
  environment: DispatchEnvironment,
  accept: (response: ReviewResponse) => T | Promise<T>,
): Promise<T | undefined> {
  const { hook } = invocation;
  const { clock } = environment;
  checkDeadline(attributes, clock);
  const start = clock.now();
  const note = observer(hook, attributes, phase, environment, () => clock.now() - start);
  try {
    const accepted = await accept(await responseOf(invocation, attributes, phase, environment));
    note.called("false", 200);
    return accepted;
  } catch (error) {
    try {
      return failing(error, hook, note);
    } finally {
      checkDeadline(attributes, clock);
    }
  }
}

/** @throws {StatusError} timeout: the server answers instead of what waits for a webhook (apiserver, pkg/endpoints/handlers/finisher) */
function checkDeadline({ deadline }: AdmissionAttributes, clock: Clock): void {
  if (clock.now() < deadline) return;
  throw timeout("request did not complete within requested timeout - context deadline exceeded", 0);
}

interface Observer {
  readonly called: (rejected: "true" | "false", code: number) => void;
  readonly rejected: (errorType: string, code: number) => void;
  readonly failedOpen: () => void;
  readonly step: (outcome: "denied" | "failed" | "failedOpen", message: string) => void;
}

/** @throws {StatusError} unless failures of the webhook are ignored, and it failed */
function failing(error: unknown, hook: Hook, note: Observer): undefined {
  if (error instanceof WebhookDenial) {
    const { refusal } = error;
    note.rejected("no_error", refusal.code);
    note.called("true", refusal.code);
    note.step("denied", refusal.message);
    throw refusal;
  }
  if (error instanceof WebhookFailure) {
    const refusal = failedCall(hook.name, error);
    note.step(hook.ignoresFailures ? "failedOpen" : "failed", error.message);
    if (hook.ignoresFailures) {
      note.called("false", error.code);
      note.failedOpen();
      return undefined;
    }
    note.rejected("calling_webhook_error", error.code);
    note.called("true", error.code);
    throw refusal;
  }
  note.rejected("apiserver_internal_error", 0);
  note.called("true", 0);
  if (error instanceof StatusError) note.step("failed", error.message);
  throw error;
}

function observer(
  { name, configuration }: Hook,
  attributes: AdmissionAttributes,
  { plugin, phase, step }: WebhookPhase,
  { metrics }: DispatchEnvironment,
  elapsed: () => number,
): Observer {
  const { operation } = attributes;
  const labels = { name, type: step, operation };
  // Upstream bounds the number of series.
  const codeLabel = (code: number) => String(Math.min(code, 600));
  return {
    called: (rejected, code) => {
      metrics.count("webhook_request_total", { ...labels, rejected, code: codeLabel(code) });
      metrics.observe("webhook_admission_duration_seconds", { ...labels, rejected }, elapsed());
    },
    rejected: (errorType, code) => {
      const rejection = { ...labels, error_type: errorType, rejection_code: codeLabel(code) };
      metrics.count("webhook_rejection_count", rejection);
    },
    failedOpen: () => metrics.count("webhook_fail_open_count", { name, type: step }),
    step: (outcome, message) =>
      record(attributes, { plugin, phase, name, source: configuration, outcome, message, cost: 0 }),
  };
}

/** @throws {StatusError | WebhookDenial | WebhookFailure} */
async function responseOf(
  invocation: Invocation,
  attributes: AdmissionAttributes,
  { type }: WebhookPhase,
  environment: DispatchEnvironment,
): Promise<ReviewResponse> {
  const { hook, objects } = invocation;
  checkDryRun(hook, attributes);
  const version = hook.reviewVersions.find((one) => one === "v1" || one === "v1beta1");
  if (version === undefined) throw new WebhookFailure(unknownVersions, 400);
  const uid = environment.newUid();
  const request = admissionRequestObject(attributes, objects, uid);
  const review = { kind: "AdmissionReview", apiVersion: `admission.k8s.io/${version}`, request };
  const answer = await called(hook, review, version, attributes.deadline, environment);
  const response = checked(answer, uid, version, type);
  for (const [key, value] of Object.entries(response.auditAnnotations)) {
    annotate(attributes, `${hook.name}/${key}`, String(value));
  }
  for (const warning of response.warnings) attributes.warn(warning);
  if (!response.isAllowed) throw new WebhookDenial(denial(hook.name, response.status));
  return response;
}

const unknownVersions =
  "could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)";

/** @throws {StatusError} badRequest; configurations of v1 have no other side effects */
function checkDryRun({ name, sideEffects }: Hook, { dryRun }: AdmissionAttributes): void {
  if (!dryRun || sideEffects === "None" || sideEffects === "NoneOnDryRun") return;
  throw badRequest(`admission webhook ${goQuote(name)} does not support dry run`);
}

/** @throws {WebhookFailure} */
async function called(
  hook: Hook,
  review: JsonObject,
  version: "v1" | "v1beta1",
  deadline: number,
  environment: DispatchEnvironment,
): Promise<JsonObject> {
  const prefix = environment.gates.since("1.22") ? "failed to call webhook: " : "";
  const failed = (message: string, status = 503) => new WebhookFailure(prefix + message, status);
  try {
    const answer = await callWebhook(hook, review, version, deadline - environment.clock.now(), environment);
    const problem = decodeProblem(answer, version);
    if (problem !== undefined) throw failed(problem);
    return answer;
  } catch (error) {
    throw error instanceof WebhookError ? failed(error.message, error.status) : error;
  }
}

/** @throws {WebhookFailure} */
function checked(
  answer: JsonObject,
  uid: string,
  version: "v1" | "v1beta1",
  type: "mutating" | "validating",
): ReviewResponse {
  try {
    return checkedResponse(answer, uid, version, type);
  } catch (error) {
    if (!(error instanceof InvalidResponse)) throw error;
    throw new WebhookFailure(`received invalid webhook response: ${error.message}`, 503);
  }
}
