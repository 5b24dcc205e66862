import type { GroupVersionKind } from "../../apimachinery/group-version.ts";
import type { StructSchema } from "../../catalog/type-schema.ts";
import type { OpenApiType } from "./openapi-definitions.ts";
import type { OpenApiParameter } from "./openapi-parameters.ts";

export type OpenApiMethod = "get" | "put" | "post" | "delete" | "options" | "head" | "patch";

export interface OpenApiResponse {
  readonly code: number;
  readonly description: string;
  readonly type: OpenApiType | undefined;
}

/** One method of one path, independent of the dialect of the document. */
export interface OpenApiOperation {
  readonly path: string;
  readonly method: OpenApiMethod;
  readonly operationId: string;
  readonly tag: string;
  readonly description: string;
  readonly action: string | undefined;
  readonly gvk: GroupVersionKind | undefined;
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  readonly parameters: readonly OpenApiParameter[];
  readonly body: { readonly type: StructSchema; readonly required: boolean } | undefined;
  /** Without 401, which every operation has. */
  readonly responses: readonly OpenApiResponse[];
}

/** The parts of an operation's name before and after the group and version: `list` and `NamespacedPod`. */
export type OperationName = readonly [verb: string, rest: string];

/**
 * The identifier of an operation and the tag of its group and version: `listCoreV1NamespacedPod` and `core_v1`. The core group
 * is "core"; group and version may be empty.
 */
export function operationName(
  [verb, rest]: OperationName,
  group: string,
  version: string,
): Pick<OpenApiOperation, "operationId" | "tag"> {
  const short = camelCase(group.endsWith(".k8s.io") ? group.slice(0, -".k8s.io".length) : group);
  const tag = version === "" ? short : `${short}_${version}`;
  return { operationId: `${verb}${title(short)}${title(version)}${rest}`, tag };
}

/** `rbac.authorization` to `rbacAuthorization`. */
function camelCase(text: string): string {
  return text.replace(/[^A-Za-z0-9_]+(.?)/g, (_match, next: string) => next.toUpperCase());
}

/** The text with its first letter in upper case. */
export function title(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
