import type { FieldError } from "../../apimachinery/errors/field.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { UserInfo } from "../../apimachinery/user-info.ts";

/** What a strategy may know of the request it serves. */
export interface StrategyContext {
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Collects the text of a Warning header, even if the write is refused in the end. */
  readonly warn: (text: string) => void;
}

/** Says that a write which has begun is done, or has failed. */
export type Finish = () => void;

/**
 * Which of upstream's checks of metadata a kind's own validation begins with: those of the core group, which know the
 * standard finalizers, or the library's. A kind that says `"own"` looks at metadata later, or not at all.
 */
export type MetadataCheck = "core" | "library" | "own";

/** What happens to dependents when nobody says. `undefined` means that the kind is not garbage collected at all. */
export type GarbageCollectionPolicy = "background" | "orphan" | undefined;

/**
 * Where a kind differs from every other: upstream's RESTCreateStrategy, RESTUpdateStrategy and RESTDeleteStrategy.
 * Objects are in the storage version. The `prepare` functions change the object in their hand; the others only look.
 */
export interface Strategy {
  /** Messages about a name; `isPrefix` for a generateName. Empty when the name is fine. */
  readonly validateName: (name: string, isPrefix: boolean) => readonly string[];
  /** What comes before `validate` and `validateUpdate`, besides what the registry checks for every kind. */
  readonly metadataChecks: { readonly create: MetadataCheck; readonly update: MetadataCheck };
  /**
   * Comes before all else in a write: takes what the object needs from pools that all objects share. What is returned
   * is called when the store tells by itself what is taken. `old` is undefined for a new object.
   */
  readonly begin: (
    object: MutableKubeObject,
    old: KubeObject | undefined,
    context: StrategyContext,
  ) => Finish;
  /** Sets what clients may not choose: wipes status. */
  readonly prepareForCreate: (object: MutableKubeObject, context: StrategyContext) => void;
  readonly validate: (object: KubeObject) => readonly FieldError[];
  readonly warningsOnCreate: (object: KubeObject) => readonly string[];
  /** Puts back what this endpoint may not change. */
  readonly prepareForUpdate: (object: MutableKubeObject, old: KubeObject, context: StrategyContext) => void;
  /** Here and below, equal amounts are written alike in both objects: a quantity that differs has changed. */
  readonly validateUpdate: (object: KubeObject, old: KubeObject) => readonly FieldError[];
  readonly warningsOnUpdate: (object: KubeObject, old: KubeObject) => readonly string[];
  /**
   * Whether a change counts a generation; undefined for kinds without generations. Both objects are in canonical form,
   * so that an unset field and an empty one are the same.
   */
  readonly countsGeneration: ((object: KubeObject, old: KubeObject) => boolean) | undefined;
  /** What else a change counts that counts a generation; both objects are in canonical form. */
  readonly prepareForGeneration: (object: MutableKubeObject, old: KubeObject) => void;
  /**
   * The object as it is read from storage, where the defaults of its version are filled in anew: a strategy or admission
   * may have left something open since the request was decoded. Itself if there is nothing to fill in.
   */
  readonly asRead: (object: KubeObject) => KubeObject;
  /** PUT of a missing object creates it. */
  readonly allowCreateOnUpdate: boolean;
  /** PUT without a resourceVersion overwrites. */
  readonly allowUnconditionalUpdate: boolean;
  readonly garbageCollectionPolicy: GarbageCollectionPolicy;
  /** What a client hears that deletes without saying what becomes of the dependents. */
  readonly orphanWarning: string | undefined;
  /** DELETE answers the object instead of a Status. */
  readonly deleteReturnsObject: boolean;
  /** The kind's own part in graceful deletion; the seconds to wait, or undefined to delete at once. */
  readonly gracePeriodSeconds: (object: KubeObject, requested: number | undefined) => number | undefined;
  /** Whose rules a deletion follows; namespaces have a storage of their own upstream. */
  readonly deletion: "generic" | "namespace";
  /** Whether more than metadata.finalizers stands in the way of removal; namespaces have finalizers in their spec. */
  readonly isHeldBack: (object: KubeObject) => boolean;
  /** Called on the object that a delete leaves behind, terminating. */
  readonly prepareForTermination: (object: MutableKubeObject) => void;
  /** Where the store keeps what goes with the object, in the same write. */
  readonly goesWith: (object: KubeObject) => readonly string[];
}
