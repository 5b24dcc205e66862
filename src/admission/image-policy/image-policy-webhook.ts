import type { Clock } from "../../apimachinery/clock.ts";
import { booleanAt, listAt, structAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { compareText } from "../../apimachinery/text-order.ts";
import { DecisionCache } from "../../authorization/webhook/decision-cache.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { WebhookTargets } from "../../webhooks/outgoing-targets.ts";
import type { ReviewWire } from "../../webhooks/review-wire.ts";
import { checkFields } from "../../webhooks/webhook-answer.ts";
import { type WebhookClient, webhookClient } from "../../webhooks/webhook-client.ts";
import { WebhookError } from "../../webhooks/webhook-error.ts";
import type { WebhookTarget } from "../../webhooks/webhook-target.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../contract/admission.ts";
import { isAbout, isAboutSubresource, refused } from "../contract/attributes.ts";
import { annotate, record } from "../contract/notes.ts";
import { type ImagePolicyConfig, imagePolicyConfig } from "./image-policy-config.ts";

const plugin = "ImagePolicyWebhook";
const kind = { group: "imagepolicy.k8s.io", version: "v1alpha1", kind: "ImageReview" };
/** The name by which a test gives a function in place of the server. */
const functionName = "imagepolicy";
const auditPrefix = "imagepolicywebhook.image-policy.k8s.io/";
const podPrefix = ".image-policy.k8s.io/";
/** Upstream's limits: webhook.LoadKubeconfig, and the cache of NewImagePolicyWebhook. */
const timeoutMilliseconds = 30_000;
const cachedAnswers = 1024;

/** What the plugin needs from the server. */
export interface ImagePolicyEnvironment {
  readonly clock: Clock;
  readonly gates: FeatureGates;
  readonly targets: WebhookTargets;
  /** Changes what is said to webhooks; undefined if nothing does. */
  readonly wire?: ReviewWire | undefined;
}

/**
 * Asks a webhook whether pods may use their images. Upstream: plugin/pkg/admission/imagepolicy. Its annotation of pods that are admitted
 * because the webhook fails is left out: upstream adds it to a copy of the pod that is not stored.
 * @throws {ConfigurationError} for a configuration or a kubeconfig that cannot be used
 */
export function imagePolicyWebhook(
  configuration: JsonObject | undefined,
  environment: ImagePolicyEnvironment,
): AdmissionPlugin {
  const config = imagePolicyConfig(configuration);
  const ask = reviewer(config, environment);
  return {
    name: plugin,
    handles: (operation) => operation === "CREATE" || operation === "UPDATE",
    validate: (attributes) => {
      const images = imagesOf(attributes);
      if (attributes.object === undefined || images === undefined) return undefined;
      return decide(ask, specOf(attributes.object, images, attributes.namespace), attributes, config);
    },
  };
}

/** The status of a review. @throws {WebhookError} */
type Reviewer = (spec: JsonObject) => Promise<JsonObject>;

function reviewer(
  config: ImagePolicyConfig,
  { clock, gates, targets, wire }: ImagePolicyEnvironment,
): Reviewer {
  const cache = new DecisionCache(clock, cachedAnswers);
  const metadata = gates.since("1.34") ? {} : { creationTimestamp: null };
  const clientOf = (target: WebhookTarget): WebhookClient =>
    webhookClient({
      target,
      title: `couldn't init admission plugin "${plugin}": kubeConfigFile`,
      kind,
      clock,
      timeoutMilliseconds,
      retryMilliseconds: config.retryMilliseconds,
      wire,
    });
  const atAddress = config.kubeconfig === "" ? unconfigured : clientOf(config.kubeconfig);
  return async (spec) => {
    const key = JSON.stringify(spec);
    const known = cache.get(key);
    if (known !== undefined) return known;
    const answer = targets.webhooks.get(functionName);
    const client = answer === undefined ? atAddress : clientOf(answer);
    const status = structAt(await client({ metadata, spec, status: { allowed: false } }), "status");
    checkFields(status, "ImageReviewStatus", { allowed: "bool", reason: "string" });
    const { allowedMilliseconds, deniedMilliseconds } = config;
    const milliseconds = booleanAt(status, "allowed") ? allowedMilliseconds : deniedMilliseconds;
    if (milliseconds > 0) cache.set(key, status, milliseconds);
    return status;
  };
}

/** What upstream says at its start; here a test may give a function later. */
const unconfigured: WebhookClient = () =>
  Promise.reject(
    new WebhookError(
      "invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable",
    ),
  );

/** @throws {StatusError} forbidden */
async function decide(
  ask: Reviewer,
  spec: JsonObject,
  attributes: AdmissionAttributes,
  { allowsByDefault }: ImagePolicyConfig,
): Promise<void> {
  let status: JsonObject;
  try {
    status = await ask(spec);
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error;
    const { message } = error;
    if (!allowsByDefault) throw refused(attributes, message);
    annotate(attributes, `${auditPrefix}failed-open`, "true");
    const step = { plugin, phase: "validate", name: functionName, source: "", cost: 0 } as const;
    record(attributes, { ...step, outcome: "failedOpen", message });
    return;
  }
  const annotations = structAt(status, "auditAnnotations");
  for (const name of Object.keys(annotations)) {
    annotate(attributes, auditPrefix + name, textAt(annotations, name));
  }
  if (booleanAt(status, "allowed")) return;
  const reason = textAt(status, "reason");
  throw refused(
    attributes,
    reason === ""
      ? "one or more images rejected by webhook backend"
      : `image policy webhook backend denied one or more images: ${reason}`,
  );
}

/** The images to review; undefined for what is no pod. */
function imagesOf(attributes: AdmissionAttributes): readonly string[] | undefined {
  const lists = isAbout(attributes, "", "pods")
    ? ["containers", "initContainers"]
    : isAboutSubresource(attributes, "", "pods", "ephemeralcontainers") && ["ephemeralContainers"];
  if (lists === false) return undefined;
  const { object = {} } = attributes;
  return lists.flatMap((list) => listAt(object, "spec", list).map((container) => textAt(container, "image")));
}

function specOf({ metadata }: KubeObject, images: readonly string[], namespace: string): JsonObject {
  const annotations = Object.entries(metadata.annotations ?? {}).filter(([name]) => name.includes(podPrefix));
  return {
    ...(images.length > 0 && { containers: images.map((image) => (image === "" ? {} : { image })) }),
    // Go writes the keys of a map in order, and so the cache knows them.
    ...(annotations.length > 0 && { annotations: Object.fromEntries(annotations.sort(byName)) }),
    namespace,
  };
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return compareText(a, b);
}
