import {
  type FieldError,
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
import { labelErrors } from "../../../apimachinery/validation/label-errors.ts";
import {
  dnsLabelMessages,
  dnsSubdomainMessages,
  dnsSubdomainName,
} from "../../../apimachinery/validation/names.ts";
import { labelValueMessages } from "../../../apimachinery/validation/qualified-names.ts";
import { metadataErrors } from "../../../registry/contract/metadata-errors.ts";
import { ipErrors, nonSpecialIpErrors } from "../../addresses/address-validation.ts";
import {
  appProtocolErrors,
  optionalPortNameErrors,
  protocolErrors,
} from "../../addresses/service-port-validation.ts";

const addressTypes: readonly string[] = ["FQDN", "IPv4", "IPv6"];
const maxEndpoints = 1000;
const maxAddresses = 100;
const maxPorts = 20_000;
const maxTopologyLabels = 16;
const maxHints = 8;

/**
 * The errors in a new EndpointSlice.
 * Upstream: pkg/apis/discovery/validation/validation.go, ValidateEndpointSliceCreate.
 */
export function endpointSliceErrors(slice: KubeObject): readonly FieldError[] {
  return [...typeErrors(slice), ...portErrors(slice), ...endpointErrors(slice)];
}

/**
 * The errors of an update. Unchanged endpoints are not validated again.
 * Upstream: pkg/apis/discovery/validation/validation.go, ValidateEndpointSliceUpdate.
 */
export function endpointSliceUpdateErrors(slice: KubeObject, old: KubeObject): readonly FieldError[] {
  const type = textAt(slice, "addressType");
  return [
    ...metadataErrors(slice, { namespaced: true, validateName: dnsSubdomainName }),
    ...typeErrors(slice),
    ...portErrors(slice),
    ...(jsonEqual(slice["endpoints"], old["endpoints"]) ? [] : endpointErrors(slice)),
    ...(type === textAt(old, "addressType") ? [] : [fieldInvalid("addressType", type, "field is immutable")]),
  ];
}

function typeErrors(slice: KubeObject): readonly FieldError[] {
  const type = textAt(slice, "addressType");
  if (type === "") return [fieldRequired("addressType")];
  return addressTypes.includes(type) ? [] : [fieldNotSupported("addressType", type, addressTypes)];
}

function portErrors(slice: KubeObject): readonly FieldError[] {
  const ports = listAt(slice, "ports");
  if (ports.length > maxPorts) return [fieldTooMany("ports", ports.length, maxPorts)];
  const names = new Set<string>();
  return ports.flatMap((port, i) => {
    const field = `ports[${i}]`;
    const name = textAt(port, "name");
    const errors = optionalPortNameErrors(name, `${field}.name`);
    if (names.has(name)) errors.push(fieldDuplicate(`${field}.name`, name));
    names.add(name);
    return [
      ...errors,
      ...protocolErrors(port, `${field}.protocol`),
      ...appProtocolErrors(port, `${field}.appProtocol`),
    ];
  });
}

function endpointErrors(slice: KubeObject): readonly FieldError[] {
  const endpoints = listAt(slice, "endpoints");
  if (endpoints.length > maxEndpoints) return [fieldTooMany("endpoints", endpoints.length, maxEndpoints)];
  const type = textAt(slice, "addressType");
  return endpoints.flatMap((endpoint, i) => {
    const field = `endpoints[${i}]`;
    return [
      ...addressErrors(textsAt(endpoint, "addresses"), type, `${field}.addresses`),
      ...nameErrors(endpoint, "nodeName", dnsSubdomainMessages, field),
      ...topologyErrors(endpoint, `${field}.deprecatedTopology`),
      ...nameErrors(endpoint, "hostname", dnsLabelMessages, field),
      ...hintErrors(endpoint, `${field}.hints`),
    ];
  });
}

function addressErrors(addresses: readonly string[], type: string, field: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (addresses.length === 0) errors.push(fieldRequired(field, "must contain at least 1 address"));
  if (addresses.length > maxAddresses) errors.push(fieldTooMany(field, addresses.length, maxAddresses));
  for (const [i, address] of addresses.entries()) {
    const path = `${field}[${i}]`;
    if (type === "FQDN") errors.push(...domainErrors(address, path));
    if (type === "IPv4" || type === "IPv6") errors.push(...ipAddressErrors(address, type, path, field));
  }
  return errors;
}

/** Upstream reports an address of the wrong IP family at the path of the list. */
function ipAddressErrors(
  address: string,
  type: "IPv4" | "IPv6",
  path: string,
  field: string,
): readonly FieldError[] {
  const errors = ipErrors(address, path);
  if (errors.length > 0) return errors;
  const isIpv4 = parseIp(address)?.length === 4;
  const wrong =
    isIpv4 === (type === "IPv4") ? [] : [fieldInvalid(field, address, `must be an ${type} address`)];
  return [...wrong, ...nonSpecialIpErrors(address, path)];
}

/** The errors in a fully qualified domain name, which may end with a dot. */
function domainErrors(address: string, path: string): readonly FieldError[] {
  if (address === "") return [fieldRequired(path)];
  const name = address.replace(/\.$/, "");
  const messages = dnsSubdomainMessages(name);
  if (messages.length > 0) return [fieldInvalid(path, name, joinedWording(messages, ","))];
  const labels = name.split(".");
  if (labels.length < 2) {
    const detail = "should be a domain with at least two segments separated by dots";
    return [fieldInvalid(path, name, detail)];
  }
  const wrong = labels.find((label) => dnsLabelMessages(label).length > 0);
  return wrong === undefined ? [] : [fieldInvalid(path, wrong, joinedWording(dnsLabelMessages(wrong), ","))];
}

function nameErrors(
  endpoint: JsonObject,
  name: string,
  messagesOf: (text: string) => readonly Wording[],
  field: string,
): readonly FieldError[] {
  const value = endpoint[name];
  if (typeof value !== "string") return [];
  return messagesOf(value).map((message) => fieldInvalid(`${field}.${name}`, value, message));
}

function topologyErrors(endpoint: JsonObject, field: string): readonly FieldError[] {
  const topology = objectAt(endpoint, "deprecatedTopology") ?? {};
  const labels = Object.entries(topology).map(([key, value]) => [key, String(value)]);
  const errors =
    labels.length > maxTopologyLabels ? [fieldTooMany(field, labels.length, maxTopologyLabels)] : [];
  return [...errors, ...labelErrors(Object.fromEntries(labels), field)];
}

/** The errors in the hints. With too many zones, upstream does not validate the nodes. */
function hintErrors(endpoint: JsonObject, field: string): readonly FieldError[] {
  const zones = listAt(endpoint, "hints", "forZones");
  const errors = namedErrors(zones, labelValueMessages, `${field}.forZones`);
  if (zones.length > maxHints) return errors;
  const nodes = listAt(endpoint, "hints", "forNodes");
  return [...errors, ...namedErrors(nodes, dnsSubdomainMessages, `${field}.forNodes`)];
}

function namedErrors(
  items: readonly JsonObject[],
  messagesOf: (name: string) => readonly Wording[],
  field: string,
): readonly FieldError[] {
  if (items.length > maxHints) return [fieldTooMany(field, items.length, maxHints)];
  const names = items.map((item) => textAt(item, "name"));
  return names.flatMap((name, i) => {
    const path = `${field}[${i}].name`;
    const errors = names.indexOf(name) < i ? [fieldDuplicate(path, name)] : [];
    return [...errors, ...messagesOf(name).map((message) => fieldInvalid(path, name, message))];
  });
}
