import { envVarDefaults } from "./container.ts";
import { type Defaulter, each, ifSet } from "./defaulter.ts";
import { volumeDefaults } from "./volume.ts";

/** PodPreset */
export const podPresetDefaults: Defaulter = ifSet(
  "spec",
  each("env", envVarDefaults),
  each("volumes", volumeDefaults),
);
