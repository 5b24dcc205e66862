import { isJsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import { dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import { withPreparation } from "../../../registry/contract/default-strategy.ts";
import { addMetadataErrors } from "../../../registry/contract/metadata-errors.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";

const metadataRules = { namespaced: true, validateName: dnsSubdomainName };
const mountableSecrets = "kubernetes.io/enforce-mountable-secrets";

/** The strategy of service accounts. Upstream: pkg/registry/core/serviceaccount/strategy.go. */
export function serviceAccountStrategy(base: Strategy): Strategy {
  return {
    ...withPreparation(base, keepNamesOfSecrets),
    warningsOnCreate: (object) => (isEnforcing(object) ? [enforcingWarning] : []),
    validateUpdate: (errors, object) => addMetadataErrors(errors, object, metadataRules),
    warningsOnUpdate: (object, old) => (isEnforcing(object) && !isEnforcing(old) ? [enforcingWarning] : []),
  };
}

const enforcingWarning = `metadata.annotations[${mountableSecrets}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`;

function isEnforcing({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[mountableSecrets] !== undefined;
}

function keepNamesOfSecrets(object: MutableKubeObject): void {
  const { secrets } = object;
  if (!Array.isArray(secrets)) return;
  object["secrets"] = secrets.filter(isJsonObject).map(({ name }) => (name === undefined ? {} : { name }));
}
