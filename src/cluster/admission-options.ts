import type { PluginName } from "../admission/plugin-order.ts";
import type { Config } from "./options.ts";

/** Which plugins of a release are on. Installers turn NodeRestriction on with the authorization mode `Node`. */
export function enabledPlugins({ authorization }: Config): (name: PluginName, isDefault: boolean) => boolean {
  const { modes, configuration } = authorization;
  const restrictsNodes = modes.includes("Node") || configuration !== undefined;
  return (name, isDefault) => isDefault || (name === "NodeRestriction" && restrictsNodes);
}
