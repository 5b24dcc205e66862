import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { UserInfo } from "../../apimachinery/user-info.ts";
import type { Findings } from "../../apimachinery/validation/findings.ts";
import type { NameValidator } from "../../apimachinery/validation/names.ts";
import type { ObjectKey } from "./object-key.ts";

/** The facts of the request that a strategy may use. */
export interface StrategyContext {
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Adds a Warning header, even if the write fails later. */
  readonly warn: (text: string) => void;
}

/**
 * `key` is that of the request, without a name for a create. `old` is undefined if the write creates the object. Undefined if
 * nothing has to be waited for.
 */
export type AuthorizeWrite = (
  object: KubeObject,
  old: KubeObject | undefined,
  key: ObjectKey,
  user: UserInfo,
) => Promise<void> | undefined;

/** Ends what a write began, whether it succeeded or failed. */
export type Finish = () => void;

/**
 * The metadata validation that a kind's validation starts with upstream: that of the core group, which knows the
 * standard finalizers, or the library's. A kind with `"own"` validates metadata later or not at all.
 */
export type MetadataCheck = "core" | "library" | "own";

/**
 * The default for dependents if the client does not choose. `undefined` means that the kind is not garbage collected.
 */
export type GarbageCollectionPolicy = "background" | "orphan" | undefined;

/**
 * What differs between kinds: upstream's RESTCreateStrategy, RESTUpdateStrategy and RESTDeleteStrategy. Objects are
 * in the storage version. Only the `prepare` functions may change an object.
 */
export interface Strategy {
  /**
   * Checks whether the user may write this content; undefined for kinds where the permission for the request suffices. It comes
   * after admission has changed the object and before everything else. Upstream: the `policybased` storages of RBAC.
   * @throws {StatusError} forbidden, or notFound for what the object references
   */
  readonly authorizeWrite: AuthorizeWrite | undefined;
  /** Validates a name, or a generateName. Returns messages. */
  readonly validateName: NameValidator;
  /**
   * The metadata validation before `validate` and `validateUpdate`, in addition to what the registry checks for every
   * kind.
   */
  readonly metadataChecks: { readonly create: MetadataCheck; readonly update: MetadataCheck };
  /**
   * The first step of a write: allocates what the object needs from shared pools. The returned function is called
   * once the allocation can be seen in the store or the write has failed. `old` is undefined on create.
   */
  readonly beginWrite: (
    object: MutableKubeObject,
    old: KubeObject | undefined,
    context: StrategyContext,
  ) => Finish;
  /** Sets fields that clients must not set, such as status. */
  readonly prepareForCreate: (object: MutableKubeObject, context: StrategyContext) => void;
  /** Collects the errors of a new object. */
  readonly validate: (errors: Findings, object: KubeObject) => void;
  readonly warningsOnCreate: (object: KubeObject) => readonly string[];
  /** Restores fields that this endpoint must not change. */
  readonly prepareForUpdate: (object: MutableKubeObject, old: KubeObject, context: StrategyContext) => void;
  /**
   * Collects the errors of a changed object. Quantities in both objects are in canonical form here and below, so that
   * equal amounts have equal texts.
   */
  readonly validateUpdate: (errors: Findings, object: KubeObject, old: KubeObject) => void;
  readonly warningsOnUpdate: (object: KubeObject, old: KubeObject) => readonly string[];
  /**
   * Whether a change increments the generation; undefined for kinds without one. Both objects are in canonical form,
   * so unset and empty fields are equal.
   */
  readonly countsGeneration: ((object: KubeObject, old: KubeObject) => boolean) | undefined;
  /** Further changes whenever the generation is incremented, if there are any. Both objects are in canonical form. */
  readonly prepareForGeneration: ((object: MutableKubeObject, old: KubeObject) => void) | undefined;
  /**
   * Applies the defaults of the storage version again, as a read from storage does: a strategy or admission may have
   * left a field unset since decoding. Returns the same object if nothing changes.
   */
  readonly withStorageDefaults: (object: KubeObject) => KubeObject;
  /** PUT of a missing object creates it. */
  readonly allowCreateOnUpdate: boolean;
  /** PUT without a resourceVersion overwrites. */
  readonly allowUnconditionalUpdate: boolean;
  readonly garbageCollectionPolicy: GarbageCollectionPolicy;
  /** The warning for a delete without a propagation policy. */
  readonly orphanWarning: string | undefined;
  /**
   * Refuses to delete an object by its name, before the object is read. The deletion of a collection does not ask.
   * @throws {StatusError} the refusal
   */
  readonly checkDeletion: (name: string) => void;
  /** DELETE answers the object instead of a Status. */
  readonly deleteReturnsObject: boolean;
  /** The part of a kind in graceful deletion: the seconds to wait, or undefined for an immediate deletion. */
  readonly gracePeriodSeconds: (object: KubeObject, requested: number | undefined) => number | undefined;
  /** The rules for deletion; namespaces have their own storage upstream. */
  readonly deletion: "generic" | "namespace";
  /** Whether something other than metadata.finalizers prevents removal; namespaces have finalizers in their spec. */
  readonly hasOtherFinalizers: (object: KubeObject) => boolean;
  /** Changes the terminating object that a delete leaves behind. */
  readonly prepareForTermination: (object: MutableKubeObject) => void;
  /**
   * The object as its first deletion leaves it, for a kind that keeps every object until its content is gone; undefined
   * for other kinds.
   */
  readonly beginDeletion: ((object: KubeObject, now: number) => MutableKubeObject) | undefined;
  /** The storage keys of objects that are deleted together with this one, in the same write. */
  readonly dependentKeys: (object: KubeObject) => readonly string[];
}
