import { costlyAuthorization } from "./authorization.ts";
import type { CostlyRequest } from "./costly-request.ts";
import { costlyDefinitions } from "./definitions.ts";
import { costlyDocuments } from "./documents.ts";
import { costlyHeaders } from "./headers.ts";
import { costlyKinds } from "./kinds.ts";
import { costlyControls } from "./more-kinds.ts";
import { costlyPatches } from "./patches.ts";
import { costlyPods } from "./pods.ts";
import { costlyTargets } from "./targets.ts";

/**
 * Every kind of costly request that is known. The cost of each must grow no faster than its size. They assume a cluster
 * with the feature gate `CBORServingAndStorage`, whose namespace `default` exists, unless they have options, and an administrator.
 */
export const costlyRequests: readonly CostlyRequest[] = [
  ...costlyHeaders,
  ...costlyTargets,
  ...costlyDocuments,
  ...costlyPods,
  ...costlyKinds,
  ...costlyControls,
  ...costlyPatches,
  ...costlyDefinitions,
  ...costlyAuthorization,
];
