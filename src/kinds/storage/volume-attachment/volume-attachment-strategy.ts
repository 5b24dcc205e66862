import { objectAt, structAt } from "../../../apimachinery/fields.ts";
import type { MutableJsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import { gatedField, withGatedFields } from "../../../registry/contract/gated-fields.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { statusOnlyStrategy } from "../../../registry/subresources/status-metadata.ts";
import {
  addVolumeAttachmentErrors,
  addVolumeAttachmentUpdateErrors,
  errorFields,
} from "./volume-attachment-validation.ts";

/** The strategy of VolumeAttachments, whose spec is immutable. */
export function volumeAttachmentStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const strategy: Strategy = {
    ...base,
    metadataChecks: { create: "core", update: "own" },
    validate: addVolumeAttachmentErrors,
    validateUpdate: addVolumeAttachmentUpdateErrors,
  };
  return withGatedFields(strategy, gates, [gatedField("CSIMigration", "spec", "source", "inlineVolumeSpec")]);
}

/** The strategy of `/status`. */
export function volumeAttachmentStatusStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const status = statusOnlyStrategy(base);
  return {
    ...status,
    metadataChecks: base.metadataChecks,
    prepareForUpdate: (object, old, context) => {
      status.prepareForUpdate(object, old, context);
      if (!gates.isEnabled("MutableCSINodeAllocatableCount")) dropErrorCodes(object, old);
    },
    validateUpdate: addVolumeAttachmentUpdateErrors,
  };
}

/** Drops error codes, which are behind a feature gate, unless the old object has one. */
function dropErrorCodes(object: MutableKubeObject, old: KubeObject): void {
  const status: MutableJsonObject = { ...structAt(object, "status") };
  for (const name of errorFields) {
    const report = objectAt(status, name);
    if (report === undefined || objectAt(old, "status", name)?.["errorCode"] !== undefined) continue;
    const { errorCode: _dropped, ...kept } = report;
    status[name] = kept;
  }
  object["status"] = status;
}
