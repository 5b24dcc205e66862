import { formatDuration } from "../../apimachinery/duration.ts";
import { ConfigurationError } from "../../apimachinery/errors/configuration-error.ts";
import { booleanAt, integerAt, structAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";

/** What the configuration of ImagePolicyWebhook says. */
export interface ImagePolicyConfig {
  /** The text of a kubeconfig; empty for none. */
  readonly kubeconfig: string;
  /** How long answers count; 0 for not at all. */
  readonly allowedMilliseconds: number;
  readonly deniedMilliseconds: number;
  /** The pause before the second call. */
  readonly retryMilliseconds: number;
  /** Whether pods are admitted if the webhook fails. */
  readonly allowsByDefault: boolean;
}

const nanosecond = 1n;
const millisecond = 1_000_000n;
const second = 1000n * millisecond;
const minute = 60n * second;

const ttl = { unit: second, least: second, most: 30n * minute };
const backoff = { unit: millisecond, least: nanosecond, most: 5n * minute };

/** Upstream: plugin/pkg/admission/imagepolicy/config.go. @throws {ConfigurationError} */
export function imagePolicyConfig(configuration: JsonObject | undefined): ImagePolicyConfig {
  if (configuration === undefined) throw invalid("no config specified");
  const policy = structAt(configuration, "imagePolicy");
  checkTypes(policy);
  // Upstream reads and checks the durations in this order.
  const retryMilliseconds = durationAt(policy, "retryBackoff", { ...backoff, unset: 500n * millisecond });
  const allowedMilliseconds = durationAt(policy, "allowTTL", { ...ttl, unset: 5n * minute });
  const deniedMilliseconds = durationAt(policy, "denyTTL", { ...ttl, unset: 30n * second });
  return {
    kubeconfig: textAt(policy, "kubeConfigFile"),
    allowedMilliseconds,
    deniedMilliseconds,
    retryMilliseconds,
    allowsByDefault: booleanAt(policy, "defaultAllow"),
  };
}

/** A configuration that ends the start. */
export function invalid(problem: string): ConfigurationError {
  return new ConfigurationError(`couldn't init admission plugin "ImagePolicyWebhook": ${problem}`);
}

const fields: { readonly [field: string]: readonly [type: "string" | "number" | "boolean", goType: string] } =
  {
    kubeConfigFile: ["string", "string"],
    allowTTL: ["number", "time.Duration"],
    denyTTL: ["number", "time.Duration"],
    retryBackoff: ["number", "time.Duration"],
    defaultAllow: ["boolean", "bool"],
  };

function checkTypes(policy: JsonObject): void {
  for (const [field, [type, goType]] of Object.entries(fields)) {
    const value = policy[field] ?? null;
    const isInteger = typeof value !== "number" || Number.isInteger(value);
    if (value === null || (typeof value === type && isInteger)) continue;
    const shown = isInteger ? jsonType(value) : `number ${value}`;
    throw invalid(
      `json: cannot unmarshal ${shown} into Go struct field AdmissionConfig.imagePolicy.${field} of type ${goType}`,
    );
  }
}

function jsonType(value: JsonValue): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}

/** What a number of the configuration may be. */
interface Range {
  readonly unit: bigint;
  readonly least: bigint;
  readonly most: bigint;
  readonly unset: bigint;
}

/** -1 turns it off. Upstream refuses the least value too. @throws {ConfigurationError} */
function durationAt(policy: JsonObject, field: string, { unit, least, most, unset }: Range): number {
  const given = BigInt(integerAt(policy, field));
  if (given === -1n) return 0;
  const duration = given === 0n ? unset : given * unit;
  if (duration <= least || duration > most) {
    const range = `${formatDuration(least)} and ${formatDuration(most)}`;
    throw invalid(`valid value is between ${range}, got ${formatDuration(duration)}`);
  }
  return Number(duration / millisecond);
}
