import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { podSchedulingContextPrinter } from "./pod-scheduling-context-printer.ts";

export const podSchedulingContextRules: BuiltInRules<"podschedulingcontexts"> = {
  printer: podSchedulingContextPrinter,
};
