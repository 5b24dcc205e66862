import { strictIpMessages } from "../../../apimachinery/validation/strict-addresses.ts";
import { changed, withGeneration } from "../../../registry/contract/default-strategy.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { validateAsNew } from "../../../registry/contract/validate-as-new.ts";
import { addIpAddressErrors, addIpAddressUpdateErrors } from "./ip-address-validation.ts";

/** The strategy of IPAddresses. Their name is the address, and their parent is immutable. */
export function ipAddressStrategy(base: Strategy): Strategy {
  const strategy: Strategy = {
    ...withGeneration(base, changed("spec")),
    validateName: strictIpMessages,
    validate: addIpAddressErrors,
    validateUpdate: addIpAddressUpdateErrors,
  };
  return validateAsNew(strategy, "Cluster");
}
