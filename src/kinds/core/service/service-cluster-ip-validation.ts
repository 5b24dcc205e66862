import {
  type FieldError,
  fieldDuplicate,
  fieldInvalid,
  fieldNotSupported,
} from "../../../apimachinery/errors/field.ts";
import { textAt, textsAt } from "../../../apimachinery/fields.ts";
import { go } from "../../../apimachinery/go/go-value.ts";
import { parseIp } from "../../../apimachinery/ip.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { ipMessages } from "../../../apimachinery/validation/value-formats.ts";
import { clusterIpsOf, headless, isHeadless, needsClusterIp } from "./service-fields.ts";

const field = "spec.clusterIPs";
const ipFamilies: readonly string[] = ["IPv4", "IPv6"];
const policies: readonly string[] = ["PreferDualStack", "RequireDualStack", "SingleStack"];

/**
 * Validates `clusterIP`, `clusterIPs`, `ipFamilies` and `ipFamilyPolicy`. Upstream:
 * pkg/apis/core/validation/validation.go, ValidateServiceClusterIPsRelatedFields.
 */
export function clusterIpErrors(spec: JsonObject): readonly FieldError[] {
  if (!needsClusterIp(spec)) return [];
  const ips = clusterIpsOf(spec);
  const errors: FieldError[] = [
    ...singularErrors(textAt(spec, "clusterIP"), ips),
    ...familyErrors(textsAt(spec, "ipFamilies")),
  ];
  const policy = spec["ipFamilyPolicy"];
  if (typeof policy === "string" && !policies.includes(policy)) {
    errors.push(fieldNotSupported("spec.ipFamilyPolicy", policy, policies));
  }
  const malformed = addressErrors(ips);
  errors.push(...malformed);
  if (ips.length > 2) errors.push(fieldInvalid(field, shown(ips), "may only hold up to 2 values"));
  // The checks below require valid addresses.
  if (malformed.length > 0) return errors;
  return [...errors, ...stackErrors(spec, ips)];
}

/** A list of texts as an error shows it. */
export function shown(values: readonly string[]): ReturnType<typeof go.raw> {
  return values.length === 0 ? go.nil("[]string") : go.stringSlice(values);
}

function singularErrors(clusterIp: string, ips: readonly string[]): readonly FieldError[] {
  if (clusterIp === "") {
    if (ips.length === 0) return [];
    return [fieldInvalid(field, shown(ips), "must be empty when `clusterIP` is not specified")];
  }
  if (ips[0] === clusterIp) return [];
  return [fieldInvalid(field, shown(ips), "first value must match `clusterIP`")];
}

function familyErrors(families: readonly string[]): readonly FieldError[] {
  return families.flatMap((family, i) => {
    const path = `spec.ipFamilies[${i}]`;
    const errors: FieldError[] = [];
    if (!ipFamilies.includes(family)) errors.push(fieldNotSupported(path, family, ipFamilies));
    if (families.indexOf(family) < i) errors.push(fieldDuplicate(path, family));
    return errors;
  });
}

function addressErrors(ips: readonly string[]): readonly FieldError[] {
  return ips.flatMap((ip, i) => {
    if (i > 0 || ip !== headless) {
      return ipMessages(ip).map((message) => fieldInvalid(`${field}[${i}]`, ip, message));
    }
    return ips.length > 1 ? [fieldInvalid(field, shown(ips), "'None' must be the first and only value")] : [];
  });
}

function stackErrors(spec: JsonObject, ips: readonly string[]): readonly FieldError[] {
  const errors: FieldError[] = [];
  const stacks = ips.map(isIpv6);
  if (ips.length > 1 && new Set(stacks).size < 2) {
    errors.push(fieldInvalid(field, shown(ips), "may specify no more than one IP for each IP family"));
  }
  if (isHeadless(spec)) return errors;
  for (const [i, family] of textsAt(spec, "ipFamilies").entries()) {
    const ip = ips[i];
    if (ip === undefined || !ipFamilies.includes(family) || (family === "IPv6") === stacks[i]) continue;
    const detail = `expected an ${family} value as indicated by \`ipFamilies[${i}]\``;
    errors.push(fieldInvalid(`${field}[${i}]`, ip, detail));
  }
  return errors;
}

function isIpv6(ip: string): boolean {
  return parseIp(ip)?.length === 16;
}
