import { eventConversion } from "./conversions/event.ts";
import type { OwnConversion } from "./conversions/own-conversion.ts";

/** By the stored version and the endpoint's. A new one is a file and a line. */
export const conversions: ReadonlyMap<string, OwnConversion> = new Map([
  ["v1/Event events.k8s.io/v1/Event", eventConversion],
  ["v1/Event events.k8s.io/v1beta1/Event", eventConversion],
]);
