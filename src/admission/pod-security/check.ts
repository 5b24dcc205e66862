import type { JsonObject } from "../../apimachinery/json.ts";

/** The parts of a pod or a pod template that checks read. */
export interface PodSecurityInput {
  readonly annotations: JsonObject;
  readonly spec: JsonObject;
}

/** One rule of a level. */
export interface Check {
  /** Upstream's identifier of the check. */
  readonly id: string;
  /** The violation, if there is one: `privileged (container "c" must not set ...)`. */
  readonly find: (input: PodSecurityInput) => string | undefined;
}
