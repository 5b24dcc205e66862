import {
  forbidden,
  internalError,
  plainError,
  type StatusError,
  serviceUnavailable,
  timeout,
  tooManyRequests,
  withDetails,
} from "../apimachinery/errors/errors.ts";
import { boolean, integerFrom } from "../apimachinery/option-types.ts";
import type { ApiResponse } from "../request/handler.ts";
import type { FailureDefinitions } from "./failure-definition.ts";
import { name, orFalse, required } from "./failure-option-types.ts";
import type { LoggedRequest } from "./logged-request.ts";
import { pathsBelow, plainAnswer } from "./plain-answer.ts";
import { type FaultContext, type Need, type Scenario, scenario } from "./scenario.ts";
import type { ScenarioOptions } from "./scenario-options.ts";

type Refusal =
  | "crdNotReady"
  | "etcdLeaderChange"
  | "namespaceTerminating"
  | "notReady"
  | "storageInitializing"
  | "throttle"
  | "tooLargeResourceVersion"
  | "webhookTimeout";

const reads = ["get", "list", "watch"];
const writes = ["create", "update", "patch", "delete"];
const retryAfter = orFalse(integerFrom(0));

/** The storage that fails is behind resources: discovery, `/version` and `/healthz` do not read it. */
const stored: Need = {
  text: "for a resource",
  reason: "it needs a resource in its path",
  holds: ({ resource }) => resource !== "",
};

/** The definitions of the failures in this file. */
export const refusals: FailureDefinitions<Refusal> = {
  crdNotReady: {
    options: { group: required(name), version: required(name) },
    without: ["group", "path"],
  },
  etcdLeaderChange: {},
  namespaceTerminating: { verbs: ["create"], scope: { verb: "create" } },
  notReady: {},
  storageInitializing: { verbs: reads, scope: { verb: ["list", "watch"] }, options: { retryAfter } },
  throttle: { options: { retryAfter } },
  tooLargeResourceVersion: {
    verbs: reads,
    scope: { verb: reads },
    options: { withCause: boolean },
  },
  webhookTimeout: {
    verbs: [...writes, "deletecollection"],
    scope: { verb: writes },
    options: { webhook: name },
  },
};

/** How the server reports that the client is ahead of it. */
export interface TooLargeOptions extends ScenarioOptions {
  /** Whether the Status names the cause; servers before 1.18.6 did not. Default: true. */
  readonly withCause?: boolean;
}

/**
 * Answers 504: the client knows a resourceVersion that this server has not reached. It answers at once; `laggingReplica`
 * waits first, as real servers do. Faithful on every transport.
 */
export function tooLargeResourceVersion(options: TooLargeOptions = {}): Scenario {
  const { withCause = true } = options;
  const effect: Scenario["effect"] = async (server) => {
    const requested = server.query.get("resourceVersion") ?? String(server.revision() + 1);
    const causes = withCause
      ? [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }]
      : [];
    throw timeout(`Too large resource version: ${requested}, current: ${server.revision()}`, 1, causes);
  };
  return scenario("tooLargeResourceVersion", refusals.tooLargeResourceVersion, options, effect, {
    need: stored,
  });
}

/** How a client is throttled. */
export interface ThrottleOptions extends ScenarioOptions {
  /** Seconds; `false` leaves the header out. Default: 1. */
  readonly retryAfter?: number | false;
}

/** Answers 429: too many requests. Faithful on every transport. */
export function throttle(options: ThrottleOptions = {}): Scenario {
  return tooMany("throttle", options, "Too many requests, please try again later.", undefined);
}

/** Answers 429: the watch cache is still initializing. Faithful on every transport. */
export function storageInitializing(options: ThrottleOptions = {}): Scenario {
  return tooMany("storageInitializing", options, "storage is (re)initializing", stored);
}

function tooMany(name: Refusal, options: ThrottleOptions, message: string, need: Need | undefined): Scenario {
  const { retryAfter = 1 } = options;
  const effect: Scenario["effect"] = async () => {
    throw tooManyRequests(message, retryAfter === false ? 0 : retryAfter);
  };
  return scenario(name, refusals[name], options, effect, { need });
}

/** Answers 500: etcd has no leader at the moment. Faithful on every transport. */
export function etcdLeaderChange(options: ScenarioOptions = {}): Scenario {
  const effect: Scenario["effect"] = async () => {
    throw plainError(500, "etcdserver: leader changed");
  };
  return scenario("etcdLeaderChange", refusals.etcdLeaderChange, options, effect, { need: stored });
}

/** Answers 503: the server has not installed all its paths yet. Faithful on every transport. */
export function notReady(options: ScenarioOptions = {}): Scenario {
  return scenario("notReady", refusals.notReady, options, async () => {
    const text =
      "the request has been made before all known HTTP paths have been installed, please try again";
    throw withDetails(serviceUnavailable(text), { retryAfterSeconds: 5 });
  });
}

/** Which webhook times out. */
export interface WebhookTimeoutOptions extends ScenarioOptions {
  /** The name in its configuration. Default: every webhook; in a cluster without any, `webhook.example.com`. */
  readonly webhook?: string;
}

/**
 * An admission webhook does not answer: when its timeout is over by the cluster's clock, its failure policy decides. In a cluster without
 * such a webhook, the answer is 500 at once, as if there were one that every request needs. Faithful on every transport.
 */
export function webhookTimeout(options: WebhookTimeoutOptions = {}): Scenario {
  const { webhook } = options;
  const effect: Scenario["effect"] = async ({ answer, struck, missed }) => {
    const refuse = () => {
      struck();
      return internalError(timeoutText(webhook ?? "webhook.example.com"));
    };
    const answered = await answer({ silent: { webhook, called: struck, refuse } });
    missed("it needs to reach admission, and a webhook that selects it");
    return answered;
  };
  return scenario("webhookTimeout", refusals.webhookTimeout, options, effect);
}

function timeoutText(webhook: string): string {
  const url = `https://${webhook}:443/?timeout=10s`;
  return `failed calling webhook "${webhook}": failed to call webhook: Post "${url}": context deadline exceeded`;
}

/** The response to a request that admission refuses, if it gets so far. */
async function refusedInAdmission(
  { answer, struck, missed }: FaultContext,
  refuse: (name: string) => StatusError,
): Promise<ApiResponse> {
  const answered = await answer({
    refuse: (name) => {
      struck();
      return refuse(name);
    },
  });
  missed("it needs to reach admission");
  return answered;
}

/** Answers 403: the namespace is terminating. Faithful on every transport. */
export function namespaceTerminating(options: ScenarioOptions = {}): Scenario {
  const effect: Scenario["effect"] = (server) =>
    refusedInAdmission(server, (name) => terminating(server.request, name));
  const need: Need = {
    text: "in a namespace",
    reason: "it needs a namespace in its path",
    holds: ({ resource, namespace }) => namespace !== "" && resource !== "namespaces",
  };
  return scenario("namespaceTerminating", refusals.namespaceTerminating, options, effect, { need });
}

function terminating({ group, resource, namespace }: LoggedRequest, name: string): StatusError {
  const text = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const message = `namespace ${namespace} is being terminated`;
  const cause = { reason: "NamespaceTerminating", message, field: "metadata.namespace" };
  return withDetails(forbidden({ group, resource }, name, text), { causes: [cause] });
}

/** Which definition is not served yet; the cluster need not have it. */
export interface CrdNotReadyOptions extends Omit<ScenarioOptions, "group" | "path"> {
  readonly group: string;
  readonly version: string;
}

/**
 * Answers 404: the CustomResourceDefinition exists, but its version is not served yet. Definitions of the group that are not
 * established stay so until the failure is over, after so many requests (`times`) or so much time of the cluster's clock
 * (`lasting`). Faithful on every transport.
 */
export function crdNotReady(options: CrdNotReadyOptions): Scenario {
  const { group, version } = options;
  const path = pathsBelow(`/apis/${group}/${version}`);
  return scenario(
    "crdNotReady",
    refusals.crdNotReady,
    options,
    async () => plainAnswer(404, "404 page not found\n"),
    { scope: { path }, begin: (cluster) => cluster.holdEstablishment(group) },
  );
}
