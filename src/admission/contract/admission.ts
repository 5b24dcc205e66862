import type {
  GroupResource,
  GroupVersionKind,
  GroupVersionResource,
} from "../../apimachinery/group-version.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { UserInfo } from "../../apimachinery/user-info.ts";
import type { RequestNotes } from "../../request/request-notes.ts";
import type { ObjectForm } from "./object-interfaces.ts";
import type { OperationOptions } from "./operation-options.ts";
import type { ReinvocationContext } from "./reinvocation.ts";
import type { SideEffects } from "./side-effects.ts";

export type AdmissionOperation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

/** What a plugin knows about a write. */
export interface AdmissionAttributes {
  readonly operation: AdmissionOperation;
  readonly gvk: GroupVersionKind;
  readonly gvr: GroupVersionResource;
  readonly subresource: string;
  readonly namespace: string;
  /** Empty on a create with `generateName`, because names are generated later, and on deletecollection. */
  readonly name: string;
  /** Undefined on delete. */
  readonly object: KubeObject | undefined;
  /** Undefined on create and connect. */
  readonly oldObject: KubeObject | undefined;
  readonly form: ObjectForm;
  readonly dryRun: boolean;
  /** The options of the write; undefined on connect. */
  readonly options: OperationOptions | undefined;
  readonly user: UserInfo;
  readonly warn: (text: string) => void;
  /** Where a plugin registers the changes that it has made elsewhere. */
  readonly sideEffects: SideEffects;
  /** What goes to the log of requests; undefined for requests that are not logged. `annotate` and `record` write to it. */
  readonly notes: RequestNotes | undefined;
  /** When the write has taken too long, by the clock of the cluster. */
  readonly deadline: number;
}

/** The attributes of the mutating phase: the object may be changed in place. */
export interface MutatingAttributes extends AdmissionAttributes {
  readonly object: MutableKubeObject | undefined;
  /** Set by the first plugin that may ask for a second run; undefined until then. */
  reinvocation: ReinvocationContext | undefined;
}

/** A plugin by upstream's name. It refuses by throwing a StatusError. */
export interface AdmissionPlugin {
  readonly name: string;
  readonly handles: (operation: AdmissionOperation) => boolean;
  /** The resources that it looks at. It lets writes of all others pass, and is not called for them. Default: all resources. */
  readonly concerns?: (resource: GroupResource) => boolean;
  readonly admit?: (attributes: MutatingAttributes) => Promise<void> | void;
  readonly validate?: (attributes: AdmissionAttributes) => Promise<void> | void;
}
