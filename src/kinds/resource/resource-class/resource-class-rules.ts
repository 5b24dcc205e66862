import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { resourceClassPrinter } from "./resource-class-printer.ts";

export const resourceClassRules: BuiltInRules<"resourceclasses"> = {
  printer: resourceClassPrinter,
};
