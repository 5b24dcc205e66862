import { fieldDuplicate, fieldInvalid, fieldNotSupported } from "../../../apimachinery/errors/field.ts";
import { textAt, textsAt } from "../../../apimachinery/fields.ts";
import { go } from "../../../apimachinery/go/go-value.ts";
import { parseIp } from "../../../apimachinery/ip.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { addAll, type Findings } from "../../../apimachinery/validation/findings.ts";
import { repeats } from "../../../apimachinery/validation/repeats.ts";
import type { AddressRules } from "../../addresses/address-rules.ts";
import { addIpErrors } from "../../addresses/address-validation.ts";
import { clusterIpsOf, headless, isHeadless, needsClusterIp } from "./service-fields.ts";

const field = "spec.clusterIPs";
const ipFamilies: readonly string[] = ["IPv4", "IPv6"];
const policies: readonly string[] = ["PreferDualStack", "RequireDualStack", "SingleStack"];

/**
 * Validates `clusterIP`, `clusterIPs`, `ipFamilies` and `ipFamilyPolicy`. Upstream:
 * pkg/apis/core/validation/validation.go, ValidateServiceClusterIPsRelatedFields.
 */
export function addClusterIpErrors(errors: Findings, spec: JsonObject, rules: AddressRules): void {
  if (!needsClusterIp(spec)) return;
  const ips = clusterIpsOf(spec);
  addSingularErrors(errors, textAt(spec, "clusterIP"), ips);
  addFamilyErrors(errors, textsAt(spec, "ipFamilies"));
  const policy = spec["ipFamilyPolicy"];
  if (typeof policy === "string" && !policies.includes(policy)) {
    errors.push(fieldNotSupported("spec.ipFamilyPolicy", policy, policies));
  }
  const malformed: Findings = [];
  addAddressErrors(malformed, ips, rules);
  addAll(errors, malformed);
  if (ips.length > 2) errors.push(fieldInvalid(field, shown(ips), "may only hold up to 2 values"));
  // The checks below require valid addresses.
  if (malformed.length > 0) return;
  addStackErrors(errors, spec, ips);
}

/** A list of texts as an error shows it. */
export function shown(values: readonly string[]): ReturnType<typeof go.raw> {
  return values.length === 0 ? go.nil("[]string") : go.stringSlice(values);
}

function addSingularErrors(errors: Findings, clusterIp: string, ips: readonly string[]): void {
  if (clusterIp === "") {
    if (ips.length === 0) return;
    errors.push(fieldInvalid(field, shown(ips), "must be empty when `clusterIP` is not specified"));
    return;
  }
  if (ips[0] === clusterIp) return;
  errors.push(fieldInvalid(field, shown(ips), "first value must match `clusterIP`"));
}

function addFamilyErrors(errors: Findings, families: readonly string[]): void {
  const isRepeated = repeats(families);
  for (const [i, family] of families.entries()) {
    const path = `spec.ipFamilies[${i}]`;
    if (!ipFamilies.includes(family)) errors.push(fieldNotSupported(path, family, ipFamilies));
    if (isRepeated[i]) errors.push(fieldDuplicate(path, family));
  }
}

function addAddressErrors(errors: Findings, ips: readonly string[], rules: AddressRules): void {
  for (const [i, ip] of ips.entries()) {
    if (i > 0 || ip !== headless) addIpErrors(errors, ip, `${field}[${i}]`, rules);
    else if (ips.length > 1) {
      errors.push(fieldInvalid(field, shown(ips), "'None' must be the first and only value"));
    }
  }
}

function addStackErrors(errors: Findings, spec: JsonObject, ips: readonly string[]): void {
  const stacks = ips.map(isIpv6);
  if (ips.length > 1 && new Set(stacks).size < 2) {
    errors.push(fieldInvalid(field, shown(ips), "may specify no more than one IP for each IP family"));
  }
  if (isHeadless(spec)) return;
  for (const [i, family] of textsAt(spec, "ipFamilies").entries()) {
    const ip = ips[i];
    if (ip === undefined || !ipFamilies.includes(family) || (family === "IPv6") === stacks[i]) continue;
    const detail = `expected an ${family} value as indicated by \`ipFamilies[${i}]\``;
    errors.push(fieldInvalid(`${field}[${i}]`, ip, detail));
  }
}

function isIpv6(ip: string): boolean {
  return parseIp(ip)?.length === 16;
}
