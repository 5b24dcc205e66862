import { type FieldError, fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { listAt, numberAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Since } from "../../../apimachinery/release.ts";
import {
  dnsLabelMessages,
  dnsSubdomainMessages,
  dnsSubdomainName,
} from "../../../apimachinery/validation/names.ts";
import { metadataErrors } from "../../../registry/contract/metadata-errors.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { ipErrors, nonSpecialIpErrors } from "../../addresses/address-validation.ts";
import { ipWarnings } from "../../addresses/address-warnings.ts";
import {
  appProtocolErrors,
  optionalPortNameErrors,
  portNameErrors,
  portNumberErrors,
  protocolErrors,
} from "../../addresses/service-port-validation.ts";

/** The strategy of Endpoints. Upstream: pkg/registry/core/endpoint/strategy.go. */
export function endpointsStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const warnings = (endpoints: KubeObject) => addressWarnings(endpoints, gates.since);
  return {
    ...base,
    warningsOnCreate: warnings,
    warningsOnUpdate: warnings,
    validate: subsetErrors,
    validateUpdate: (endpoints) => [
      ...metadataErrors(endpoints, { namespaced: true, validateName: dnsSubdomainName }),
      ...subsetErrors(endpoints),
    ],
  };
}

function subsetErrors(endpoints: KubeObject): readonly FieldError[] {
  return listAt(endpoints, "subsets").flatMap((subset, i) => {
    const field = `subsets[${i}]`;
    const ready = listAt(subset, "addresses");
    const notReady = listAt(subset, "notReadyAddresses");
    const ports = listAt(subset, "ports");
    return [
      ...(ready.length + notReady.length > 0
        ? []
        : [fieldRequired(field, "must specify `addresses` or `notReadyAddresses`")]),
      ...ready.flatMap((address, j) => addressErrors(address, `${field}.addresses[${j}]`)),
      ...notReady.flatMap((address, j) => addressErrors(address, `${field}.notReadyAddresses[${j}]`)),
      ...ports.flatMap((port, j) => portErrors(port, ports.length > 1, `${field}.ports[${j}]`)),
    ];
  });
}

function addressErrors(address: JsonObject, field: string): readonly FieldError[] {
  const ip = textAt(address, "ip");
  const hostname = textAt(address, "hostname");
  const { nodeName } = address;
  const hostnameMessages = hostname === "" ? [] : dnsLabelMessages(hostname);
  const nodeMessages = typeof nodeName === "string" ? dnsSubdomainMessages(nodeName) : [];
  return [
    ...ipErrors(ip, `${field}.ip`),
    ...hostnameMessages.map((message) => fieldInvalid(`${field}.hostname`, hostname, message)),
    ...nodeMessages.map((message) => fieldInvalid(`${field}.nodeName`, nodeName, message)),
    ...nonSpecialIpErrors(ip, `${field}.ip`),
  ];
}

function portErrors(port: JsonObject, needsName: boolean, field: string): readonly FieldError[] {
  return [
    ...(needsName ? portNameErrors : optionalPortNameErrors)(textAt(port, "name"), `${field}.name`),
    ...portNumberErrors(numberAt(port, "port"), `${field}.port`),
    ...protocolErrors(port, `${field}.protocol`),
    ...appProtocolErrors(port, `${field}.appProtocol`),
  ];
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
