import type { OptionTypes } from "../../apimachinery/option-checks.ts";
import { oneOf, text } from "../../apimachinery/option-types.ts";
import type { Release } from "../../apimachinery/release.ts";

/** `upgrade` or `downgrade`. */
export type Direction = "upgrade" | "downgrade";

/** A further server of a cluster. */
export interface ReplicaOptions {
  /** Its release, at most one minor release from those of the other servers. Default: that of the cluster. */
  readonly release?: string;
}

/** How `upgrade` and `downgrade` go to a release that is more than one minor release away. */
export interface ReleaseChangeOptions {
  /**
   * `one`: that is an error, which names the releases between. `each`: a server of each release between starts before that of the
   * wanted one, as in a real cluster. `skip`: only the server of the wanted release starts, which upstream does not support.
   * Default: "one".
   */
  readonly minors?: "one" | "each" | "skip";
}

/** A stored object, in the version in which it is stored. */
export interface StoredObjectName {
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty for an object without one. */
  readonly namespace: string;
  readonly name: string;
}

/** An object in a version that the release does not know: requests for it answer 500. */
export interface UnreadableObject extends StoredObjectName {
  /** The error of the server. */
  readonly reason: string;
}

/** An object of a resource that the release does not serve. It stays in the storage, where no client reaches it. */
export interface UnservedObject extends StoredObjectName {
  /** Such as `podsecuritypolicies.policy`. */
  readonly resource: string;
}

/** What a server of another release finds in the storage. */
export interface ReleaseChange {
  readonly from: Release;
  readonly release: Release;
  readonly unreadable: readonly UnreadableObject[];
  readonly unserved: readonly UnservedObject[];
}

/** The types of the options of `replica`. */
export const replicaOptionTypes: OptionTypes = { release: text };

/** The types of the options of `upgrade` and `downgrade`. */
export const releaseChangeOptionTypes: OptionTypes = { minors: oneOf("one", "each", "skip") };
