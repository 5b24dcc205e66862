import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { volumeAttributesClassStrategy } from "./volume-attributes-class.ts";

export const volumeAttributesClassRules: KindRules<"volumeattributesclasses"> = {
  strategy: volumeAttributesClassStrategy,
};
