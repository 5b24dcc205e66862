import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { bindingRest } from "../pod/pod-binding.ts";

export const bindingRules: KindRules<"bindings"> = {
  rest: (definition, _options, access) => bindingRest(definition, access),
};
