import {
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { listAt, numberAt, objectAt, structAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import { cidrContains, parseCidr } from "../../../apimachinery/ip.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Since } from "../../../apimachinery/release.ts";
import { addSelector, isValidLabelSelector } from "../../../apimachinery/selectors/label-selector-object.ts";
import { addAll, addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import { dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import { portNameMessages, portNumberMessages } from "../../../apimachinery/validation/value-formats.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { addMetadataErrors, addMetadataUpdateErrors } from "../../../registry/contract/metadata-errors.ts";
import { type AddressRules, addressRules } from "../../addresses/address-rules.ts";
import { addCidrErrors } from "../../addresses/address-validation.ts";
import { cidrWarnings } from "../../addresses/address-warnings.ts";

const metadataRules = { namespaced: true, validateName: dnsSubdomainName };

const protocols: readonly string[] = ["TCP", "UDP", "SCTP"];

const policyTypes: readonly string[] = ["Ingress", "Egress"];

/** The fields of the rules and of their peers. */
const directions = [
  ["ingress", "from"],
  ["egress", "to"],
] as const;

/**
 * Adds the errors in a new NetworkPolicy.
 * Upstream: pkg/apis/networking/validation/validation.go, ValidateNetworkPolicySpec.
 */
export function addNetworkPolicyErrors(errors: Findings, policy: KubeObject, gates: FeatureGates): void {
  addSpecErrors(errors, structAt(policy, "spec"), { allowsInvalidValues: false, rules: addressRules(gates) });
}

/** Adds the errors of an update. Up to 1.32, upstream validates the whole object twice. */
export function addNetworkPolicyUpdateErrors(
  errors: Findings,
  policy: KubeObject,
  old: KubeObject,
  gates: FeatureGates,
): void {
  const once: Findings = [];
  addSpecErrors(once, structAt(policy, "spec"), {
    allowsInvalidValues: hasInvalidSelector(old),
    rules: addressRules(gates, networksOf(old)),
  });
  if (!gates.since("1.33")) {
    addMetadataErrors(errors, policy, metadataRules);
    addAll(errors, once);
  }
  addMetadataUpdateErrors(errors, policy, old);
  addAll(errors, once);
}

/** Invalid label values in an existing selector remain accepted. */
function hasInvalidSelector(policy: KubeObject): boolean {
  return !isValidLabelSelector(structAt(policy, "spec")["podSelector"]);
}

/** What an update may keep. */
interface PolicyOptions {
  readonly allowsInvalidValues: boolean;
  readonly rules: AddressRules;
}

/** The CIDRs of a policy. */
function networksOf(policy: KubeObject): readonly string[] {
  return directions.flatMap(([direction, peers]) =>
    listAt(policy, "spec", direction).flatMap((rule) =>
      listAt(rule, peers).flatMap((peer) => [
        textAt(peer, "ipBlock", "cidr"),
        ...textsAt(objectAt(peer, "ipBlock") ?? {}, "except"),
      ]),
    ),
  );
}

function addSpecErrors(errors: Findings, spec: JsonObject, options: PolicyOptions): void {
  const { allowsInvalidValues } = options;
  addSelector(errors, spec["podSelector"], "spec.podSelector", { allowsInvalidValues });
  for (const [direction, peers] of directions) {
    for (const [i, rule] of listAt(spec, direction).entries()) {
      const field = `spec.${direction}[${i}]`;
      for (const [j, port] of listAt(rule, "ports").entries()) {
        addPortErrors(errors, port, `${field}.ports[${j}]`);
      }
      for (const [j, peer] of listAt(rule, peers).entries()) {
        addPeerErrors(errors, peer, `${field}.${peers}[${j}]`, options);
      }
    }
  }
  addTypeErrors(errors, textsAt(spec, "policyTypes"));
}

function addTypeErrors(errors: Findings, types: readonly string[]): void {
  if (types.length > policyTypes.length) {
    const shown = typedValue("[]networking.PolicyType", types);
    errors.push(fieldInvalid("spec.policyTypes", shown, "may not specify more than two policyTypes"));
    return;
  }
  for (const [i, type] of types.entries()) {
    if (!policyTypes.includes(type)) {
      errors.push(fieldNotSupported(`spec.policyTypes[${i}]`, type, policyTypes));
    }
  }
}

function addPortErrors(errors: Findings, item: JsonObject, field: string): void {
  const { protocol, port } = item;
  if (typeof protocol === "string" && !protocols.includes(protocol)) {
    errors.push(fieldNotSupported(`${field}.protocol`, protocol, protocols));
  }
  if (typeof port === "number") {
    addNumberErrors(errors, item, port, field);
    return;
  }
  const hasEnd = item["endPort"] !== undefined;
  const end = numberAt(item, "endPort");
  if (typeof port === "string") {
    if (hasEnd) {
      const detail = "may not be specified when `port` is non-numeric";
      errors.push(fieldInvalid(`${field}.endPort`, end, detail));
    }
    const messages = portNameMessages(port);
    addInvalid(errors, `${field}.port`, port, messages);
    return;
  }
  if (!hasEnd) return;
  const detail = "may not be specified when `port` is not specified";
  errors.push(fieldInvalid(`${field}.endPort`, end, detail));
}

function addNumberErrors(errors: Findings, item: JsonObject, port: number, field: string): void {
  addInvalid(errors, `${field}.port`, port, portNumberMessages(port));
  if (item["endPort"] === undefined) return;
  const end = numberAt(item, "endPort");
  if (end < port) {
    // Upstream shows the value of `port`, not of `endPort`.
    errors.push(fieldInvalid(`${field}.endPort`, port, "must be greater than or equal to `port`"));
  }
  const messages = portNumberMessages(end);
  addInvalid(errors, `${field}.endPort`, end, messages);
}

function addPeerErrors(
  errors: Findings,
  peer: JsonObject,
  field: string,
  { allowsInvalidValues, rules }: PolicyOptions,
): void {
  const block = objectAt(peer, "ipBlock");
  const selectors = ["podSelector", "namespaceSelector"].filter((name) => peer[name] !== undefined);
  for (const name of selectors) addSelector(errors, peer[name], `${field}.${name}`, { allowsInvalidValues });
  if (block !== undefined) addBlockErrors(errors, block, `${field}.ipBlock`, rules);
  else {
    if (selectors.length === 0) errors.push(fieldRequired(field, "must specify a peer"));
  }
  if (block !== undefined && selectors.length > 0) {
    errors.push(fieldForbidden(field, "may not specify both ipBlock and another peer"));
  }
}

function addBlockErrors(errors: Findings, block: JsonObject, field: string, rules: AddressRules): void {
  const text = textAt(block, "cidr");
  if (text === "") {
    errors.push(fieldRequired(`${field}.cidr`));
    return;
  }
  const cidr = parseCidr(text);
  addCidrErrors(errors, text, `${field}.cidr`, rules);
  if (cidr !== undefined) {
    for (const [i, except] of textsAt(block, "except").entries()) {
      const path = `${field}.except[${i}]`;
      const part = parseCidr(except);
      addCidrErrors(errors, except, path, rules);
      if (part === undefined) continue;
      if (cidrContains(cidr, part.address) && cidr.prefixLength < part.prefixLength) continue;
      errors.push(fieldInvalid(path, except, "must be a strict subset of `cidr`"));
    }
  }
}

/** The warnings for CIDRs that are not in their canonical form. */
export function ipBlockWarnings(policy: KubeObject, since: Since): readonly string[] {
  if (!since("1.33")) return [];
  return directions.flatMap(([direction, peers]) =>
    listAt(policy, "spec", direction).flatMap((rule, i) =>
      listAt(rule, peers).flatMap((peer, j) => {
        const block = objectAt(peer, "ipBlock");
        if (block === undefined) return [];
        const field = `spec.${direction}[${i}].${peers}[${j}].ipBlock`;
        return [
          ...cidrWarnings(textAt(block, "cidr"), `${field}.cidr`, since),
          ...textsAt(block, "except").flatMap((cidr, k) =>
            cidrWarnings(cidr, `${field}.except[${k}]`, since),
          ),
        ];
      }),
    ),
  );
}
