import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { formConversions, internalForm } from "../../../registry/contract/version-form.ts";
import { alphaRuntimeClassForm } from "./runtime-class-forms.ts";
import { runtimeClassStrategy } from "./runtime-class-strategy.ts";

export const runtimeClassRules: BuiltInRules<"runtimeclasses"> = {
  strategy: runtimeClassStrategy,
  versions: formConversions({
    "node.k8s.io/v1": internalForm,
    "node.k8s.io/v1alpha1": alphaRuntimeClassForm,
    "node.k8s.io/v1beta1": internalForm,
  }),
};
