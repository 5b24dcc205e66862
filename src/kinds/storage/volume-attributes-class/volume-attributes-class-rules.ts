import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { volumeAttributesClassPrinter } from "./volume-attributes-class-printer.ts";
import { volumeAttributesClassStrategy } from "./volume-attributes-class-strategy.ts";

export const volumeAttributesClassRules: BuiltInRules<"volumeattributesclasses"> = {
  printer: volumeAttributesClassPrinter,
  strategy: volumeAttributesClassStrategy,
};
