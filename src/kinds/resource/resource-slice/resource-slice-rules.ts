import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { formConversions, internalForm } from "../../../registry/contract/version-form.ts";
import { alphaSliceForm, earlySliceForm } from "../devices/device-forms.ts";
import { resourceSliceStrategy } from "./resource-slice-strategy.ts";

export const resourceSliceRules: BuiltInRules<"resourceslices"> = {
  strategy: resourceSliceStrategy,
  versions: formConversions({
    "resource.k8s.io/v1": internalForm,
    "resource.k8s.io/v1alpha3": alphaSliceForm,
    "resource.k8s.io/v1beta1": earlySliceForm,
    "resource.k8s.io/v1beta2": internalForm,
  }),
};
