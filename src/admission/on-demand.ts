import type {
  AdmissionAttributes,
  AdmissionOperation,
  AdmissionPlugin,
  MutatingAttributes,
} from "./contract/admission.ts";
import type { PluginName } from "./contract/plugin-order.ts";

/** When a plugin takes part, as far as that is known without its code. */
export interface Participation {
  readonly operations: readonly AdmissionOperation[];
  readonly phases: readonly ("admit" | "validate")[];
  /** The resources that it looks at. Default: all of them. */
  readonly concerns?: Required<AdmissionPlugin>["concerns"];
}

/** A plugin whose code is loaded with the first request in which it takes part. */
export function onDemand(
  name: PluginName,
  { operations, phases, concerns }: Participation,
  load: () => Promise<AdmissionPlugin>,
): AdmissionPlugin {
  let plugin: AdmissionPlugin | undefined;
  const loaded = async () => {
    const one = await load();
    plugin ??= one;
    return plugin;
  };
  const admit = (attributes: MutatingAttributes) => {
    if (plugin === undefined) return loaded().then((one) => one.admit?.(attributes));
    return plugin.admit?.(attributes);
  };
  const validate = (attributes: AdmissionAttributes) => {
    if (plugin === undefined) return loaded().then((one) => one.validate?.(attributes));
    return plugin.validate?.(attributes);
  };
  return {
    name,
    handles: (operation) => operations.includes(operation),
    ...(concerns && { concerns }),
    ...(phases.includes("admit") && { admit }),
    ...(phases.includes("validate") && { validate }),
  };
}
