import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { bindingRest } from "../pod/pod-binding.ts";

export const bindingRules: BuiltInRules<"bindings"> = {
  rest: (definition, options, access) => bindingRest(definition, access, options),
};
