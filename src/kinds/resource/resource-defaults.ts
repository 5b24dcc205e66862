import type { MutableJsonObject } from "../../apimachinery/json.ts";
import { all, type Defaulter, each, ifSet, inStruct, whenUnset, whenZero } from "../defaulting/defaulter.ts";

const tolerations = each("tolerations", whenZero({ operator: "Equal" }));

const deviceRequest = all(whenZero({ allocationMode: "ExactCount" }), countExactly, tolerations);

const subrequests = each("firstAvailable", deviceRequest);

const allocated = ifSet("status", ifSet("allocation", ifSet("devices", each("results", tolerations))));

const plainRequests = ifSet("devices", each("requests", unlessSubrequests, tolerations, subrequests));
const exactRequests = ifSet("devices", each("requests", ifSet("exactly", deviceRequest), subrequests));

/** ResourceClaim of v1alpha3 and v1beta1 */
export const plainResourceClaimDefaults: Defaulter = all(ifSet("spec", plainRequests), allocated);

/** ResourceClaimTemplate of v1alpha3 and v1beta1 */
export const plainResourceClaimTemplateDefaults: Defaulter = ifSet("spec", ifSet("spec", plainRequests));

/** ResourceClaim from v1beta2 on, where a request says whether it is for exactly one class */
export const resourceClaimDefaults: Defaulter = all(ifSet("spec", exactRequests), allocated);

/** ResourceClaimTemplate from v1beta2 on */
export const resourceClaimTemplateDefaults: Defaulter = ifSet("spec", ifSet("spec", exactRequests));

const firstConsumer = inStruct("spec", whenZero({ allocationMode: "WaitForFirstConsumer" }));

/** ResourceClaim of v1alpha2 */
export const alphaResourceClaimDefaults: Defaulter = firstConsumer;

/** ResourceClaimTemplate of v1alpha2 */
export const alphaResourceClaimTemplateDefaults: Defaulter = inStruct("spec", firstConsumer);

/** ResourcePoolStatusRequest */
export const resourcePoolStatusRequestDefaults: Defaulter = inStruct("spec", whenUnset({ limit: 100 }));

function countExactly(request: MutableJsonObject): void {
  if (request["allocationMode"] === "ExactCount") request["count"] ||= 1;
}

/** A request without a class has subrequests, which count for themselves. */
function unlessSubrequests(request: MutableJsonObject): void {
  if (request["deviceClassName"]) deviceRequest(request);
}
