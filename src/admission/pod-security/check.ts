import type { JsonObject } from "../../apimachinery/json.ts";
import type { Since } from "../../apimachinery/release.ts";

/** The parts of a pod or a pod template that checks read. */
export interface PodSecurityInput {
  readonly annotations: JsonObject;
  readonly spec: JsonObject;
  /** The release of the server, which is not the version of the policy. */
  readonly since: Since;
}

/** The violation, if there is one: `privileged (container "c" must not set ...)`. */
export type FindViolation = (input: PodSecurityInput) => string | undefined;

/** A check from one version of the policy on. */
export interface CheckVersion {
  /** The version of the policy, such as 8 for v1.8. It is not the release of the server. */
  readonly first: number;
  readonly find: FindViolation;
  /** The check of the baseline level that this stricter one replaces. */
  readonly replaces?: string;
}

/** One rule of a level. */
export interface Check {
  /** Upstream's identifier of the check. */
  readonly id: string;
  /** In ascending order. */
  readonly versions: readonly CheckVersion[];
}
