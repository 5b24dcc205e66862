import type { Clock } from "../../apimachinery/clock.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { LatestObject } from "../../sharing/latest-object.ts";
import type { Store } from "../../store/store.ts";
import type { StoredValue } from "../../store/stored-value.ts";
import type { KeySpace } from "./object-key.ts";
import type { RepeatedErrors } from "./repeated-errors.ts";
import type { ResourceDefinition } from "./rest.ts";
import type { FieldReader } from "./selection-predicate.ts";
import type { StorageCodec } from "./storage-codec.ts";
import type { Strategy } from "./strategy.ts";
import type { Identifiers } from "./system-fields.ts";

export type StoredObject = StoredValue<KubeObject>;

/** The parts that the verbs of a stored resource share. */
export interface StoredResource {
  readonly definition: ResourceDefinition;
  readonly strategy: Strategy;
  readonly space: KeySpace;
  readonly fieldOf: FieldReader;
  readonly store: Store<KubeObject>;
  readonly clock: Clock;
  readonly identifiers: Identifiers;
  readonly gates: FeatureGates;
  readonly latest: LatestObject;
  readonly repeatedErrors: RepeatedErrors;
  /** Undefined if the verbs handle objects as they are stored. */
  readonly codec: StorageCodec | undefined;
}
