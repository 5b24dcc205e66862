import type { JsonObject } from "../../apimachinery/json.ts";

/** The configurations of plugins by their names: what `plugins` of an AdmissionConfiguration has. */
export type PluginConfigurations = ReadonlyMap<string, JsonObject>;
