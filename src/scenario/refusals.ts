import {
  forbidden,
  internalError,
  plainError,
  serviceUnavailable,
  timeout,
  tooManyRequests,
  withDetails,
} from "../apimachinery/errors/errors.ts";
import { pathsBelow, plainAnswer } from "./plain-answer.ts";
import { type Scenario, type ScenarioOptions, scenario } from "./scenario.ts";

const reads = ["list", "watch"];
const writes = ["create", "update", "patch", "delete"];

/** How far ahead the client is. */
export interface TooLargeOptions extends ScenarioOptions {
  /** Whether the answer says so in a cause; servers before 1.18.6 gave none. Default: true. */
  readonly withCause?: boolean;
}

/**
 * 504: the client knows a resourceVersion that this server has not reached. It says so at once; a `laggingReplica` waits
 * for it first, as servers do. Faithful on every transport.
 */
export function tooLargeResourceVersion(options: TooLargeOptions = {}): Scenario {
  const { withCause = true } = options;
  return scenario("tooLargeResourceVersion", options, { verb: ["get", ...reads] }, async (server) => {
    const requested = server.query.get("resourceVersion") ?? String(server.revision() + 1);
    const causes = withCause
      ? [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }]
      : [];
    throw timeout(`Too large resource version: ${requested}, current: ${server.revision()}`, 1, causes);
  });
}

/** How a client is slowed down. */
export interface ThrottleOptions extends ScenarioOptions {
  /** Seconds; `false` leaves the header out. Default: 1. */
  readonly retryAfter?: number | false;
}

/** 429: more than the server allows for now. Faithful on every transport. */
export function throttle(options: ThrottleOptions = {}): Scenario {
  return tooMany("throttle", options, {}, "Too many requests, please try again later.");
}

/** 429: the watch cache has just begun. Faithful on every transport. */
export function storageInitializing(options: ThrottleOptions = {}): Scenario {
  return tooMany("storageInitializing", options, { verb: reads }, "storage is (re)initializing");
}

function tooMany(
  name: string,
  options: ThrottleOptions,
  scope: Parameters<typeof scenario>[2],
  message: string,
): Scenario {
  const { retryAfter = 1 } = options;
  return scenario(name, options, scope, async () => {
    throw tooManyRequests(message, retryAfter === false ? 0 : retryAfter);
  });
}

/** 500: etcd has no leader for the moment. Faithful on every transport. */
export function etcdLeaderChange(options: ScenarioOptions = {}): Scenario {
  return scenario("etcdLeaderChange", options, {}, async () => {
    throw plainError(500, "etcdserver: leader changed");
  });
}

/** 503: the server has not installed all its paths. Faithful on every transport. */
export function notReady(options: ScenarioOptions = {}): Scenario {
  return scenario("notReady", options, {}, async () => {
    const text =
      "the request has been made before all known HTTP paths have been installed, please try again";
    throw withDetails(serviceUnavailable(text), { retryAfterSeconds: 5 });
  });
}

/** Which webhook does not answer. */
export interface WebhookTimeoutOptions extends ScenarioOptions {
  /** Default: `webhook.example.com`. */
  readonly webhook?: string;
}

/** 500: an admission webhook did not answer in time. Faithful on every transport. */
export function webhookTimeout(options: WebhookTimeoutOptions = {}): Scenario {
  const { webhook = "webhook.example.com" } = options;
  const url = `https://${webhook}:443/?timeout=10s`;
  const text = `failed calling webhook "${webhook}": failed to call webhook: Post "${url}": context deadline exceeded`;
  return scenario("webhookTimeout", options, { verb: writes }, ({ answerUnlessAdmitted }) =>
    answerUnlessAdmitted(() => internalError(text)),
  );
}

/** 403: the namespace is going away. Faithful on every transport. */
export function namespaceTerminating(options: ScenarioOptions = {}): Scenario {
  return scenario(
    "namespaceTerminating",
    options,
    { verb: "create" },
    ({ request: { group, resource, namespace }, answerUnlessAdmitted }) =>
      answerUnlessAdmitted((name) => {
        const text = `unable to create new content in namespace ${namespace} because it is being terminated`;
        const message = `namespace ${namespace} is being terminated`;
        const cause = { reason: "NamespaceTerminating", message, field: "metadata.namespace" };
        return withDetails(forbidden({ group, resource }, name, text), { causes: [cause] });
      }),
  );
}

/** Which definition is not served; the cluster need not have it. */
export interface CrdNotReadyOptions extends Omit<ScenarioOptions, "group" | "path"> {
  readonly group: string;
  readonly version: string;
}

/**
 * 404: the definition of a custom resource is there and not served yet, so that nobody knows the paths of its
 * version. Faithful on every transport.
 */
export function crdNotReady(options: CrdNotReadyOptions): Scenario {
  const { group, version, ...rest } = options;
  const path = pathsBelow(`/apis/${group}/${version}`);
  return scenario("crdNotReady", { ...rest, path }, {}, async () => plainAnswer(404, "404 page not found\n"));
}
