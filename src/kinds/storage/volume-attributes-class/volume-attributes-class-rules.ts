import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { volumeAttributesClassStrategy } from "./volume-attributes-class-strategy.ts";

export const volumeAttributesClassRules: BuiltInRules<"volumeattributesclasses"> = {
  strategy: volumeAttributesClassStrategy,
};
