import { aggregateText } from "../../../apimachinery/errors/aggregate.ts";
import { badRequest } from "../../../apimachinery/errors/errors.ts";
import { textAt } from "../../../apimachinery/fields.ts";
import { formatGroupVersion } from "../../../apimachinery/group-version.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { SubjectRules } from "../../../authorization/contract/authorizer.ts";
import type { PolicyRule } from "../../../authorization/contract/policy-rule.ts";
import { transient } from "../../../codec/encodable.ts";
import type { RegistryOptions } from "../../../registry/contract/registry-options.ts";
import type { ResourceAccess } from "../../../registry/contract/resource-access.ts";
import type { ResourceDefinition, Rest } from "../../../registry/contract/rest.ts";

/**
 * The verbs of `selfsubjectrulesreviews`, which list the rules of the requesting user in a namespace. The response
 * has an empty spec.
 */
export function selfSubjectRulesReviewRest(
  definition: ResourceDefinition,
  _options: RegistryOptions,
  { authorization }: ResourceAccess,
): Rest {
  return {
    definition,
    create: async (_key, sent, { user, validateAdmission }) => {
      const namespace = textAt(sent, "spec", "namespace");
      if (namespace === "") throw badRequest("no namespace on request");
      await validateAdmission(sent);
      const review = {
        kind: definition.gvk.kind,
        apiVersion: formatGroupVersion(definition.gvk),
        metadata: {},
        spec: {},
        status: statusOf(authorization.rulesFor(user, namespace)),
      };
      return { object: transient(definition.schema.canonicalize(review)) };
    },
  };
}

function statusOf({ rules, isIncomplete, errors }: SubjectRules): JsonObject {
  return {
    resourceRules: rules.filter(({ resources }) => resources.length > 0).map(resourceRule),
    nonResourceRules: rules
      .filter(({ nonResourceURLs }) => nonResourceURLs.length > 0)
      .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
    incomplete: isIncomplete,
    ...(errors.length > 0 && { evaluationError: aggregateText(errors) }),
  };
}

function resourceRule({ verbs, apiGroups, resources, resourceNames }: PolicyRule): JsonObject {
  return { verbs, apiGroups, resources, ...(resourceNames.length > 0 && { resourceNames }) };
}
