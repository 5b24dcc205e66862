import {
  fieldDuplicate,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  fieldTooMany,
} from "../../../apimachinery/errors/field.ts";
import { joinedWording, type Wording } from "../../../apimachinery/errors/wording.ts";
import { listAt, objectAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { parseIp } from "../../../apimachinery/ip.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import { addLabelErrors } from "../../../apimachinery/validation/label-errors.ts";
import {
  dnsLabelMessages,
  dnsSubdomainMessages,
  dnsSubdomainName,
} from "../../../apimachinery/validation/names.ts";
import { labelValueMessages } from "../../../apimachinery/validation/qualified-names.ts";
import { repeats } from "../../../apimachinery/validation/repeats.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { addMetadataErrors } from "../../../registry/contract/metadata-errors.ts";
import { type AddressRules, addressRules } from "../../addresses/address-rules.ts";
import { addIpErrors, addNonSpecialIpErrors } from "../../addresses/address-validation.ts";
import {
  addAppProtocolErrors,
  addOptionalPortNameErrors,
  addProtocolErrors,
} from "../../addresses/service-port-validation.ts";

const addressTypes: readonly string[] = ["FQDN", "IPv4", "IPv6"];
/** v1alpha1 of 1.16 does not distinguish families. */
const alphaAddressTypes: readonly string[] = ["IP"];
const maxEndpoints = 1000;
const maxAddresses = 100;
const maxPorts = 20_000;
const maxTopologyLabels = 16;
const maxHints = 8;

/**
 * Adds the errors in a new EndpointSlice.
 * Upstream: pkg/apis/discovery/validation/validation.go, ValidateEndpointSliceCreate.
 */
export function addEndpointSliceErrors(errors: Findings, slice: KubeObject, gates: FeatureGates): void {
  addTypeErrors(errors, slice);
  addPortErrors(errors, slice);
  addEndpointErrors(errors, slice, addressRules(gates));
}

/**
 * Adds the errors of an update. Unchanged endpoints are not validated again.
 * Upstream: pkg/apis/discovery/validation/validation.go, ValidateEndpointSliceUpdate.
 */
export function addEndpointSliceUpdateErrors(
  errors: Findings,
  slice: KubeObject,
  old: KubeObject,
  gates: FeatureGates,
): void {
  const type = textAt(slice, "addressType");
  addMetadataErrors(errors, slice, { namespaced: true, validateName: dnsSubdomainName });
  addTypeErrors(errors, slice);
  addPortErrors(errors, slice);
  if (!jsonEqual(slice["endpoints"], old["endpoints"])) {
    addEndpointErrors(errors, slice, addressRules(gates));
  }
  if (type !== textAt(old, "addressType")) {
    errors.push(fieldInvalid("addressType", type, "field is immutable"));
  }
}

function addTypeErrors(errors: Findings, slice: KubeObject): void {
  const type = textAt(slice, "addressType");
  const known = slice.apiVersion.endsWith("/v1alpha1") ? alphaAddressTypes : addressTypes;
  if (type === "") errors.push(fieldRequired("addressType"));
  else if (!known.includes(type)) errors.push(fieldNotSupported("addressType", type, known));
}

function addPortErrors(errors: Findings, slice: KubeObject): void {
  const ports = listAt(slice, "ports");
  if (ports.length > maxPorts) {
    errors.push(fieldTooMany("ports", ports.length, maxPorts));
    return;
  }
  const names = new Set<string>();
  for (const [i, port] of ports.entries()) {
    const field = `ports[${i}]`;
    const name = textAt(port, "name");
    addOptionalPortNameErrors(errors, name, `${field}.name`);
    if (names.has(name)) errors.push(fieldDuplicate(`${field}.name`, name));
    names.add(name);
    addProtocolErrors(errors, port, `${field}.protocol`);
    addAppProtocolErrors(errors, port, `${field}.appProtocol`);
  }
}

function addEndpointErrors(errors: Findings, slice: KubeObject, rules: AddressRules): void {
  const endpoints = listAt(slice, "endpoints");
  if (endpoints.length > maxEndpoints) {
    errors.push(fieldTooMany("endpoints", endpoints.length, maxEndpoints));
    return;
  }
  const type = textAt(slice, "addressType");
  for (const [i, endpoint] of endpoints.entries()) {
    const field = `endpoints[${i}]`;
    addAddressErrors(errors, textsAt(endpoint, "addresses"), { type, rules }, `${field}.addresses`);
    addNameErrors(errors, endpoint, "nodeName", dnsSubdomainMessages, field);
    addTopologyErrors(errors, endpoint, `${field}.deprecatedTopology`);
    addNameErrors(errors, endpoint, "hostname", dnsLabelMessages, field);
    addHintErrors(errors, endpoint, `${field}.hints`);
  }
}

/** The type of the addresses of a slice, and how they are validated. */
interface AddressForm {
  readonly type: string;
  readonly rules: AddressRules;
}

function addAddressErrors(
  errors: Findings,
  addresses: readonly string[],
  { type, rules }: AddressForm,
  field: string,
): void {
  if (addresses.length === 0) errors.push(fieldRequired(field, "must contain at least 1 address"));
  if (addresses.length > maxAddresses) errors.push(fieldTooMany(field, addresses.length, maxAddresses));
  for (const [i, address] of addresses.entries()) {
    const path = `${field}[${i}]`;
    if (type === "FQDN") addDomainErrors(errors, address, path);
    if (type !== "IPv4" && type !== "IPv6") continue;
    const before = errors.length;
    addIpErrors(errors, address, path, rules);
    if (errors.length === before) addFamilyErrors(errors, address, type, path, field);
  }
}

/** Upstream reports an address of the wrong IP family at the path of the list. */
function addFamilyErrors(
  errors: Findings,
  address: string,
  type: "IPv4" | "IPv6",
  path: string,
  field: string,
): void {
  const isIpv4 = parseIp(address)?.length === 4;
  if (isIpv4 !== (type === "IPv4")) {
    errors.push(fieldInvalid(field, address, `must be an ${type} address`));
  }
  addNonSpecialIpErrors(errors, address, path);
}

/** Adds the errors in a fully qualified domain name, which may end with a dot. */
function addDomainErrors(errors: Findings, address: string, path: string): void {
  if (address === "") {
    errors.push(fieldRequired(path));
    return;
  }
  const name = address.replace(/\.$/, "");
  const messages = dnsSubdomainMessages(name);
  if (messages.length > 0) {
    errors.push(fieldInvalid(path, name, joinedWording(messages, ",")));
    return;
  }
  const labels = name.split(".");
  if (labels.length < 2) {
    const detail = "should be a domain with at least two segments separated by dots";
    errors.push(fieldInvalid(path, name, detail));
    return;
  }
  const wrong = labels.find((label) => dnsLabelMessages(label).length > 0);
  if (wrong !== undefined) {
    errors.push(fieldInvalid(path, wrong, joinedWording(dnsLabelMessages(wrong), ",")));
  }
}

function addNameErrors(
  errors: Findings,
  endpoint: JsonObject,
  name: string,
  messagesOf: (text: string) => readonly Wording[],
  field: string,
): void {
  const value = endpoint[name];
  if (typeof value !== "string") return;
  addInvalid(errors, `${field}.${name}`, value, messagesOf(value));
}

function addTopologyErrors(errors: Findings, endpoint: JsonObject, field: string): void {
  const topology = objectAt(endpoint, "deprecatedTopology") ?? {};
  const labels = Object.entries(topology).map(([key, value]) => [key, String(value)]);
  if (labels.length > maxTopologyLabels) errors.push(fieldTooMany(field, labels.length, maxTopologyLabels));
  addLabelErrors(errors, Object.fromEntries(labels), field);
}

/** Adds the errors in the hints. With too many zones, upstream does not validate the nodes. */
function addHintErrors(errors: Findings, endpoint: JsonObject, field: string): void {
  const zones = listAt(endpoint, "hints", "forZones");
  addNamedErrors(errors, zones, labelValueMessages, `${field}.forZones`);
  if (zones.length > maxHints) return;
  const nodes = listAt(endpoint, "hints", "forNodes");
  addNamedErrors(errors, nodes, dnsSubdomainMessages, `${field}.forNodes`);
}

function addNamedErrors(
  errors: Findings,
  items: readonly JsonObject[],
  messagesOf: (name: string) => readonly Wording[],
  field: string,
): void {
  if (items.length > maxHints) {
    errors.push(fieldTooMany(field, items.length, maxHints));
    return;
  }
  const names = items.map((item) => textAt(item, "name"));
  const isRepeated = repeats(names);
  for (const [i, name] of names.entries()) {
    const path = `${field}[${i}].name`;
    if (isRepeated[i]) errors.push(fieldDuplicate(path, name));
    addInvalid(errors, path, name, messagesOf(name));
  }
}
