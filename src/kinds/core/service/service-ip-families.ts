import type { StatusError } from "../../../apimachinery/errors/errors.ts";
import { type FieldError, fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { sizeAt, textAt, textOr, textsAt } from "../../../apimachinery/fields.ts";
import { go } from "../../../apimachinery/go/go-value.ts";
import { parseIp } from "../../../apimachinery/ip.ts";
import type { JsonObject, MutableJsonObject } from "../../../apimachinery/json.ts";
import { collectErrors, type Findings } from "../../../apimachinery/validation/findings.ts";
import type { AddressRules } from "../../addresses/address-rules.ts";
import { addClusterIpErrors } from "./service-cluster-ip-validation.ts";
import { clusterIpsOf, headless, type IpFamily, needsClusterIp, sameTexts } from "./service-fields.ts";

/** The error for a service with these field errors. */
export type InvalidService = (errors: readonly FieldError[]) => StatusError;

const policyField = "spec.ipFamilyPolicy";

/**
 * Defaults `ipFamilies` and `ipFamilyPolicy` from the families of the cluster and the other fields. Upstream:
 * pkg/registry/core/service/storage/alloc.go, initIPFamilyFields. Errors here prevent the rest of validation.
 * @throws {StatusError} invalid
 */
export function fillIpFamilies(
  spec: MutableJsonObject,
  old: JsonObject | undefined,
  invalidService: InvalidService,
  families: readonly IpFamily[],
  rules: AddressRules,
): void {
  if (!needsClusterIp(spec) || keepsPreferringDualStack(spec, old)) return;
  if (textAt(spec, "ipFamilyPolicy") === "") spec["ipFamilyPolicy"] = defaultPolicy(spec, old);
  refuse(invalidService, (errors) => addClusterIpErrors(errors, spec, rules));
  refuse(invalidService, (errors) => {
    if (old !== undefined) addReductionErrors(errors, spec, old);
    addPolicyErrors(errors, spec);
    inferFamilies(errors, spec, families);
  });
  if (isHeadlessWithoutSelector(spec)) {
    fillHeadlessFamilies(spec, families);
    return;
  }
  refuse(invalidService, (errors) => addUnavailableErrors(errors, spec, families));
  fillClusterFamilies(spec, families);
}

/** Whether the service prefers dual stack and keeps its fields, so that nothing has to be defaulted. */
export function keepsPreferringDualStack(spec: JsonObject, old: JsonObject | undefined): boolean {
  const prefers = "PreferDualStack";
  return (
    old !== undefined &&
    textAt(old, "type") === textAt(spec, "type") &&
    needsClusterIp(spec) &&
    textAt(spec, "ipFamilyPolicy") === prefers &&
    textOr(prefers, old, "ipFamilyPolicy") === prefers &&
    sameTexts(clusterIpsOf(old), clusterIpsOf(spec)) &&
    sameTexts(familiesOf(old), familiesOf(spec))
  );
}

export function familiesOf(spec: JsonObject): readonly string[] {
  return textsAt(spec, "ipFamilies");
}

function refuse(invalidService: InvalidService, validate: (errors: Findings) => void): void {
  const errors = collectErrors(validate);
  if (errors.length > 0) throw invalidService(errors);
}

function defaultPolicy(spec: JsonObject, old: JsonObject | undefined): string {
  const before = old === undefined ? "" : textAt(old, "ipFamilyPolicy");
  if (before !== "") return before;
  return isHeadlessWithoutSelector(spec) ? "RequireDualStack" : "SingleStack";
}

function isHeadlessWithoutSelector(spec: JsonObject): boolean {
  return textAt(spec, "clusterIP") === headless && sizeAt(spec, "selector") === 0;
}

/** A change to single stack removes the second address and family. They cannot be removed without that change. */
function addReductionErrors(errors: Findings, spec: MutableJsonObject, old: JsonObject): void {
  const policy = textAt(spec, "ipFamilyPolicy");
  const ips = clusterIpsOf(spec);
  const families = familiesOf(spec);
  if (policy === "SingleStack") {
    if (sameTexts(clusterIpsOf(old), ips) && ips.length > 1) spec["clusterIPs"] = ips.slice(0, 1);
    if (sameTexts(familiesOf(old), families) && families.length > 1) {
      spec["ipFamilies"] = families.slice(0, 1);
    }
    return;
  }
  const must = "must be 'SingleStack' to release the secondary";
  if (isReduced(ips, clusterIpsOf(old))) errors.push(fieldInvalid(policyField, policy, `${must} cluster IP`));
  if (isReduced(families, familiesOf(old))) {
    errors.push(fieldInvalid(policyField, policy, `${must} IP family`));
  }
}

function isReduced(now: readonly string[], before: readonly string[]): boolean {
  return now.length > 0 && now.length < before.length;
}

function addPolicyErrors(errors: Findings, spec: JsonObject): void {
  const policy = textAt(spec, "ipFamilyPolicy");
  if (policy !== "SingleStack") return;
  const must = "must be 'RequireDualStack' or 'PreferDualStack' when multiple";
  if (clusterIpsOf(spec).length === 2) {
    errors.push(fieldInvalid(policyField, policy, `${must} cluster IPs are specified`));
  }
  if (familiesOf(spec).length === 2) {
    errors.push(fieldInvalid(policyField, policy, `${must} IP families are specified`));
  }
}

/** Infers the families from the addresses. */
function inferFamilies(errors: Findings, spec: MutableJsonObject, configured: readonly IpFamily[]): void {
  const ips = clusterIpsOf(spec);
  const families = [...familiesOf(spec)];
  for (const [i, ip] of ips.entries()) {
    if (ip === headless) break;
    const family = familyOf(ip);
    if (i < families.length) continue;
    if (configured.includes(family)) families.push(family);
    else {
      const detail = `${family} is not configured on this cluster`;
      errors.push(fieldInvalid(`spec.clusterIPs[${i}]`, go.stringSlice(ips), detail));
    }
  }
  if (families.length > 0) spec["ipFamilies"] = families;
}

/** A headless service without a selector can have endpoints of any family. */
function fillHeadlessFamilies(spec: MutableJsonObject, configured: readonly IpFamily[]): void {
  const families = familiesOf(spec).length > 0 ? familiesOf(spec) : configured.slice(0, 1);
  const isSingle = textAt(spec, "ipFamilyPolicy") === "SingleStack";
  spec["ipFamilies"] =
    isSingle || families.length > 1 ? families : [...families, otherFamily(families[0] ?? "")];
}

function fillClusterFamilies(spec: MutableJsonObject, configured: readonly IpFamily[]): void {
  const families = familiesOf(spec).length > 0 ? familiesOf(spec) : configured.slice(0, 1);
  const wantsBoth = textAt(spec, "ipFamilyPolicy") !== "SingleStack" && configured.length === 2;
  spec["ipFamilies"] =
    wantsBoth && families.length === 1 ? [...families, otherFamily(families[0] ?? "")] : families;
}

function addUnavailableErrors(errors: Findings, spec: JsonObject, configured: readonly IpFamily[]): void {
  const policy = textAt(spec, "ipFamilyPolicy");
  if (policy === "RequireDualStack" && configured.length < 2) {
    const detail = "this cluster is not configured for dual-stack services";
    errors.push(fieldInvalid(policyField, policy, detail));
  }
  for (const [i, family] of familiesOf(spec).entries()) {
    if (configured.some((known) => known === family)) continue;
    errors.push(fieldInvalid(`spec.ipFamilies[${i}]`, family, "not configured on this cluster"));
  }
}

function otherFamily(family: string): IpFamily {
  return family === "IPv4" ? "IPv6" : "IPv4";
}

/** The family of a valid address. */
function familyOf(ip: string): IpFamily {
  return parseIp(ip)?.length === 16 ? "IPv6" : "IPv4";
}
