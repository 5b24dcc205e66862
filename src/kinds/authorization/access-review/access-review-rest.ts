import { invalid } from "../../../apimachinery/errors/errors.ts";

import { fieldCauses } from "../../../apimachinery/errors/field.ts";
import { objectAt, structAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import type { UserInfo } from "../../../apimachinery/user-info.ts";
import { collectErrors, type Findings } from "../../../apimachinery/validation/findings.ts";
import type { Decision } from "../../../authorization/contract/authorizer.ts";
import { transient } from "../../../codec/encodable.ts";
import type { RegistryOptions } from "../../../registry/contract/registry-options.ts";
import type { ResourceAccess } from "../../../registry/contract/resource-access.ts";
import type { Answer, CreateOptions, ResourceDefinition, Rest } from "../../../registry/contract/rest.ts";
import { internalTypes } from "../../../schema/internal-types.ts";
import {
  addAttributesErrors,
  addMetadataErrors,
  addNamespaceErrors,
  addSelectorErrors,
  addSubjectErrors,
} from "./access-review-validation.ts";
import { reviewedAttributes } from "./reviewed-attributes.ts";

/** Upstream's error for an invalid review has no kind. */
const unnamedKind = { group: "authorization.k8s.io", kind: "" };

/** What differs between the kinds of reviews. */
interface ReviewKind {
  readonly validate: (errors: Findings, review: KubeObject) => void;
  /** The user whose access is reviewed. */
  readonly subject: (review: KubeObject, requester: UserInfo) => UserInfo;
}

/** The verbs of `selfsubjectaccessreviews`, which review the access of the requesting user. */
export function selfSubjectAccessReviewRest(
  definition: ResourceDefinition,
  options: RegistryOptions,
  access: ResourceAccess,
): Rest {
  const validate: ReviewKind["validate"] = (errors, review) => {
    addAttributesErrors(errors, review);
    addSelectorErrors(errors, review);
    addMetadataErrors(errors, review, "nothing");
  };
  return reviewRest(definition, options, access, { validate, subject: (_review, requester) => requester });
}

/** The verbs of `subjectaccessreviews`, which review the access of any user. */
export function subjectAccessReviewRest(
  definition: ResourceDefinition,
  options: RegistryOptions,
  access: ResourceAccess,
): Rest {
  const validate: ReviewKind["validate"] = (errors, review) => {
    addSubjectReviewErrors(errors, review, "nothing");
  };
  return reviewRest(definition, options, access, { validate, subject: subjectOf });
}

/** The verbs of `localsubjectaccessreviews`, which review the access of any user in one namespace. */
export function localSubjectAccessReviewRest(
  definition: ResourceDefinition,
  options: RegistryOptions,
  access: ResourceAccess,
): Rest {
  const validate: ReviewKind["validate"] = (errors, review) => {
    addSubjectReviewErrors(errors, review, "namespace");
    addNamespaceErrors(errors, review);
  };
  return reviewRest(definition, options, access, { validate, subject: subjectOf });
}

function addSubjectReviewErrors(
  errors: Findings,
  review: KubeObject,
  metadata: "nothing" | "namespace",
): void {
  addAttributesErrors(errors, review);
  addSubjectErrors(errors, review, groupsOf(review));
  addSelectorErrors(errors, review);
  addMetadataErrors(errors, review, metadata);
}

function reviewRest(
  definition: ResourceDefinition,
  { gates }: RegistryOptions,
  { authorization }: ResourceAccess,
  kind: ReviewKind,
): Rest {
  const { authorize } = authorization;
  const goTypes = internalTypes(gates.since, definition.gvk);
  const create = async (
    sent: MutableKubeObject,
    { user, validateAdmission }: CreateOptions,
  ): Promise<Answer> => {
    const review = gates.isEnabled("AuthorizeWithSelectors") ? sent : withoutSelectors(sent);
    const errors = collectErrors((found) => kind.validate(found, review));
    if (errors.length > 0) throw invalid(unnamedKind, "", fieldCauses(errors, gates.since, goTypes));
    await validateAdmission(review);
    const subject = kind.subject(review, user);
    const { attributes, evaluationError } = reviewedAttributes(
      structAt(review, "spec"),
      subject,
      gates.since,
    );
    const status = statusOf(await authorize(attributes), evaluationError);
    return { object: transient(definition.schema.canonicalize({ ...review, status })) };
  };
  return { definition, create: (_key, review, options) => create(review, options) };
}

function statusOf({ verdict, reason, error = "" }: Decision, selectorError: string): JsonObject {
  // Upstream appends the error of the selectors to that of the authorizer.
  const evaluationError = [error, selectorError].filter((text) => text !== "").join("; ");
  return {
    allowed: verdict === "allow",
    ...(verdict === "deny" && { denied: true }),
    ...(reason !== "" && { reason }),
    ...(evaluationError !== "" && { evaluationError }),
  };
}

function withoutSelectors(review: MutableKubeObject): MutableKubeObject {
  const spec = structAt(review, "spec");
  const attributes = objectAt(spec, "resourceAttributes");
  if (attributes === undefined) return review;
  const { fieldSelector: _, labelSelector: __, ...rest } = attributes;
  return { ...review, spec: { ...spec, resourceAttributes: rest } };
}

function subjectOf(review: KubeObject): UserInfo {
  const extra = Object.keys(objectAt(review, "spec", "extra") ?? {});
  return {
    name: textAt(review, "spec", "user"),
    uid: textAt(review, "spec", "uid"),
    groups: groupsOf(review),
    extra: Object.fromEntries(extra.map((key) => [key, textsAt(review, "spec", "extra", key)])),
  };
}

/** In v1beta1, the field is `group`. */
function groupsOf(review: KubeObject): readonly string[] {
  return [...textsAt(review, "spec", "groups"), ...textsAt(review, "spec", "group")];
}
