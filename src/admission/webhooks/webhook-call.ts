import type { JsonObject } from "../../apimachinery/json.ts";
import { type CallEnvironment, callObjectWebhook } from "../../webhooks/object-webhook.ts";
import { reviewOfAnswer } from "./function-response.ts";
import type { Hook } from "./hook.ts";

const late = "context deadline exceeded";
const scheme = "k8s.io/apiserver/pkg/util/webhook/client.go:71";

/**
 * Sends a review to an admission webhook and returns its answer, a review of the same version. `milliseconds` are left to the write
 * that waits for it.
 * @throws {WebhookError}
 */
export function callWebhook(
  hook: Hook,
  review: JsonObject,
  version: "v1" | "v1beta1",
  milliseconds: number,
  environment: CallEnvironment,
): Promise<JsonObject> {
  const protocol = {
    kind: { group: "admission.k8s.io", version, kind: "AdmissionReview", scheme },
    userAgent: "kube-apiserver-admission",
    complete: reviewOfAnswer,
    late: { post: late, ofFunction: (shown: string) => `${shown}: ${late}` },
  };
  return callObjectWebhook({ ...hook, milliseconds }, review, protocol, environment);
}
