import { fieldRequired } from "../../../apimachinery/errors/field.ts";
import { listAt, numberAt, textAt } from "../../../apimachinery/fields.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Since } from "../../../apimachinery/release.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import {
  dnsLabelMessages,
  dnsSubdomainMessages,
  dnsSubdomainName,
} from "../../../apimachinery/validation/names.ts";
import { addMetadataErrors } from "../../../registry/contract/metadata-errors.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { type AddressRules, addressRules, rulesOfList } from "../../addresses/address-rules.ts";
import { addIpErrors, addNonSpecialIpErrors } from "../../addresses/address-validation.ts";
import { ipWarnings } from "../../addresses/address-warnings.ts";
import { addSctpErrors, type PortList } from "../../addresses/sctp-errors.ts";
import {
  addAppProtocolErrors,
  addOptionalPortNameErrors,
  addPortNameErrors,
  addPortNumberErrors,
  addProtocolErrors,
} from "../../addresses/service-port-validation.ts";

/** The strategy of Endpoints. Upstream: pkg/registry/core/endpoint/strategy.go. */
export function endpointsStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const warnings = (endpoints: KubeObject) => addressWarnings(endpoints, gates.since);
  return {
    ...base,
    warningsOnCreate: warnings,
    warningsOnUpdate: warnings,
    validate: (errors, endpoints) => {
      addSubsetErrors(errors, endpoints, addressRules(gates));
      addSctpErrors(errors, portsOf(endpoints), [], gates);
    },
    validateUpdate: (errors, endpoints, old) => {
      addMetadataErrors(errors, endpoints, { namespaced: true, validateName: dnsSubdomainName });
      const isUnchanged = jsonEqual(endpoints["subsets"], old["subsets"]);
      addSubsetErrors(errors, endpoints, rulesOfList(gates, isUnchanged));
      addSctpErrors(errors, portsOf(endpoints), portsOf(old), gates);
    },
  };
}

function portsOf(endpoints: KubeObject): readonly PortList[] {
  return listAt(endpoints, "subsets").map((subset, i) => [subset, `subsets[${i}].ports`]);
}

function addSubsetErrors(errors: Findings, endpoints: KubeObject, rules: AddressRules): void {
  for (const [i, subset] of listAt(endpoints, "subsets").entries()) {
    const field = `subsets[${i}]`;
    const ready = listAt(subset, "addresses");
    const notReady = listAt(subset, "notReadyAddresses");
    const ports = listAt(subset, "ports");
    if (ready.length + notReady.length <= 0) {
      errors.push(fieldRequired(field, "must specify `addresses` or `notReadyAddresses`"));
    }
    for (const [j, address] of ready.entries()) {
      addAddressErrors(errors, address, `${field}.addresses[${j}]`, rules);
    }
    for (const [j, address] of notReady.entries()) {
      addAddressErrors(errors, address, `${field}.notReadyAddresses[${j}]`, rules);
    }
    for (const [j, port] of ports.entries()) {
      addPortErrors(errors, port, ports.length > 1, `${field}.ports[${j}]`);
    }
  }
}

function addAddressErrors(errors: Findings, address: JsonObject, field: string, rules: AddressRules): void {
  const ip = textAt(address, "ip");
  const hostname = textAt(address, "hostname");
  const { nodeName } = address;
  const hostnameMessages = hostname === "" ? [] : dnsLabelMessages(hostname);
  const nodeMessages = typeof nodeName === "string" ? dnsSubdomainMessages(nodeName) : [];
  addIpErrors(errors, ip, `${field}.ip`, rules);
  addInvalid(errors, `${field}.hostname`, hostname, hostnameMessages);
  addInvalid(errors, `${field}.nodeName`, nodeName, nodeMessages);
  addNonSpecialIpErrors(errors, ip, `${field}.ip`);
}

function addPortErrors(errors: Findings, port: JsonObject, needsName: boolean, field: string): void {
  const name = textAt(port, "name");
  if (needsName) addPortNameErrors(errors, name, `${field}.name`);
  else addOptionalPortNameErrors(errors, name, `${field}.name`);
  addPortNumberErrors(errors, numberAt(port, "port"), `${field}.port`);
  addProtocolErrors(errors, port, `${field}.protocol`);
  addAppProtocolErrors(errors, port, `${field}.appProtocol`);
}

/**
 * Warnings about addresses in a form that is not canonical. Upstream does not check Endpoints of its own controller.
 */
function addressWarnings(endpoints: KubeObject, since: Since): readonly string[] {
  const manager = endpoints.metadata.labels?.["endpoints.kubernetes.io/managed-by"];
  if (!since("1.33") || manager === "endpoint-controller") return [];
  return listAt(endpoints, "subsets").flatMap((subset, i) =>
    ["addresses", "notReadyAddresses"].flatMap((name) =>
      listAt(subset, name).flatMap((address, j) =>
        ipWarnings(textAt(address, "ip"), `subsets[${i}].${name}[${j}].ip`, since),
      ),
    ),
  );
}
