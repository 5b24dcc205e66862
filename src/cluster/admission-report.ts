import type { JsonObject } from "../apimachinery/json.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { Status } from "../apimachinery/status.ts";
import type { AdmissionStep } from "../request/request-notes.ts";
import type { ExplainedUser } from "./explained-access.ts";

/** What `admit` asks. */
export interface AdmitOptions {
  /**
   * Default: "UPDATE" if the cluster has the object, and "CREATE" otherwise; for a subresource, "UPDATE" if it can be updated. A
   * subresource that connects, such as exec, has no dry run.
   */
  readonly operation?: "CREATE" | "UPDATE" | "DELETE";
  /** Default: the manifest's own, else `default` for namespaced kinds. */
  readonly namespace?: string;
  /** Default: none, which is the object itself. The manifest names the object, and may be of another kind, such as an Eviction. */
  readonly subresource?: string;
  /** Who sends the request. Default: an administrator. */
  readonly user?: ExplainedUser;
}

/** The request that `admit` has sent. */
export interface AdmittedRequest {
  readonly operation: "CREATE" | "UPDATE" | "DELETE";
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly user: string;
}

/** What a cluster says about a request, and which plugin, webhook or policy said it. */
export interface AdmissionReport {
  /** Whether the request would succeed. */
  readonly admitted: boolean;
  readonly request: AdmittedRequest;
  /** The Status that refuses it; undefined if it is admitted. */
  readonly refusal: Status | undefined;
  /** The step that refuses it; undefined if it is admitted, or refused outside admission: by authorization or validation. */
  readonly deniedBy: AdmissionStep | undefined;
  /** Every plugin, webhook and policy that had to do with the request, in order. */
  readonly steps: readonly AdmissionStep[];
  /** The object as it would be stored; undefined for a deletion, and if it is refused. */
  readonly object: KubeObject | undefined;
  /** How the mutating plugins changed the object together, as a JSON patch. */
  readonly changes: readonly JsonObject[];
  readonly warnings: readonly string[];
  readonly auditAnnotations: { readonly [name: string]: string };
  /** All of this for people. */
  readonly text: string;
}
