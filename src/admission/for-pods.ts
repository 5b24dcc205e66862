import type {
  AdmissionAttributes,
  AdmissionOperation,
  AdmissionPlugin,
  MutatingAttributes,
} from "./contract/admission.ts";
import type { PodPluginEnvironment, podPlugins } from "./pod-plugins.ts";

/** When a plugin takes part. */
interface Participation {
  readonly operations: readonly AdmissionOperation[];
  readonly phases: readonly ("admit" | "validate")[];
}

/** A plugin that only looks at pods. Its code is loaded with the first request for one. */
export function forPods(
  name: keyof typeof podPlugins,
  { operations, phases }: Participation,
  environment: PodPluginEnvironment,
): AdmissionPlugin {
  let plugin: AdmissionPlugin | undefined;
  const load = async () => {
    const { podPlugins } = await import("./pod-plugins.ts");
    plugin ??= podPlugins[name](environment);
    return plugin;
  };
  const admit = (attributes: MutatingAttributes) => {
    if (!isOfPod(attributes)) return;
    return plugin === undefined ? load().then((one) => one.admit?.(attributes)) : plugin.admit?.(attributes);
  };
  const validate = (attributes: AdmissionAttributes) => {
    if (!isOfPod(attributes)) return;
    if (plugin === undefined) return load().then((one) => one.validate?.(attributes));
    return plugin.validate?.(attributes);
  };
  return {
    name,
    handles: (operation) => operations.includes(operation),
    ...(phases.includes("admit") && { admit }),
    ...(phases.includes("validate") && { validate }),
  };
}

function isOfPod({ gvr: { group, resource } }: AdmissionAttributes): boolean {
  return group === "" && resource === "pods";
}
