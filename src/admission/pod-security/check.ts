import type { JsonObject } from "../../apimachinery/json.ts";

/** A pod, or what a template makes pods of. */
export interface PodSecurityInput {
  readonly annotations: JsonObject;
  readonly spec: JsonObject;
}

/** One rule of a level. */
export interface Check {
  /** Upstream's name for it. */
  readonly id: string;
  /** What a pod does against the rule: `privileged (container "c" must not set ...)`. */
  readonly find: (input: PodSecurityInput) => string | undefined;
}
