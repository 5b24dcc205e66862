import type { GroupKind, GroupResource } from "../../apimachinery/group-version.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { ApiResource } from "../../catalog/api-resource.ts";

/** What a request is for, as client-go names it in errors: `(get pods.metrics.k8s.io)`. */
export interface Requested extends GroupResource {
  readonly name?: string;
}

/** Requests of kube-controller-manager by path, for APIs that have no objects, such as metrics, and for scales. */
export interface RawApi {
  /** @throws {StatusError} the refusal, with client-go's message if the answer has no Status */
  get(path: string, requested: Requested): Promise<JsonObject>;
  /** @throws {StatusError} the refusal, likewise */
  put(path: string, object: JsonObject, requested: Requested): Promise<JsonObject>;
  /** The resources that serve a kind, one for each version, in the order of discovery. */
  resourcesOf(gk: GroupKind): readonly ApiResource[];
}
