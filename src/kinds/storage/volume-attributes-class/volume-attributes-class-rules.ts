import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { volumeAttributesClassStrategy } from "./volume-attributes-class-strategy.ts";

export const volumeAttributesClassRules: KindRules<"volumeattributesclasses"> = {
  strategy: volumeAttributesClassStrategy,
};
