import { type Defaulter, inStruct } from "../defaulting/defaulter.ts";

/** Defaults of `rollingUpdate`, for a strategy of type RollingUpdate only. */
export function rollingUpdateDefaults(...defaulters: readonly Defaulter[]): Defaulter {
  const fill = inStruct("rollingUpdate", ...defaulters);
  return (strategy) => {
    if (strategy["type"] === "RollingUpdate") fill(strategy);
  };
}
