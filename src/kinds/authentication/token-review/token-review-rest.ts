import { badRequest } from "../../../apimachinery/errors/errors.ts";
import { textAt, textsAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { Authentication } from "../../../authentication/contract/authenticator.ts";
import { transient } from "../../../codec/encodable.ts";
import type { RegistryOptions } from "../../../registry/contract/registry-options.ts";
import type { ResourceDefinition, Rest } from "../../../registry/contract/rest.ts";
import { userInfoObject } from "../self-subject-review/user-info-object.ts";

/**
 * The verbs of `tokenreviews`, which authenticate a token with every method that takes one. Upstream:
 * pkg/registry/authentication/tokenreview/storage.go.
 */
export function tokenReviewRest(
  definition: ResourceDefinition,
  { authentication: { apiAudiences }, authenticateToken }: RegistryOptions,
): Rest {
  return {
    definition,
    create: async (_key, review, { validateAdmission }) => {
      const token = textAt(review, "spec", "token");
      if (token === "") throw badRequest("token is required for TokenReview in authentication");
      await validateAdmission(review);
      const named = textsAt(review, "spec", "audiences");
      const answer = await authenticateToken(token, named.length === 0 ? apiAudiences : named);
      const status = statusOf(answer, apiAudiences);
      return { object: transient(definition.schema.canonicalize({ ...review, status })) };
    },
  };
}

function statusOf(answer: Authentication, apiAudiences: readonly string[]): JsonObject {
  if (answer.type === "noOpinion") return { user: {} };
  if (answer.type === "rejected") return { user: {}, error: answer.message };
  const { user, audiences = apiAudiences } = answer;
  return { authenticated: true, user: userInfoObject(user), audiences };
}
