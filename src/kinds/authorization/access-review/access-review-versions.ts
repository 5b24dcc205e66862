import { structAt } from "../../../apimachinery/fields.ts";
import type { KubeObject, MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import {
  type FormConversions,
  formConversions,
  internalForm,
  type VersionForm,
} from "../../../registry/contract/version-form.ts";

/** v1beta1 has the groups of the user in `group` (authorization.k8s.io/v1beta1, types.go: SubjectAccessReviewSpec). */
const betaForm: VersionForm = {
  toInternal: (review) => renamed(review, "group", "groups"),
  fromInternal: (review) => renamed(review, "groups", "group"),
};

/** The versions of the reviews that name their user. */
export const accessReviewVersions: FormConversions<
  "authorization.k8s.io/v1" | "authorization.k8s.io/v1beta1"
> = formConversions({
  "authorization.k8s.io/v1": internalForm,
  "authorization.k8s.io/v1beta1": betaForm,
});

function renamed<T extends KubeObject | MutableKubeObject>(review: T, from: string, to: string): T {
  const { [from]: groups, ...spec } = structAt(review, "spec");
  return { ...review, spec: { ...spec, ...(groups !== undefined && { [to]: groups }) } };
}
