import { key } from "../../apimachinery/field-path.ts";
import { objectAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject, MutableJsonObject } from "../../apimachinery/json.ts";
import { dnsSubdomainName } from "../../apimachinery/names.ts";
import { type KubeObject, type MutableKubeObject, section } from "../../apimachinery/object-meta.ts";
import { metadataErrors, metadataUpdateErrors } from "../metadata-errors.ts";
import type { StrategyFacts } from "../registry-options.ts";
import type { Strategy } from "../strategy.ts";
import { statusStrategy } from "../subresource/status.ts";
import { claimSpecErrors } from "./claim-spec-validation.ts";
import { claimSpecWarnings } from "./claim-spec-warnings.ts";
import { claimStatusErrors, claimUpdateErrors } from "./persistent-volume-claim-validation.ts";

const metadataRules = { namespaced: true, validateName: dnsSubdomainName };
const betaClass = "volume.beta.kubernetes.io/storage-class";

/** Claims begin as pending, and ask for what they ask. */
export function persistentVolumeClaimStrategy(base: Strategy, { schema }: StrategyFacts): Strategy {
  return {
    ...base,
    metadataChecks: { create: "core", update: "own" },
    prepareForCreate: (object) => {
      object["status"] = { phase: "Pending" };
      prepareSpec(object, undefined);
    },
    validate: (object) => claimSpecErrors(section(object, "spec"), "spec"),
    warningsOnCreate: claimWarnings,
    prepareForUpdate: (object, old, context) => {
      base.prepareForUpdate(object, old, context);
      prepareSpec(object, old);
    },
    validateUpdate: (object, old) => {
      const once = [
        ...metadataErrors(object, metadataRules),
        ...claimSpecErrors(section(object, "spec"), "spec"),
      ];
      // Upstream looks twice at the whole claim.
      return [
        ...once,
        ...metadataUpdateErrors(object, old),
        ...once,
        ...claimUpdateErrors(object, old, schema),
      ];
    },
    warningsOnUpdate: claimWarnings,
  };
}

/** `/status` says what a claim was given. */
export function persistentVolumeClaimStatusStrategy(base: Strategy): Strategy {
  return { ...statusStrategy(base), validateUpdate: claimStatusErrors };
}

function prepareSpec(object: MutableKubeObject, old: KubeObject | undefined): void {
  const before = old && section(old, "spec");
  const spec: MutableJsonObject = { ...section(object, "spec") };
  if (before?.["volumeAttributesClassName"] === undefined) delete spec["volumeAttributesClassName"];
  const hasRef = before?.["dataSourceRef"] !== undefined;
  // Sources in other namespaces wait for their feature.
  if (!hasRef && textAt(spec, "dataSourceRef", "namespace")) delete spec["dataSourceRef"];
  if (!hasRef && before?.["dataSource"] === undefined) dropUnknownSource(spec);
  mirrorSources(spec);
  object["spec"] = spec;
}

/** Before there was `dataSourceRef`, what `dataSource` could not be was dropped without a word. */
function dropUnknownSource(spec: MutableJsonObject): void {
  const source = objectAt(spec, "dataSource");
  if (source === undefined || spec["dataSourceRef"] !== undefined) return;
  const kind = `${textAt(source, "apiGroup")}/${textAt(source, "kind")}`;
  if (kind === "/PersistentVolumeClaim" || kind === "snapshot.storage.k8s.io/VolumeSnapshot") return;
  delete spec["dataSource"];
}

function mirrorSources(spec: MutableJsonObject): void {
  const source = objectAt(spec, "dataSource");
  const ref = objectAt(spec, "dataSourceRef");
  if (source !== undefined && ref === undefined) spec["dataSourceRef"] = reference(source);
  else if (ref !== undefined && source === undefined && !textAt(ref, "namespace")) {
    spec["dataSource"] = reference(ref);
  }
}

function reference({ apiGroup, kind = "", name = "" }: JsonObject): JsonObject {
  return { ...(apiGroup !== undefined && { apiGroup }), kind, name };
}

function claimWarnings(object: KubeObject): readonly string[] {
  const warnings = claimSpecWarnings(section(object, "spec"), "spec");
  if (object.metadata.annotations?.[betaClass] === undefined) return warnings;
  const field = key("metadata.annotations", betaClass);
  return [`${field}: deprecated since v1.8; use "storageClassName" attribute instead`, ...warnings];
}
