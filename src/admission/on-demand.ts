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
  /** The requests that it looks at. Default: all of these operations. */
  readonly concerns?: (attributes: AdmissionAttributes) => boolean;
}

const everyRequest = () => true;

/** A plugin whose code is loaded with the first request in which it takes part. */
export function onDemand(
  name: PluginName,
  { operations, phases, concerns = everyRequest }: Participation,
  load: () => Promise<AdmissionPlugin>,
): AdmissionPlugin {
  let plugin: AdmissionPlugin | undefined;
  const loaded = async () => {
    const one = await load();
    plugin ??= one;
    return plugin;
  };
  const admit = (attributes: MutatingAttributes) => {
    if (!concerns(attributes)) return;
    if (plugin === undefined) return loaded().then((one) => one.admit?.(attributes));
    return plugin.admit?.(attributes);
  };
  const validate = (attributes: AdmissionAttributes) => {
    if (!concerns(attributes)) return;
    if (plugin === undefined) return loaded().then((one) => one.validate?.(attributes));
    return plugin.validate?.(attributes);
  };
  return {
    name,
    handles: (operation) => operations.includes(operation),
    ...(phases.includes("admit") && { admit }),
    ...(phases.includes("validate") && { validate }),
  };
}
