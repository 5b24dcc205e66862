import { clusterFailures } from "./cluster-failures.ts";
import { connectionFailures } from "./connection-failures.ts";
import type { Failure, FailureName } from "./failure.ts";
import { requestFailures } from "./request-failures.ts";
import { streamFailures } from "./stream-failures.ts";
import { watchFailures } from "./watch-failures.ts";

/** Every failure, as a client sees it through any transport. */
export const failures: { readonly [name in FailureName]: Failure } = {
  ...clusterFailures,
  ...connectionFailures,
  ...requestFailures,
  ...streamFailures,
  ...watchFailures,
};
