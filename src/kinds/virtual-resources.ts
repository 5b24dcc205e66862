import { formatGroupResource } from "../apimachinery/group-version.ts";
import type { ApiResource } from "../catalog/api-resource.ts";
import type { RegistryOptions } from "../registry/contract/registry-options.ts";
import type { ResourceAccess } from "../registry/contract/resource-access.ts";
import { definitionOf } from "../registry/contract/resource-definition.ts";
import type { ResourceDefinition, Rest } from "../registry/contract/rest.ts";
import { selfSubjectReviewRest } from "./authentication/self-subject-review/self-subject-review.ts";
import {
  localSubjectAccessReviewRest,
  selfSubjectAccessReviewRest,
  subjectAccessReviewRest,
} from "./authorization/access-review/access-review.ts";
import { selfSubjectRulesReviewRest } from "./authorization/self-subject-rules-review/self-subject-rules-review.ts";
import { componentStatusRest } from "./core/component-status/component-status.ts";
import { bindingRest } from "./core/pod/pod-binding.ts";

type MakeRest = (
  definition: ResourceDefinition,
  options: RegistryOptions,
  access: ResourceAccess,
) => Rest | undefined;

/** Resources that are answered and not kept, by resource and subresource. A new one is a file and a line. */
const virtualResources: ReadonlyMap<string, MakeRest> = new Map<string, MakeRest>([
  ["bindings", (definition, _options, access) => bindingRest(definition, access)],
  ["componentstatuses", componentStatusRest],
  ["selfsubjectreviews.authentication.k8s.io", selfSubjectReviewRest],
  ["selfsubjectaccessreviews.authorization.k8s.io", selfSubjectAccessReviewRest],
  ["subjectaccessreviews.authorization.k8s.io", subjectAccessReviewRest],
  ["localsubjectaccessreviews.authorization.k8s.io", localSubjectAccessReviewRest],
  ["selfsubjectrulesreviews.authorization.k8s.io", selfSubjectRulesReviewRest],
]);

/** The verbs of a resource that is not kept; undefined for all others. */
export function virtualRest(
  entry: ApiResource,
  subresource: string,
  options: RegistryOptions,
  access: ResourceAccess,
): Rest | undefined {
  const key = formatGroupResource(entry) + (subresource === "" ? "" : `/${subresource}`);
  return virtualResources.get(key)?.(definitionOf(entry, options.catalog), options, access);
}
