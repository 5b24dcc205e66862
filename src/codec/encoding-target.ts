import type { GroupVersionKind } from "../apimachinery/group-version.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import type { KindSchema } from "../schema/kind-schema.ts";
import type { EncodedForms } from "./encoded-forms.ts";

/** The kind and version of an endpoint. Objects are in this version when they are encoded. */
export interface EncodingTarget {
  readonly gvk: GroupVersionKind;
  readonly schema: KindSchema;
  readonly listSchema: KindSchema | undefined;
  /** How the objects of the endpoint are encoded. */
  readonly forms: EncodedForms;
}

/** The metadata of a list. */
export interface ListMeta extends JsonObject {
  readonly selfLink?: string;
  readonly resourceVersion?: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}
