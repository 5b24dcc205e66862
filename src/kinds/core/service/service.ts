import { invalid } from "../../../apimachinery/errors/errors.ts";
import { fieldCauses } from "../../../apimachinery/errors/field.ts";
import { structAt, textsAt } from "../../../apimachinery/fields.ts";
import type { MutableJsonObject } from "../../../apimachinery/json.ts";
import { editedAt, editedEach, withField, without } from "../../../apimachinery/object-edits.ts";
import type { KubeObject, MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import { dns1035LabelName, dnsLabelName } from "../../../apimachinery/validation/names.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import {
  type GatedFields,
  gatedField,
  withGatedFields,
  withoutGatedFields,
} from "../../../registry/contract/gated-fields.ts";
import type { StrategyEnvironment, StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Finish, Strategy, StrategyContext } from "../../../registry/contract/strategy.ts";
import { statusStrategy } from "../../../registry/subresources/status.ts";
import { internalTypes } from "../../../schema/internal-types.ts";
import { addressRules } from "../../addresses/address-rules.ts";
import { AddressObjects } from "./address-objects.ts";
import {
  dryRunAddresses,
  dryRunAllocation,
  heldAddresses,
  heldAllocation,
  type ServiceAllocation,
} from "./service-allocation.ts";
import { alignClusterIps, allocateClusterIps, updateClusterIps } from "./service-cluster-ips.ts";
import { clusterIpsOf, withPluralIps } from "./service-fields.ts";
import { fillIpFamilies, type InvalidService } from "./service-ip-families.ts";
import { allocateNodePorts, updateNodePorts } from "./service-node-ports.ts";
import { addServiceProtocolErrors } from "./service-protocols.ts";
import { addServiceStatusErrors } from "./service-status-validation.ts";
import { dropUnusedAllocations, restoreAllocated } from "./service-type-change.ts";
import { addServiceUpdateErrors } from "./service-update-validation.ts";
import { ServiceUse } from "./service-use.ts";
import { addServiceErrors } from "./service-validation.ts";
import { serviceWarnings } from "./service-warnings.ts";

/** In releases without dual stack, services have one cluster IP, whose family they do not show. */
const dualStack: GatedFields = {
  gate: "IPv6DualStack",
  drop: (service) =>
    editedAt(service, "spec", (spec) => {
      const edited = without(spec, ["ipFamily", "ipFamilies", "ipFamilyPolicy"]);
      const ips = textsAt(spec, "clusterIPs");
      return ips.length > 1 ? withField(edited, "clusterIPs", ips.slice(0, 1)) : edited;
    }),
};

const gatedFields: readonly GatedFields[] = [
  dualStack,
  {
    gate: "ServiceAppProtocol",
    drop: (service) =>
      editedAt(service, "spec", (spec) =>
        editedEach(spec, "ports", (port) => without(port, ["appProtocol"])),
      ),
  },
  gatedField("ServiceInternalTrafficPolicy", "spec", "internalTrafficPolicy"),
  gatedField("ServiceLBNodePortControl", "spec", "allocateLoadBalancerNodePorts"),
  gatedField("ServiceLoadBalancerClass", "spec", "loadBalancerClass"),
  gatedField("ServiceTrafficDistribution", "spec", "trafficDistribution"),
  gatedField("ServiceTopology", "spec", "topologyKeys"),
];

/** Upstream drops these with every write, also of `/status` (pkg/registry/core/service/strategy.go). */
const mixedProtocolStatus: readonly GatedFields[] = [
  gatedField("MixedProtocolLBService", "status", "conditions"),
  {
    gate: "MixedProtocolLBService",
    drop: (service) =>
      editedAt(service, "status", (status) =>
        editedAt(status, "loadBalancer", (balancer) =>
          editedEach(balancer, "ingress", (point) => without(point, ["ports"])),
        ),
      ),
  },
];

const ipMode: GatedFields = {
  gate: "LoadBalancerIPMode",
  drop: (service) =>
    editedAt(service, "status", (status) =>
      editedAt(status, "loadBalancer", (balancer) =>
        editedEach(balancer, "ingress", (point) => without(point, ["ipMode"])),
      ),
    ),
};

/**
 * The strategy of services, which allocates cluster IPs and node ports. Upstream:
 * pkg/registry/core/service/strategy.go.
 */
export function serviceStrategy(base: Strategy, environment: StrategyEnvironment): Strategy {
  const { store, space, serviceRanges, identifiers, keyOf, gates } = environment;
  const use = new ServiceUse(store, space.prefix, serviceRanges);
  const objects = new AddressObjects(environment, use);
  const strategy: Strategy = {
    ...base,
    validateName: gates.isEnabled("RelaxedServiceNameValidation") ? dnsLabelName : dns1035LabelName,
    beginWrite: (object, old, context: StrategyContext) => {
      use.follow();
      const { number } = identifiers;
      const allocation = context.dryRun
        ? dryRunAllocation(use, objects.isUsed ? objects.dryRun() : dryRunAddresses(use))
        : heldAllocation(
            use,
            number,
            objects.isUsed ? objects.begin(object, old, context) : heldAddresses(use, number),
          );
      return begun(allocation, () => allocate(object, old, allocation, gates));
    },
    prepareForUpdate: (object, old, context) => {
      base.prepareForUpdate(object, old, context);
      changeSpec(object, (spec) => dropUnusedAllocations(spec, withPluralIps(structAt(old, "spec"))));
      if (structAt(object, "spec")["type"] === "LoadBalancer") return;
      object["status"] = { ...structAt(object, "status"), loadBalancer: {} };
    },
    validate: (errors, service) => {
      addServiceErrors(errors, service, gates);
      addServiceProtocolErrors(errors, service, undefined, gates);
    },
    validateUpdate: (errors, service, old) => {
      addServiceUpdateErrors(errors, service, old, gates);
      addServiceProtocolErrors(errors, service, old, gates);
    },
    warningsOnCreate: (service) => serviceWarnings(service, gates),
    warningsOnUpdate: (service) => serviceWarnings(service, gates),
    // Otherwise a new service of that name would start with the endpoints of the old one.
    dependentKeys: (service) => {
      const { namespace = "", name = "" } = service.metadata;
      const key = keyOf({ group: "", resource: "endpoints" }, namespace, name);
      return [...(key === undefined ? [] : [key]), ...objects.keysOf(service)];
    },
  };
  return withGatedFields(strategy, gates, gatedFields);
}

/** The strategy of `/status`, which allocates nothing. */
export function serviceStatusStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const status = withGatedFields(statusStrategy(base), gates, [ipMode, ...mixedProtocolStatus]);
  return {
    ...status,
    validateUpdate: (errors, service, old) => addServiceStatusErrors(errors, service, old, gates),
  };
}

function begun(allocation: ServiceAllocation, allocateAll: () => void): Finish {
  try {
    allocateAll();
  } catch (error) {
    allocation.end();
    throw error;
  }
  return allocation.end;
}

const serviceKind = { group: "", version: "v1", kind: "Service" };

function allocate(
  object: MutableKubeObject,
  old: KubeObject | undefined,
  allocation: ServiceAllocation,
  gates: FeatureGates,
): void {
  const name = object.metadata.name ?? "";
  const invalidService: InvalidService = (errors) =>
    invalid(serviceKind, name, fieldCauses(errors, gates.since, internalTypes(gates.since, serviceKind)));
  const before = old && withPluralIps(structAt(old, "spec"));
  changeSpec(object, (spec) => {
    if (before !== undefined) restoreAllocated(spec, before);
    alignClusterIps(spec, before);
    const rules = addressRules(gates, before && clusterIpsOf(before));
    fillIpFamilies(spec, before, invalidService, allocation.families, rules);
    if (before === undefined) {
      allocateClusterIps(spec, invalidService, allocation);
      allocateNodePorts(spec, name, allocation);
    } else {
      updateClusterIps(spec, before, invalidService, allocation);
      updateNodePorts(spec, before, name, allocation);
    }
  });
  object["spec"] = structAt(withoutGatedFields(object, old, gates, [dualStack]), "spec");
}

/** The object may share its spec with the stored one. */
function changeSpec(object: MutableKubeObject, change: (spec: MutableJsonObject) => void): void {
  const spec = { ...structAt(object, "spec") };
  change(spec);
  object["spec"] = spec;
}
