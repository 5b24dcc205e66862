import { parseDurationMilliseconds } from "../apimachinery/duration.ts";
import type { OptionType } from "../apimachinery/option-checks.ts";
import { numberOrText, text } from "../apimachinery/option-types.ts";
import type { StatusReason } from "../apimachinery/status.ts";
import type { FailureDefinition, FailureDefinitions } from "./failure-definition.ts";
import { pattern, required } from "./failure-option-types.ts";
import { labels, objectName } from "./label-option-type.ts";
import { imagePullBackOff } from "./pod-lives.ts";
import { type Scenario, type ScenarioExtras, scenario } from "./scenario.ts";
import { type ScenarioOptions, scopeNames } from "./scenario-options.ts";
import type { SimulatedFailure, SimulatedPart } from "./simulated-failures.ts";
import { refusedWith } from "./state-failures.ts";

const skew: OptionType = {
  accepts: 'a number of milliseconds other than 0, or a duration such as "-5m"',
  isValid: (value) =>
    typeof value === "number" || typeof value === "string" ? skewOf(value) !== undefined : false,
  fromText: numberOrText,
};

/** Those that pods can have: they are part of an object that is created. */
const podLabels: OptionType = {
  ...labels,
  accepts: "an object of labels and their values",
  isValid: (value) =>
    labels.isValid(value) &&
    Object.entries(Object(value)).every(
      ([label, one]) => isLabel.test(label) && isLabelValue.test(String(one)),
    ),
};
const isLabel = /^([-a-z\d.]{1,253}\/)?[A-Za-z\d]([-\w.]{0,61}[A-Za-z\d])?$/;
const isLabelValue = /^([A-Za-z\d]([-\w.]{0,61}[A-Za-z\d])?)?$/;

/** What the failures of a cluster have in common: they last until they are removed, and have no scope of requests. */
const ofCluster = {
  times: Number.POSITIVE_INFINITY,
  without: [...scopeNames, "nth", "times"],
} as const satisfies FailureDefinition;

/** The names of the failures of a simulated cluster. */
type ClusterFailure = SimulatedFailure["type"];

/** The definitions of the failures in this file. */
export const clusterFailures: FailureDefinitions<ClusterFailure> = {
  nodeDown: { ...ofCluster, options: { node: required(objectName) } },
  nodeClockSkew: { ...ofCluster, options: { node: required(objectName), by: required(skew) } },
  drainBlocked: { ...ofCluster, options: { namespace: objectName, labels: podLabels } },
  quotaUsedUp: { ...ofCluster, options: { namespace: objectName } },
  podWebhookDown: { ...ofCluster, options: { labels: podLabels } },
  imageUnavailable: { ...ofCluster, options: { image: required(pattern), message: text } },
};

/** The part of a simulated cluster in which a failure shows. */
const neededParts: { readonly [title in ClusterFailure]: SimulatedPart } = {
  nodeDown: "kubelets",
  nodeClockSkew: "kubelets",
  drainBlocked: "workloads",
  quotaUsedUp: "workloads",
  podWebhookDown: "workloads",
  imageUnavailable: "kubelets",
};

type Lasting = Pick<ScenarioOptions, "lasting">;

/** Which node is down. */
export interface NodeDownOptions extends Lasting {
  readonly node: string;
}

/**
 * The kubelet of a node does nothing any more: when it has been silent for 50 seconds (40 before 1.32), the conditions of the node
 * become Unknown, its pods become not ready, and they are evicted when they no longer tolerate that. Needs `simulate: ["kubelets"]`.
 * Faithful on every transport.
 */
export function nodeDown(options: NodeDownOptions): Scenario {
  const { node } = options;
  return clusterFailure(
    "nodeDown",
    options,
    () => ({ type: "nodeDown", node }),
    `the node ${node} to be marked as not ready`,
  );
}

/** The node whose clock is wrong, and how. */
export interface NodeClockSkewOptions extends Lasting {
  readonly node: string;
  /** How far the clock is ahead of the cluster's; negative if it is behind. Milliseconds, or a duration such as `"-5m"`. */
  readonly by: number | string;
}

/**
 * The clock of a node is wrong: the kubelet renews its Lease, every 10 seconds by the cluster's clock, with such times. When a clock is
 * set back, the node lifecycle controller sees no renewal and takes the node for unreachable, until the kubelet reports its status. Needs
 * `simulate: ["kubelets"]`. Faithful on every transport. Upstream: pkg/controller/nodelifecycle/node_lifecycle_controller.go.
 */
export function nodeClockSkew(options: NodeClockSkewOptions): Scenario {
  const { node, by } = options;
  const failure = () => ({ type: "nodeClockSkew", node, by: skewOf(by) ?? 0 }) as const;
  return clusterFailure("nodeClockSkew", options, failure, `the node ${node} to renew its Lease`);
}

/** The pods that cannot be evicted. */
export interface DrainBlockedOptions extends Lasting {
  /** Default: `default`. */
  readonly namespace?: string;
  /** The labels of the pods. Default: none, which selects all pods of the namespace. */
  readonly labels?: { readonly [label: string]: string };
}

/**
 * A PodDisruptionBudget `drain-blocked` allows no eviction: each is answered with 429, so that `kubectl drain` waits. Needs
 * `simulate: ["workloads"]`. Faithful on every transport.
 */
export function drainBlocked(options: DrainBlockedOptions = {}): Scenario {
  const { namespace = "default", labels: chosen = {} } = options;
  const scope = { verb: "create", resource: "pods", subresource: "eviction", namespace };
  const failure = () => ({ type: "drainBlocked", namespace, labels: chosen }) as const;
  return clusterFailure("drainBlocked", options, failure, { scope, reason: "TooManyRequests" });
}

/** Where the quota is used up. */
export interface QuotaUsedUpOptions extends Lasting {
  /** Default: `default`. */
  readonly namespace?: string;
}

/**
 * A ResourceQuota `quota-used-up` allows as many pods as there are: the next one is answered with 403, so that a rollout stops in the
 * middle. Needs `simulate: ["workloads"]`. Faithful on every transport.
 */
export function quotaUsedUp(options: QuotaUsedUpOptions = {}): Scenario {
  const { namespace = "default" } = options;
  const scope = { verb: "create", resource: "pods", subresource: "", namespace };
  const failure = () => ({ type: "quotaUsedUp", namespace }) as const;
  return clusterFailure("quotaUsedUp", options, failure, { scope, reason: "Forbidden" });
}

/** The pods that the webhook is called for. */
export interface PodWebhookDownOptions extends Lasting {
  /** The labels of the pods. Default: none, which selects all pods of the cluster. */
  readonly labels?: { readonly [label: string]: string };
}

/**
 * The server behind a webhook for pods is gone: a ValidatingWebhookConfiguration `pod-webhook-down` names a Service that does not exist,
 * so that no pods are created; the answer is 500. Needs `simulate: ["workloads"]`. Faithful on every transport.
 */
export function podWebhookDown(options: PodWebhookDownOptions = {}): Scenario {
  const { labels: chosen = {} } = options;
  const scope = { verb: "create", resource: "pods", subresource: "" };
  const failure = () => ({ type: "podWebhookDown", labels: chosen }) as const;
  return clusterFailure("podWebhookDown", options, failure, { scope, reason: "InternalError" });
}

/** The image that cannot be pulled. */
export interface ImageUnavailableOptions extends Lasting {
  /** The image of a container, or a pattern of images. */
  readonly image: string | RegExp;
  /** The error of the container runtime. Default: that of an image that does not exist. */
  readonly message?: string;
}

/**
 * An image cannot be pulled: the containers wait with ErrImagePull and ImagePullBackOff, and the kubelet tries again with increasing
 * delays. Needs `simulate: ["kubelets"]`. Faithful on every transport.
 */
export function imageUnavailable(options: ImageUnavailableOptions): Scenario {
  const { image, message } = options;
  const life = () => imagePullBackOff(message === undefined ? {} : { message });
  const failure = () => ({ type: "imageUnavailable", image, life: life() }) as const;
  return clusterFailure("imageUnavailable", options, failure, `a container with the image ${String(image)}`);
}

/** What counts as a hit besides what controllers report: a request of a client that is refused for a reason. Or what the failure waits for. */
type Hit = string | { readonly scope: NonNullable<ScenarioExtras["scope"]>; readonly reason: StatusReason };

function clusterFailure(
  title: ClusterFailure,
  options: Lasting,
  failure: () => SimulatedFailure,
  hit: Hit,
): Scenario {
  const begin: Scenario["begin"] = ({ simulate }, struck) => simulate(failure(), neededParts[title], struck);
  const definition = clusterFailures[title];
  if (typeof hit === "string")
    return scenario(title, definition, options, ({ answer }) => answer(), { begin, awaits: hit });
  return scenario(title, definition, options, (server) => refusedWith(hit.reason, server), {
    begin,
    scope: hit.scope,
  });
}

/** In milliseconds; undefined for a text that is no duration, and for 0. */
function skewOf(value: number | string): number | undefined {
  try {
    const by = typeof value === "number" ? value : parseDurationMilliseconds(value);
    return Number.isFinite(by) && by !== 0 ? by : undefined;
  } catch {
    return undefined;
  }
}
