import { fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { structAt, textsAt } from "../../../apimachinery/fields.ts";
import { go, typedValue } from "../../../apimachinery/go/go-value.ts";
import { parseCidr } from "../../../apimachinery/ip.ts";
import { jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { index } from "../../../apimachinery/validation/field-path.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import { strictCidrMessages } from "../../../apimachinery/validation/strict-addresses.ts";

const field = "spec.cidrs";

const immutable = "field is immutable";

/** Adds the errors in a new ServiceCIDR. Upstream: pkg/apis/networking/validation/validation.go, ValidateServiceCIDR. */
export function addServiceCidrErrors(errors: Findings, serviceCidr: KubeObject): void {
  addCidrErrors(errors, cidrsOf(serviceCidr));
}

/**
 * Adds the errors of a change. Networks are immutable; only since 1.33 can one of the other IP family be added. Upstream:
 * pkg/apis/networking/validation/validation.go, ValidateServiceCIDRUpdate.
 */
export function addServiceCidrUpdateErrors(
  errors: Findings,
  serviceCidr: KubeObject,
  old: KubeObject,
  isExtensible: boolean,
): void {
  const [cidrs, before] = [cidrsOf(serviceCidr), cidrsOf(old)];
  if (isExtensible) addChangeErrors(errors, cidrs, before);
  else if (!jsonEqual(cidrs, before)) {
    errors.push(fieldInvalid(field, go.stringSlice(cidrs), immutable));
  }
}

function cidrsOf(serviceCidr: KubeObject): readonly string[] {
  return textsAt(structAt(serviceCidr, "spec"), "cidrs");
}

function addCidrErrors(errors: Findings, cidrs: readonly string[]): void {
  if (cidrs.length === 0) {
    errors.push(fieldRequired(field, "at least one CIDR required"));
    return;
  }
  if (cidrs.length > 2) {
    errors.push(
      fieldInvalid(
        field,
        typedValue("networking.ServiceCIDRSpec", { cidrs }),
        "may only hold up to 2 values",
      ),
    );
    return;
  }
  for (const [i, cidr] of cidrs.entries()) {
    addInvalid(errors, index(field, i), cidr, strictCidrMessages(cidr));
  }
  const [first, second] = cidrs.map((cidr) => parseCidr(cidr)?.address.length);
  if (first === undefined || first !== second) return;
  const detail = "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64";
  errors.push(fieldInvalid(field, go.stringSlice(cidrs), detail));
}

/** CIDRs are immutable, but a second one may be added for the other IP family. */
function addChangeErrors(errors: Findings, cidrs: readonly string[], old: readonly string[]): void {
  const addsSecond = old.length === 1 && cidrs.length === 2;
  if (cidrs.length !== old.length && !addsSecond) {
    errors.push(fieldInvalid(field, go.stringSlice(cidrs), immutable));
    return;
  }
  for (const [i, before] of old.entries()) {
    if (cidrs[i] !== before) errors.push(fieldInvalid(index(field, i), cidrs[i], immutable));
  }
  if (addsSecond) addCidrErrors(errors, cidrs);
}
