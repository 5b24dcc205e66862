import {
  type FieldError,
  fieldDuplicate,
  fieldForbidden,
  fieldInternal,
  fieldInvalid,
} from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { go, plainValue } from "../../../apimachinery/go/go-value.ts";
import { parseCidr } from "../../../apimachinery/ip.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { cidrMessages } from "../../../apimachinery/validation/value-formats.ts";
import { amountsAt } from "../../quantities/amounts.ts";
import { addQuantity } from "../../quantities/resources.ts";
import { configSourceErrors, configStatusErrors } from "./node-config-validation.ts";
import { taintErrors } from "./node-taints.ts";

const podCidrs = "spec.podCIDRs";

/** Validates a node. Upstream's path for taints is `metadata.taints` instead of `spec.taints`. */
export function nodeErrors(object: KubeObject): FieldError[] {
  return [
    ...taintErrors(listAt(object, "spec", "taints"), "metadata.taints"),
    ...resourceErrors(object),
    ...podCidrErrors(textsAt(object, "spec", "podCIDRs")),
  ];
}

/** Validates the changes to a node. */
export function nodeUpdateErrors(object: KubeObject, old: KubeObject): FieldError[] {
  const source = objectAt(object, "spec", "configSource");
  const config = objectAt(object, "status", "config");
  return [
    ...resourceErrors(object),
    ...addressErrors(object),
    ...podCidrChangeErrors(textsAt(object, "spec", "podCIDRs"), textsAt(old, "spec", "podCIDRs")),
    ...providerErrors(object, old),
    ...(source === undefined ? [] : configSourceErrors(source, "spec.configSource")),
    ...(config === undefined ? [] : configStatusErrors(config, "status.config")),
    ...taintErrors(listAt(object, "spec", "taints"), "metadata.taints"),
    ...externalIdErrors(object, old),
  ];
}

function resourceErrors(object: KubeObject): FieldError[] {
  const errors: FieldError[] = [];
  for (const list of ["capacity", "allocatable"]) {
    for (const [name, amount] of amountsAt(object, "status", list)) {
      addQuantity(errors, name, amount, child("status", list, name));
    }
  }
  return errors;
}

function podCidrErrors(cidrs: readonly string[]): FieldError[] {
  const errors: FieldError[] = cidrs.flatMap((cidr, i) =>
    cidrMessages(cidr).map((message) => fieldInvalid(index(podCidrs, i), cidr, message)),
  );
  if (cidrs.length < 2) return errors;
  const families = cidrs.map((cidr) => parseCidr(cidr)?.address.length);
  const broken = families.indexOf(undefined);
  if (broken >= 0) {
    const reason = `invalid CIDR[${broken}]: <nil> (invalid CIDR address: ${cidrs[broken]})`;
    const problem = `invalid PodCIDRs. failed to check with dual stack with error:${reason}`;
    errors.push(fieldInternal(podCidrs, problem));
  }
  if (broken >= 0 || new Set(families).size < 2 || cidrs.length > 2) {
    const detail = "may specify no more than one CIDR for each IP family";
    errors.push(fieldInvalid(podCidrs, go.stringSlice(cidrs), detail));
  }
  for (const [i, cidr] of cidrs.entries()) {
    if (cidrs.indexOf(cidr) < i) errors.push(fieldDuplicate(index(podCidrs, i), cidr));
  }
  return errors;
}

function addressErrors(object: KubeObject): FieldError[] {
  const seen = new Set<string>();
  return listAt(object, "status", "addresses").flatMap((address, i) => {
    const key = `${textAt(address, "type")} ${textAt(address, "address")}`;
    const shown = plainValue("core.NodeAddress", address);
    if (seen.has(key)) return [fieldDuplicate(index("status.addresses", i), shown)];
    seen.add(key);
    return [];
  });
}

/** The Pod CIDRs of a node are immutable once they are set. Each one that differs is an error. */
function podCidrChangeErrors(cidrs: readonly string[], old: readonly string[]): FieldError[] {
  if (old.length === 0) return [];
  const detail = 'node updates may not change podCIDR except from "" to valid';
  if (cidrs.length !== old.length) return [fieldForbidden(podCidrs, detail)];
  return old.flatMap((cidr, i) => (cidr === cidrs[i] ? [] : [fieldForbidden(podCidrs, detail)]));
}

function providerErrors(object: KubeObject, old: KubeObject): FieldError[] {
  const before = textAt(old, "spec", "providerID");
  if (before === "" || before === textAt(object, "spec", "providerID")) return [];
  const detail = 'node updates may not change providerID except from "" to valid';
  return [fieldForbidden("spec.providerID", detail)];
}

function externalIdErrors(object: KubeObject, old: KubeObject): FieldError[] {
  if (textAt(object, "spec", "externalID") === textAt(old, "spec", "externalID")) return [];
  return [fieldForbidden("spec.externalID", "may not be updated")];
}
