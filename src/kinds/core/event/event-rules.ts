import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { betaEventStrategy, eventStrategy, strictEventStrategy } from "./event.ts";
import { eventConversion } from "./event-conversion.ts";

export const eventRules: BuiltInRules<"events"> = {
  strategy: eventStrategy,
  versions: {
    "events.k8s.io/v1": { strategy: strictEventStrategy, conversions: { v1: eventConversion } },
    "events.k8s.io/v1beta1": { strategy: betaEventStrategy, conversions: { v1: eventConversion } },
  },
};
