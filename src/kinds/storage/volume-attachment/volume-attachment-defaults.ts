import { type Defaulter, ifSet } from "../../defaulting/defaulter.ts";
import { sharedSourceDefaults } from "../../pod-spec/defaults/volume-defaults.ts";
import { roundedAmounts } from "../../quantities/resource-list.ts";

/** VolumeAttachment, for the spec of a volume that it may contain. */
export const volumeAttachmentDefaults: Defaulter = ifSet(
  "spec",
  ifSet("source", ifSet("inlineVolumeSpec", roundedAmounts("capacity"), sharedSourceDefaults)),
);
