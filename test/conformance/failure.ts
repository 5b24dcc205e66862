import type * as lives from "../../src/scenario/pod-lives.ts";
import type * as presets from "../../src/scenario/presets.ts";
import type { FailureWorld } from "./failure-world.ts";

/** The transports, in the order of the table. */
export const transports = [
  "fetch",
  "MSW 2",
  "MSW 3",
  "nock 14",
  "nock 15",
  "undici",
  "HTTP/1.1",
  "HTTP/2",
] as const;
export type Transport = (typeof transports)[number];

/** Every failure that a test can inject: the exports of `kubedouble/scenarios` that create a scenario. */
export type FailureName = Exclude<keyof typeof presets, "whileDisconnected" | keyof typeof lives>;

/** A failure as clients see it. */
export interface Failure {
  /** Whether it hits connections that change protocols, so that it is met on a port only. */
  readonly upgrades?: true;
  /** Whether it needs a simulated cluster. */
  readonly simulated?: true;
  /** The description in the table. */
  readonly what: string;
  /** Injects the failure, sends requests, and returns what the client saw. */
  readonly meet: (world: FailureWorld) => Promise<readonly string[]>;
  /** What a client of kube-apiserver would see. */
  readonly expected: readonly string[];
  /** What a client sees if a library between reads the response to its end at once. Default: the same. */
  readonly buffered?: readonly string[];
  /** The sentence in its doc comment about transports. Default: faithful on every transport. */
  readonly faithful?: string;
  /** The cells of the table. Default: `yes`. */
  readonly cells?: { readonly [transport in Transport]?: string };
}
