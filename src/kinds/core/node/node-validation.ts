import {
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
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { repeats } from "../../../apimachinery/validation/repeats.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { type AddressRules, addressRules } from "../../addresses/address-rules.ts";
import { addCidrErrors } from "../../addresses/address-validation.ts";
import { amountsAt } from "../../quantities/amounts.ts";
import { addQuantity } from "../../quantities/resources.ts";
import { addConfigSourceErrors, addConfigStatusErrors } from "./node-config-validation.ts";
import { addTaintErrors } from "./node-taints.ts";

const podCidrs = "spec.podCIDRs";

/** Validates a node, or an update of `old`. Upstream's path for taints is `metadata.taints` instead of `spec.taints`. */
export function addNodeErrors(
  errors: Findings,
  object: KubeObject,
  gates: FeatureGates,
  old?: KubeObject,
): void {
  const cidrs = textsAt(object, "spec", "podCIDRs");
  addTaintErrors(errors, listAt(object, "spec", "taints"), "metadata.taints");
  addResourceErrors(errors, object);
  addPodCidrErrors(errors, cidrs, addressRules(gates, old && textsAt(old, "spec", "podCIDRs")));
  // Upstream: pkg/apis/core/validation/validation.go, ValidateNode, of 1.32 and of 1.33.
  if (!gates.since("1.33")) addRepeatedCidrErrors(errors, cidrs);
}

/** Validates the changes to a node. */
export function addNodeUpdateErrors(errors: Findings, object: KubeObject, old: KubeObject): void {
  const source = objectAt(object, "spec", "configSource");
  const config = objectAt(object, "status", "config");
  addResourceErrors(errors, object);
  addAddressErrors(errors, object);
  addPodCidrChangeErrors(errors, textsAt(object, "spec", "podCIDRs"), textsAt(old, "spec", "podCIDRs"));
  addProviderErrors(errors, object, old);
  if (source !== undefined) addConfigSourceErrors(errors, source, "spec.configSource");
  if (config !== undefined) addConfigStatusErrors(errors, config, "status.config");
  addTaintErrors(errors, listAt(object, "spec", "taints"), "metadata.taints");
  addExternalIdErrors(errors, object, old);
}

function addResourceErrors(errors: Findings, object: KubeObject): void {
  for (const list of ["capacity", "allocatable"]) {
    for (const [name, amount] of amountsAt(object, "status", list)) {
      addQuantity(errors, name, amount, child("status", list, name));
    }
  }
}

function addPodCidrErrors(errors: Findings, cidrs: readonly string[], rules: AddressRules): void {
  for (const [i, cidr] of cidrs.entries()) addCidrErrors(errors, cidr, index(podCidrs, i), rules);
  if (cidrs.length < 2) return;
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
}

function addRepeatedCidrErrors(errors: Findings, cidrs: readonly string[]): void {
  const isRepeated = repeats(cidrs);
  for (const [i, cidr] of cidrs.entries()) {
    if (isRepeated[i]) errors.push(fieldDuplicate(index(podCidrs, i), cidr));
  }
}

function addAddressErrors(errors: Findings, object: KubeObject): void {
  const seen = new Set<string>();
  for (const [i, address] of listAt(object, "status", "addresses").entries()) {
    const key = `${textAt(address, "type")} ${textAt(address, "address")}`;
    const shown = plainValue("core.NodeAddress", address);
    if (seen.has(key)) {
      errors.push(fieldDuplicate(index("status.addresses", i), shown));
      continue;
    }
    seen.add(key);
  }
}

/** The Pod CIDRs of a node are immutable once they are set. Each one that differs is an error. */
function addPodCidrChangeErrors(errors: Findings, cidrs: readonly string[], old: readonly string[]): void {
  if (old.length === 0) return;
  const detail = 'node updates may not change podCIDR except from "" to valid';
  if (cidrs.length !== old.length) errors.push(fieldForbidden(podCidrs, detail));
  else {
    for (const [i, cidr] of old.entries()) {
      if (cidr !== cidrs[i]) errors.push(fieldForbidden(podCidrs, detail));
    }
  }
}

function addProviderErrors(errors: Findings, object: KubeObject, old: KubeObject): void {
  const before = textAt(old, "spec", "providerID");
  if (before === "" || before === textAt(object, "spec", "providerID")) return;
  const detail = 'node updates may not change providerID except from "" to valid';
  errors.push(fieldForbidden("spec.providerID", detail));
}

function addExternalIdErrors(errors: Findings, object: KubeObject, old: KubeObject): void {
  if (textAt(object, "spec", "externalID") === textAt(old, "spec", "externalID")) return;
  errors.push(fieldForbidden("spec.externalID", "may not be updated"));
}
