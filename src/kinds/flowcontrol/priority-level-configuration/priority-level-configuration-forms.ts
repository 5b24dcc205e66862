import { integerAt, objectAt, structAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import type { GroupVersionsOf } from "../../../catalog/built-in-names.ts";
import { internalForm, type VersionForm } from "../../../registry/contract/version-form.ts";

/** The annotation that keeps a zero in v1beta3, where a zero cannot be distinguished from an unset field. */
export const preserveZeroAnnotation = "flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares";

/** Before v1beta3, `nominalConcurrencyShares` was `assuredConcurrencyShares`. */
const earlyForm: VersionForm = {
  toInternal: (level) => renamedShares(level, "assuredConcurrencyShares", "nominalConcurrencyShares"),
  fromInternal: (level) => renamedShares(level, "nominalConcurrencyShares", "assuredConcurrencyShares"),
};

/** v1beta3 has an annotation with shares of zero (kubernetes, pkg/apis/flowcontrol/v1beta3/conversion.go). */
const v1beta3Form: VersionForm = {
  toInternal: (level) => {
    const { [preserveZeroAnnotation]: mark, ...annotations } = level.metadata.annotations ?? {};
    return mark === undefined ? level : withAnnotations(level, annotations);
  },
  fromInternal: (level) => {
    const limited = objectAt(level, "spec", "limited");
    if (limited === undefined || integerAt(limited, "nominalConcurrencyShares") !== 0) return level;
    return withAnnotations(level, { ...level.metadata.annotations, [preserveZeroAnnotation]: "" });
  },
};

/** The forms of a PriorityLevelConfiguration by group and version. */
export const priorityLevelForms: {
  readonly [gv in GroupVersionsOf<"prioritylevelconfigurations">]: VersionForm;
} = {
  "flowcontrol.apiserver.k8s.io/v1": internalForm,
  "flowcontrol.apiserver.k8s.io/v1alpha1": earlyForm,
  "flowcontrol.apiserver.k8s.io/v1beta1": earlyForm,
  "flowcontrol.apiserver.k8s.io/v1beta2": earlyForm,
  "flowcontrol.apiserver.k8s.io/v1beta3": v1beta3Form,
};

function renamedShares<T extends KubeObject | MutableKubeObject>(level: T, from: string, to: string): T {
  const limited = objectAt(level, "spec", "limited");
  if (limited === undefined) return level;
  const { [from]: shares, ...rest } = limited;
  const renamed: JsonObject = shares === undefined ? rest : { ...rest, [to]: shares };
  return { ...level, spec: { ...structAt(level, "spec"), limited: renamed } };
}

function withAnnotations<T extends KubeObject | MutableKubeObject>(
  level: T,
  annotations: { readonly [name: string]: string },
): T {
  const { annotations: _, ...metadata } = level.metadata;
  return {
    ...level,
    metadata: { ...metadata, ...(Object.keys(annotations).length > 0 && { annotations }) },
  };
}
