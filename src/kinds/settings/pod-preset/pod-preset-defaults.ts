import { type Defaulter, each, ifSet } from "../../defaulting/defaulter.ts";
import { envVarDefaults } from "../../pod-spec/defaults/container-defaults.ts";
import { volumeDefaults } from "../../pod-spec/defaults/volume-defaults.ts";

/** PodPreset. */
export const podPresetDefaults: Defaulter = ifSet(
  "spec",
  each("env", envVarDefaults),
  each("volumes", volumeDefaults),
);
