import { type FieldError, fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { structAt, textsAt } from "../../../apimachinery/fields.ts";
import { go, typedValue } from "../../../apimachinery/go/go-value.ts";
import { parseCidr } from "../../../apimachinery/ip.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { index } from "../../../apimachinery/validation/field-path.ts";
import { strictCidrMessages } from "../../../apimachinery/validation/strict-addresses.ts";

const field = "spec.cidrs";

const immutable = "field is immutable";

/** The errors in a new ServiceCIDR. Upstream: pkg/apis/networking/validation/validation.go, ValidateServiceCIDR. */
export function serviceCidrErrors(serviceCidr: KubeObject): readonly FieldError[] {
  return cidrErrors(cidrsOf(serviceCidr));
}

/** The errors of a change. Upstream: pkg/apis/networking/validation/validation.go, ValidateServiceCIDRUpdate. */
export function serviceCidrUpdateErrors(serviceCidr: KubeObject, old: KubeObject): readonly FieldError[] {
  return changeErrors(cidrsOf(serviceCidr), cidrsOf(old));
}

function cidrsOf(serviceCidr: KubeObject): readonly string[] {
  return textsAt(structAt(serviceCidr, "spec"), "cidrs");
}

function cidrErrors(cidrs: readonly string[]): readonly FieldError[] {
  if (cidrs.length === 0) return [fieldRequired(field, "at least one CIDR required")];
  if (cidrs.length > 2) {
    return [
      fieldInvalid(
        field,
        typedValue("networking.ServiceCIDRSpec", { cidrs }),
        "may only hold up to 2 values",
      ),
    ];
  }
  const errors = cidrs.flatMap((cidr, i) =>
    strictCidrMessages(cidr).map((message) => fieldInvalid(index(field, i), cidr, message)),
  );
  const [first, second] = cidrs.map((cidr) => parseCidr(cidr)?.address.length);
  if (first === undefined || first !== second) return errors;
  const detail = "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64";
  return [...errors, fieldInvalid(field, go.stringSlice(cidrs), detail)];
}

/** CIDRs are immutable, but a second one may be added for the other IP family. */
function changeErrors(cidrs: readonly string[], old: readonly string[]): readonly FieldError[] {
  const addsSecond = old.length === 1 && cidrs.length === 2;
  if (cidrs.length !== old.length && !addsSecond) {
    return [fieldInvalid(field, go.stringSlice(cidrs), immutable)];
  }
  const errors = old.flatMap((before, i) =>
    cidrs[i] === before ? [] : [fieldInvalid(index(field, i), cidrs[i], immutable)],
  );
  return addsSecond ? [...errors, ...cidrErrors(cidrs)] : errors;
}
