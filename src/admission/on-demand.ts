import type { AdmissionAttributes, AdmissionPlugin, MutatingAttributes } from "./contract/admission.ts";
import type { PluginName } from "./contract/plugin-order.ts";
import type { OptionalPluginEnvironment } from "./optional-plugins.ts";

/** A plugin whose code is loaded with the first request: few clusters turn it on. */
export function onDemand(name: PluginName, environment: OptionalPluginEnvironment): AdmissionPlugin {
  let plugin: AdmissionPlugin | undefined;
  const admit = (loaded: AdmissionPlugin, attributes: MutatingAttributes) =>
    loaded.handles(attributes.operation) ? loaded.admit?.(attributes) : undefined;
  const validate = (loaded: AdmissionPlugin, attributes: AdmissionAttributes) =>
    loaded.handles(attributes.operation) ? loaded.validate?.(attributes) : undefined;
  const loading = async () => {
    const { optionalPlugin } = await import("./optional-plugins.ts");
    plugin ??= optionalPlugin(name, environment);
    return plugin;
  };
  return {
    name,
    handles: () => true,
    admit: (attributes) =>
      plugin === undefined
        ? loading().then((loaded) => admit(loaded, attributes))
        : admit(plugin, attributes),
    validate: (attributes) =>
      plugin === undefined
        ? loading().then((loaded) => validate(loaded, attributes))
        : validate(plugin, attributes),
  };
}
