import { all, type Defaulter, ifSet } from "../../defaulting/defaulter.ts";
import { roundedAmounts } from "../../quantities/resource-list.ts";

export const resourceQuotaDefaults: Defaulter = all(
  ifSet("spec", roundedAmounts("hard")),
  ifSet("status", roundedAmounts("hard", "used")),
);
