import type { Clock } from "../../apimachinery/clock.ts";
import { aggregateText } from "../../apimachinery/errors/aggregate.ts";
import { ConfigurationError } from "../../apimachinery/errors/configuration-error.ts";
import { StatusError } from "../../apimachinery/errors/errors.ts";
import {
  type FieldCause,
  fieldInvalid,
  fieldNotSupported,
  formatFieldError,
} from "../../apimachinery/errors/field.ts";
import { integerAt, listAt, structAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../contract/admission.ts";

const limitTypes = ["Namespace", "Server", "SourceAndObject", "User"] as const;
type LimitType = (typeof limitTypes)[number];

/** How many buckets of a limit are kept if its configuration does not say (eventratelimit/limitenforcer.go, defaultCacheSize). */
const defaultCacheSize = 4096;

/** What a client may send at a time, filled again by the clock. Upstream: golang.org/x/time/rate. */
interface Bucket {
  tokens: number;
  at: number;
}

/**
 * Limits how many Events clients write. Upstream: plugin/pkg/admission/eventratelimit.
 * @throws {ConfigurationError} for a configuration without limits, or with one that is none
 */
export function eventRateLimit(configuration: JsonObject | undefined, clock: Clock): AdmissionPlugin {
  const errors: FieldCause[] = [];
  addConfigurationErrors(errors, configuration ?? {});
  if (errors.length > 0) {
    const problem = aggregateText(errors.map(formatFieldError));
    throw new ConfigurationError(`couldn't init admission plugin "EventRateLimit": ${problem}`);
  }
  const limits = listAt(configuration ?? {}, "limits").map((limit) => new Limit(limit, clock));
  return {
    name: "EventRateLimit",
    handles: (operation) => operation === "CREATE" || operation === "UPDATE",
    validate: (attributes) => {
      if (attributes.gvk.group !== "" || attributes.gvk.kind !== "Event") return;
      // Each limit counts the request; the last that is reached refuses it.
      const refusals = limits.map((limit) => limit.refusalOf(attributes));
      const refusal = refusals.findLast((one) => one !== undefined);
      if (refusal !== undefined) throw refusal;
    },
  };
}

/** Upstream: eventratelimit/apis/eventratelimit/validation/validation.go. */
function addConfigurationErrors(errors: FieldCause[], configuration: JsonObject): void {
  const limits = listAt(configuration, "limits");
  if (limits.length === 0) {
    const body = "Invalid value: []eventratelimit.Limit(nil): must not be empty";
    errors.push({ type: "FieldValueInvalid", field: "limits", body });
  }
  for (const [i, limit] of limits.entries()) {
    const path = `limits[${i}]`;
    const type = textAt(limit, "type");
    if (!isLimitType(type)) errors.push(fieldNotSupported(`${path}.type`, type, [...limitTypes]));
    for (const field of ["burst", "qps"]) {
      const value = Number(integerAt(limit, field));
      if (value <= 0) errors.push(fieldInvalid(`${path}.${field}`, value, "must be positive"));
    }
    const cacheSize = Number(integerAt(limit, "cacheSize"));
    if (type !== "Server" && cacheSize < 0) {
      errors.push(fieldInvalid(`${path}.cacheSize`, cacheSize, "must not be negative"));
    }
  }
}

function isLimitType(type: string): type is LimitType {
  return limitTypes.some((one) => one === type);
}

/** A limit and its buckets. Those that were used longest ago are forgotten, and are full when they are needed again. */
class Limit {
  readonly #clock: Clock;
  readonly #type: LimitType;
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #capacity: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(limit: JsonObject, clock: Clock) {
    const type = textAt(limit, "type");
    this.#clock = clock;
    this.#type = isLimitType(type) ? type : "Server";
    this.#perSecond = Number(integerAt(limit, "qps"));
    this.#burst = Number(integerAt(limit, "burst"));
    this.#capacity = Number(integerAt(limit, "cacheSize")) || defaultCacheSize;
  }

  refusalOf(attributes: AdmissionAttributes): StatusError | undefined {
    const key = keyOf(this.#type, attributes);
    const bucket = this.#bucketOf(key);
    if (bucket.tokens >= 1) {
      bucket.tokens -= 1;
      return undefined;
    }
    return tooMany(`limit reached on type ${this.#type} for key ${key}`);
  }

  #bucketOf(key: string): Bucket {
    const now = this.#clock.now();
    const known = this.#buckets.get(key) ?? { tokens: this.#burst, at: now };
    this.#buckets.delete(key);
    this.#buckets.set(key, known);
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > this.#capacity && oldest !== undefined) this.#buckets.delete(oldest);
    const filled = known.tokens + ((now - known.at) / 1000) * this.#perSecond;
    known.tokens = Math.min(this.#burst, filled);
    known.at = now;
    return known;
  }
}

function keyOf(type: LimitType, { namespace, user, object }: AdmissionAttributes): string {
  switch (type) {
    case "Server":
      return "";
    case "Namespace":
      return namespace;
    case "User":
      return user.name;
    case "SourceAndObject":
      return object === undefined ? "" : sourceAndObject(object);
  }
}

function sourceAndObject(event: KubeObject): string {
  const source = structAt(event, "source");
  const involved = structAt(event, "involvedObject");
  const ofObject = ["kind", "namespace", "name", "uid", "apiVersion"].map((field) => textAt(involved, field));
  return [textAt(source, "component"), textAt(source, "host"), ...ofObject].join("");
}

/** Unlike a server that is too busy, the limit does not say when to try again. Upstream: NewTooManyRequestsError. */
function tooMany(text: string): StatusError {
  return new StatusError({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: `Too many requests: ${text}`,
    reason: "TooManyRequests",
    code: 429,
  });
}
