import type { MutableJsonObject } from "../../../apimachinery/json.ts";
import { all, type Defaulter, each, ifSet, whenZero } from "../../defaulting/defaulter.ts";

/** Anything with a list of tolerations: a request, a subrequest or an allocated device. */
export const tolerationDefaults: Defaulter = each("tolerations", whenZero({ operator: "Equal" }));

const deviceRequest = all(whenZero({ allocationMode: "ExactCount" }), countExactly, tolerationDefaults);

const subrequests = each("firstAvailable", deviceRequest);

/** The spec of a ResourceClaim of v1alpha3 and v1beta1, where a request has the fields of an exact request. */
export const earlyClaimSpecDefaults: Defaulter = ifSet(
  "devices",
  each("requests", unlessSubrequests, tolerationDefaults, subrequests),
);

/** The spec of a ResourceClaim since v1beta2, where a request has `exactly` or `firstAvailable`. */
export const claimSpecDefaults: Defaulter = ifSet(
  "devices",
  each("requests", ifSet("exactly", deviceRequest), subrequests),
);

/** The spec of a ResourceClaim of v1alpha2, which asks for no devices. */
export const alphaClaimSpecDefaults: Defaulter = whenZero({ allocationMode: "WaitForFirstConsumer" });

function countExactly(request: MutableJsonObject): void {
  if (request["allocationMode"] === "ExactCount") request["count"] ||= 1;
}

/** A request without a class has subrequests, each with a count of its own. */
function unlessSubrequests(request: MutableJsonObject): void {
  if (request["deviceClassName"]) deviceRequest(request);
}
